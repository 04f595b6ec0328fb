import ArchiverCore
import ArchiverTestKit

/// A synthetic article with its images, always the same for the same number.
struct BenchArticle {
  let number: Int
  let options: BenchOptions

  /// 22 characters of base58, as the server's ids are.
  private var id: String {
    let digits = "\(number + 1)".map { $0 == "0" ? "A" : $0 }
    return "Bench" + String(repeating: "z", count: 17 - digits.count) + String(digits)
  }

  /// The directory of the page's file; its images are in `_resources` beside it, as its links say.
  private var folder: String { "bm/\(id.prefix(2))/\(id)" }

  var bookmark: FakeReadeck.Bookmark {
    var bookmark = FakeReadeck.Bookmark(
      url: "https://example.org/articles/\(number)", title: "Article number \(number)", html: html)
    bookmark.id = id
    bookmark.authors = ["An Author"]
    bookmark.language = "en"
    // Twelve a day, so that ten thousand are of more than two years.
    bookmark.created = Date(timeIntervalSince1970: 1_672_531_200 + Double(number) * 7_200)
      .formatted(.iso8601)
    // The web server in front serves the bytes.
    bookmark.resources = (0..<options.images).map {
      FakeReadeck.Bookmark.Resource("\($0).jpg", "image/jpeg", [])
    }
    return bookmark
  }

  /// Writes the pictures and the article as files; returns their paths on the server.
  func write() throws -> [String] {
    let files = FileManager.default
    try files.createDirectory(
      atPath: "\(options.files)/\(folder)/_resources", withIntermediateDirectories: true)
    var paths = ["/\(folder)/article.html"]
    try Data(html.utf8).write(to: URL(filePath: "\(options.files)/\(folder)/article.html"))
    for image in 0..<options.images {
      let path = "\(folder)/_resources/\(image).jpg"
      try Data(picture(image)).write(to: URL(filePath: "\(options.files)/\(path)"))
      paths.append("/\(path)")
    }
    return paths
  }

  private var html: String {
    let sentence = "The quick brown fox of article \(number) jumps over the lazy dog, again. "
    let paragraph = "<p>" + String(repeating: sentence, count: 8) + "<em>And rests.</em></p>\n"
    let images = (0..<options.images).map {
      "<figure><img loading=\"lazy\" src=\"./_resources/\($0).jpg\" alt=\"Picture \($0)\">"
        + "<figcaption>Picture \($0)</figcaption></figure>\n" + paragraph
    }
    return "<section><h2>Part one</h2>\n\(paragraph)\(images.joined())\(prose)</section>"
  }

  /// As many words as requested, of 20,000 synthetic ones, few of them common and most rare.
  private var prose: String {
    guard options.words > 0 else { return "" }
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 7
    let words = (0..<options.words).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let uniform = Double(state >> 11) / Double(1 << 53)
      return BenchArticle.word(Int(uniform * uniform * uniform * 20_000))
    }
    return "<p>\(words.joined(separator: " "))</p>"
  }

  /// A pronounceable word of a number, another for each.
  private static func word(_ number: Int) -> String {
    let onsets = Array("bcdfghklmnprstvz")
    let vowels = Array("aeiou")
    var rest = number + 81
    var word = ""
    while rest > 0 {
      word.append(onsets[rest % 16])
      rest /= 16
      word.append(vowels[rest % 5])
      rest /= 5
    }
    return word
  }

  /// A file with the header of a JPEG picture and noise that does not compress.
  private func picture(_ image: Int) -> [UInt8] {
    var bytes: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 2, 0x58, 3, 0x20, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
    ]
    bytes.reserveCapacity(options.bytes)
    var state = UInt64(number * 1_000 + image) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    while bytes.count < options.bytes {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      withUnsafeBytes(of: state) { bytes += $0 }
    }
    return bytes
  }
}
