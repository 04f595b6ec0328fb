import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// Reading comics: two pages in wide windows, fitting and turning pages.
@Suite struct ComicReadingTests {
  /// The start of a PNG, with its size.
  private static func png(_ width: Int, _ height: Int) -> [UInt8] {
    func big(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + big(width) + big(height) + [8, 2, 0, 0, 0] + Array(repeating: 0, count: 40)
  }

  /// A JPEG's segments, with one of this many bytes before its frame header.
  private static func jpeg(_ width: Int, _ height: Int, before count: Int) -> [UInt8] {
    let length = count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
      + Array(repeating: 0xFF, count: count) + [0xFF, 0xFF, 0xC2, 0, 17, 8]
      + [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
      + Array(repeating: 0, count: 30)
  }

  @Test(arguments: [0, 3, 65_000])
  func `the size of a JPEG is read behind long segments`(count: Int) throws {
    var files = (1...4).map { (name: "\($0).png", bytes: Self.png(800, 1_200)) }
    files[1] = ("2.jpg", Self.jpeg(3_000, 2_000, before: count))
    let sink = try ComicTests.convert(try ArchiveSamples.archive(files, format: "zip")).1
    #expect(!sink.text("text/0002.html").contains("sheet pair"))
    #expect(sink.text("text/0003.html").contains("sheet pair"))
    #expect(sink.files["assets/0002.jpg"] == files[1].bytes)
  }

  @Test func `the cover is alone, then two and two, and double pages alone`() {
    let isAlone = [false, false, false, false, true, false, false, true, true, false]
    let spreads = PageSpreads(isAlone.map { $0 ? .alone : .next })
    #expect(spreads.spreads == [0..<1, 1..<3, 3..<4, 4..<5, 5..<7, 7..<8, 8..<9, 9..<10])
    #expect(spreads.spread(of: 2) == 1..<3)
    #expect(spreads.first(1, from: 1) == 3 && spreads.first(1, from: 2) == 3)
    #expect(spreads.first(-1, from: 2) == 0 && spreads.first(-1, from: 0) == nil)
    #expect(spreads.first(1, from: 9) == nil)
    #expect(PageSpreads([]).spreads.isEmpty)
  }

  private static func comic(
    _ sizes: [(Int, Int)], info: String = ""
  ) throws -> MemorySink {
    var files: [ArchiveSamples.File] = sizes.enumerated().map { index, size in
      ("p\(index + 1).png", png(size.0, size.1))
    }
    if !info.isEmpty { files.append(("ComicInfo.xml", Array(info.utf8))) }
    return try ComicTests.convert(try ArchiveSamples.archive(files, format: "zip")).1
  }

  @Test func `wide windows show two pages and turn both`() throws {
    let sink = try Self.comic(Array(repeating: (800, 1_200), count: 5))
    let third = sink.text("text/0003.html")
    #expect(
      third.contains(
        "<img class=\"page other\" src=\"../assets/0002.png\" alt=\"Page 2\" loading=\"lazy\"><img class=\"page\" src=\"../assets/0003.png\" alt=\"Page 3\">"
      ))
    let turns = third.split(separator: "<span class=\"turn ").dropFirst().map {
      String($0.prefix { $0 != "\"" }) + ":"
        + $0.split(separator: "href=\"").dropFirst().prefix(2).map { $0.prefix { $0 != "\"" } }
        .joined(separator: " ")
    }
    #expect(turns.prefix(2) == ["narrow:0002.html 0004.html", "wide:0001.html 0004.html"])
    let second = sink.text("text/0002.html")
    #expect(second.contains("<a class=\"zone right wide\" href=\"0004.html\" rel=\"next\""))
    #expect(second.contains("<a class=\"zone left narrow\" href=\"0001.html\" rel=\"prev\""))
    #expect(!sink.text("text/0001.html").contains("page other"))
    #expect(sink.text("text/0005.html").contains("0004.png"), "the last two are a pair")
  }

  @Test func `a double page is shown alone, by its size or by metadata`() throws {
    let tall = (800, 1_200)
    let bySize = try Self.comic([tall, tall, (1_600, 1_200), tall, tall])
    for page in 1...3 { #expect(!bySize.text("text/000\(page).html").contains("page other")) }
    #expect(bySize.text("text/0004.html").contains("0005.png"))
    let said = try Self.comic(
      [tall, tall, tall, tall, tall],
      info:
        "<ComicInfo><Pages><Page Image=\"2\" DoublePage=\"true\"/></Pages></ComicInfo>")
    #expect(!said.text("text/0002.html").contains("page other"))
    #expect(said.text("text/0004.html").contains("0005.png"))
  }

  @Test func `a manga has its first page on the right and the next on the left`() throws {
    let sink = try Self.comic(
      Array(repeating: (800, 1_200), count: 3),
      info: "<ComicInfo><Manga>YesAndRightToLeft</Manga></ComicInfo>")
    let page = sink.text("text/0002.html")
    #expect(page.contains("<div class=\"sheet pair backwards\" dir=\"ltr\">"))
    #expect(page.contains("<body data-next=\"left\">"))
    #expect(page.contains("<a class=\"zone left narrow\" href=\"0003.html\" rel=\"next\""))
    #expect(sink.text("style/page.css").contains(".backwards { flex-direction: row-reverse; }"))
  }

  @Test func `images can be fitted to width and height without script`() throws {
    let page = try Self.comic([(800, 1_200)]).text("text/0001.html")
    for place in ["fit-width", "fit-height"] {
      #expect(page.contains("id=\"\(place)\"") && page.contains("href=\"#\(place)\""))
      #expect(BookStyle.sheet.contains("#\(place):target"))
    }
  }

  @Test func `a page that leads to a file is not covered by ways to other pages`() throws {
    let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0] + Array(repeating: 0, count: 60)
    let sink = try ComicTests.convert(
      try ArchiveSamples.archive(
        [("1.png", Self.png(8, 9)), ("2.tif", tiff), ("3.png", Self.png(8, 9))], format: "zip")
    ).1
    let page = sink.text("text/0002.html")
    #expect(page.contains("TIFF") && !page.contains("class=\"zone"))
  }

  @Test func `a long strip is not shown whole, and stands alone`() throws {
    let sink = try Self.comic([(800, 1_200), (800, 6_000), (800, 6_000), (800, 1_200)])
    for number in [2, 3] {
      let page = sink.text("text/000\(number).html")
      #expect(page.contains("class=\"sheet strip\"") && !page.contains("page other"))
    }
    #expect(!sink.text("text/0001.html").contains("strip"))
  }
}
