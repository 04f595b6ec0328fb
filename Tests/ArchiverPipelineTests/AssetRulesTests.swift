import ArchiverCore
import ArchiverMarkup
import Testing

@testable import ArchiverPipeline

@Suite struct AssetRulesTests {
  static let url = WebURL("https://example.org/a.png")

  static let starts: [([UInt8], ImageFormat)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (bytes("GIF89a"), .gif),
    (bytes("RIFF....WEBPVP8 "), .webp),
    (bytes("\u{0}\u{0}\u{0}\u{1C}ftypavif\u{0}\u{0}\u{0}\u{0}"), .avif),
    (bytes("\u{0}\u{0}\u{0}\u{1C}ftypmif1\u{0}\u{0}\u{0}\u{0}avif"), .avif),
    (bytes("<svg xmlns='x'>"), .svg),
    (bytes("\u{FEFF}<?xml version='1.0'?>\n<!-- drawn --><svg>"), .svg),
    (bytes("\u{FEFF}<?xml version='1.0'?>\n<!-- \(String(repeating: "0", count: 600)) -->"), .svg),
    (bytes("II*\u{0}"), .tiff),
  ]

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: starts)
  func `recognises an image by its first bytes`(bytes: [UInt8], format: ImageFormat) {
    #expect(ImageFormat(prefix: bytes) == format)
  }

  @Test(arguments: [
    "", "<html><body><svg></svg>", "<!doctype html><p>Log in</p>", "{\"error\":1}", "%PDF-1.7",
    "GIF", "text about <svg>", "<?xml version='1.0'?><!-- a page --><!DOCTYPE html><html>",
    "<!-- \(String(repeating: "0", count: 600)) --><html>",
  ])
  func `takes nothing else for an image`(text: String) {
    #expect(ImageFormat(prefix: Array(text.utf8)) == nil)
  }

  @Test func `reads the size from each header`() {
    let png = Array("\u{89}PNG".utf8.dropFirst()) + [UInt8](repeating: 0, count: 20)
    #expect(PixelSize(format: .png, prefix: png) == nil)
    let header: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
      + [0, 0, 3, 32, 0, 0, 1, 194]
    #expect(PixelSize(format: .png, prefix: header)?.width == 800)
    #expect(PixelSize(format: .png, prefix: header)?.height == 450)
    let gif = Array("GIF89a".utf8) + [0x20, 0x03, 0xC2, 0x01]
    #expect(PixelSize(format: .gif, prefix: gif)?.width == 800)
    #expect(PixelSize(format: .gif, prefix: gif)?.height == 450)
    // A start-of-image, an application segment, a fill byte, then a progressive frame.
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 17, 8, 1, 194, 3, 32, 3, 1, 1, 1]
    #expect(PixelSize(format: .jpeg, prefix: jpeg)?.width == 800)
    #expect(PixelSize(format: .jpeg, prefix: jpeg)?.height == 450)
    var webp = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8)
    webp += [10, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0x03, 0, 0xC1, 0x01, 0]
    #expect(PixelSize(format: .webp, prefix: webp)?.width == 800)
    #expect(PixelSize(format: .webp, prefix: webp)?.height == 450)
  }

  @Test func `reads the size from every form of a format`() {
    func size(_ format: ImageFormat, _ bytes: [UInt8]) -> [Int]? {
      PixelSize(format: format, prefix: bytes).map { [$0.width, $0.height] }
    }
    func webp(_ form: String, _ rest: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(form)".utf8) + [0, 0, 0, 0] + rest
    }
    // The upper two bits are the scale.
    let lossy: [UInt8] = [0, 0, 0, 0x9D, 1, 0x2A, 0x20, 0x43, 0xC2, 0x81]
    #expect(size(.webp, webp("VP8 ", lossy)) == [800, 450])
    let bits = 799 | 449 << 14 | 1 << 28
    let lossless = [0x2F] + (0..<4).map { UInt8(bits >> (8 * $0) & 255) } + [0, 0, 0, 0, 0]
    #expect(size(.webp, webp("VP8L", lossless)) == [800, 450])
    let extended: [UInt8] = [0, 0, 0, 0, 0x9F, 0x86, 0x01, 0, 0, 0]
    #expect(size(.webp, webp("VP8X", extended)) == [100_000, 1])
    #expect(size(.webp, webp("VP8X", [0, 0, 0, 0, 0xA0, 0x86, 0x01, 0, 0, 0])) == nil)
    #expect(size(.webp, webp("VP9 ", lossy)) == nil)
    #expect(size(.webp, webp("VP8 ", lossy).dropLast()) == nil)

    func bitmap(_ header: UInt8, _ height: Int32) -> [UInt8] {
      let number = UInt32(bitPattern: height)
      return Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [header, 0, 0, 0, 0x20, 3, 0, 0]
        + (0..<4).map { UInt8(number >> (8 * $0) & 255) }
    }
    #expect(size(.bmp, bitmap(40, 450)) == [800, 450])
    #expect(size(.bmp, bitmap(40, -450)) == [800, 450], "its lines come from the top")
    #expect(size(.bmp, bitmap(39, 450)) == nil)
    #expect(size(.bmp, bitmap(40, 0)) == nil)
    #expect(size(.bmp, bitmap(40, 450).dropLast()) == nil)

    let frame: [UInt8] = [0, 17, 8, 1, 194, 3, 32, 3, 1]
    for marker: UInt8 in [0xC0, 0xC1, 0xC2, 0xC3, 0xC9, 0xCF] {
      #expect(size(.jpeg, [0xFF, 0xD8, 0xFF, marker] + frame) == [800, 450], "\(marker)")
    }
    for marker: UInt8 in [0xC4, 0xC8, 0xCC, 0xBF, 0xDB] {
      let table: [UInt8] = [0xFF, marker, 0, 12, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9]
      let bytes: [UInt8] = [0xFF, 0xD8] + table + [0xFF, 0xC0] + frame
      #expect(size(.jpeg, bytes) == [800, 450], "\(marker)")
    }
    for marker: UInt8 in [0x01, 0xD0, 0xD7] {
      #expect(size(.jpeg, [0xFF, 0xD8, 0xFF, marker, 0xFF, 0xC0] + frame) == [800, 450])
    }
    #expect(size(.jpeg, [0xFF, 0xD8, 0, 0xC0] + frame) == nil)
    #expect(size(.jpeg, [0xFF, 0xD8, 0xFF, 0xC0] + frame.dropLast(2)) == nil)
    let png: [UInt8] = Array("12345678".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8)
    #expect(size(.png, png + [0, 1, 0x86, 0xA0, 0, 0, 0, 1]) == [100_000, 1])
    #expect(size(.png, png + [0, 1, 0x86, 0xA1, 0, 0, 0, 1]) == nil)
    #expect(size(.png, png + [0, 0, 0, 1, 0, 0, 0]) == nil)
    #expect(size(.gif, Array("GIF89a".utf8) + [1, 0, 1]) == nil)
  }

  @Test func `a broken header does not trap and has no absurd size`() {
    for format in ImageFormat.allCases {
      for count in 0..<40 {
        let largest = PixelSize(format: format, prefix: [UInt8](repeating: 0xFF, count: count))
        #expect((largest?.width ?? 1) <= 65_535)
        #expect(PixelSize(format: format, prefix: [UInt8](repeating: 0, count: count)) == nil)
      }
    }
  }

  @Test(
    arguments: [
      ("max-age=60", nil, 60.0), ("public, max-age=31536000, immutable", nil, 31_536_000),
      ("max-age=60", "20", 40), ("max-age=60", "90", nil), ("no-cache, max-age=60", nil, nil),
      ("no-store", nil, nil), ("max-age=0", nil, nil), ("max-age=\"60\"", nil, 60),
      ("max-age=nonsense", nil, nil), ("private", nil, nil), ("max-age=60", "-20", 60),
      ("max-age=60", "\(Int.min)", 60), ("max-age=\(Int.max)", "\(Int.min)", 315_360_000),
      ("max-age=1", nil, 1),
    ] as [(String, String?, Double?)])
  func `freshness follows Cache-Control and Age`(field: String, age: String?, seconds: Double?) {
    var headers: HTTPHeaders = ["Cache-Control": field]
    headers["Age"] = age
    let now = Date(timeIntervalSince1970: 1_000_000)
    #expect(Freshness.end(headers, now: now) == seconds.map { now.addingTimeInterval($0) })
  }

  @Test func `a signature is no part of what is remembered`() throws {
    func request(_ text: String) throws -> AssetRequest {
      AssetRequest(url: try #require(WebURL(text)), content: .image, limits: Limits())
    }
    func key(_ text: String) throws -> String { try request(text).cacheKey }
    #expect(
      try key("https://s3.example/a.png?X-Amz-Expires=3600&X-Amz-Signature=ab")
        == "https://s3.example/a.png")
    #expect(try key("https://cdn.example/a?token=s3cret&w=3") == "https://cdn.example/a?w=3")
    #expect(
      try key("https://cdn.example/show?id=7&Expires=9&Signature=ab&Key-Pair-Id=K&page=2#x")
        == "https://cdn.example/show?id=7&page=2")
    #expect(
      try key("https://x.example/a.png?sv=2024&se=2026&sr=b&sp=r&sig=ab%3D&api_key=s3cret")
        == "https://x.example/a.png")
    #expect(
      try key("https://cdn.example/resize?src=b.png&w=800#x")
        == "https://cdn.example/resize?src=b.png&w=800")
    // Records of earlier versions of the program name presigned files by the path.
    #expect(try request("https://cdn.example/a?sig=ab&w=3").formerKey == "https://cdn.example/a")
    #expect(try request("https://cdn.example/a?w=3").formerKey == nil)
  }

  @Test func `an HTML page in place of a file is refused`() throws {
    func kind(_ text: String, _ content: AssetRequest.Content) -> String {
      switch AssetKind(prefix: Array(text.utf8), content: content, mediaType: "image/png") {
      case .refused(let reason): reason
      case .unexpected(_, let type): "unexpected \(type)"
      case .file(let type): "file \(type)"
      case .image(let format): "image \(format)"
      case .svg: "svg"
      }
    }
    #expect(kind("<!DOCTYPE html><title>Log in", .image).contains("web page"))
    #expect(kind("<html>", .file(mediaType: "application/pdf")).contains("web page"))
    #expect(kind("<html>", .file(mediaType: "text/html")) == "file text/plain")
    #expect(kind("", .image).contains("empty"))
    #expect(kind("", .file(mediaType: nil)).contains("empty"))
    #expect(kind("hello", .image).contains("not an image"))
    #expect(kind("%PDF-1.4", .file(mediaType: "application/pdf")) == "file application/pdf")
    #expect(kind("GIF89a", .file(mediaType: nil)) == "image gif")
    // Messages of servers are not kept, and nothing gets a type that browsers run.
    #expect(kind("{\"error\":1}", .file(mediaType: "application/pdf")).contains("not a PDF"))
    #expect(kind("<svg onload='x()'>", .file(mediaType: "application/pdf")).contains("not a PDF"))
    #expect(
      kind("\u{7}\u{8}", .file(mediaType: "application/pdf"))
        == "unexpected application/octet-stream")
  }

  @Test(
    arguments: ["<b>x</b><script>y()</script>", "\u{FEFF}<?xml version='1.0'?>\n<x/>", " \n<!-- "]
  )
  func `a file that begins like a page is kept as text`(text: String) {
    func type(_ type: String, said: String = "") -> String? {
      let expected = type.isEmpty ? nil : type
      let kind = AssetKind(
        prefix: Array(text.utf8), content: .file(mediaType: expected), mediaType: said)
      return if case .file(let type) = kind { type } else { nil }
    }
    for name in ["", "application/gpx+xml", "application/x-thing", "text/markdown"] {
      #expect(type(name) == "text/plain", "\(name)")
    }
    #expect(type("", said: "application/x-unknown") == "text/plain")
    for name in ["text/csv", "application/json"] { #expect(type(name) == name) }
  }

  @Test func `a FictionBook stays one unless something in it could act`() {
    let name = "http://www.gribuser.ru/xml/fictionbook/2.0"
    let book =
      "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<FictionBook xmlns=\"\(name)\" "
      + "xmlns:l=\"http://www.w3.org/1999/xlink\"><body><p>Text <a l:href=\"#n\">1</a></p></body>"
      + "</FictionBook>"
    func type(_ text: String) -> String {
      let bytes = Array(text.utf8)
      guard FileMagic.isFictionBook(bytes, FictionBook.mediaType) else { return "none" }
      return FictionBook.keptType(bytes)
    }
    #expect(FileMagic.keptType(Array(book.utf8), mediaType: "x/y") == FictionBook.mediaType)
    #expect(type(book) == FictionBook.mediaType)
    #expect(FileExtension.of(mediaType: FictionBook.mediaType, name: nil) == "fb2")
    let script = "<s:script xmlns:s=\"http://www.w3.org/1999/xhtml\"/>"
    #expect(type(book.replacing("<body>", with: "<body>\(script)")) == "text/plain")
    #expect(
      type(book.replacing("<FictionBook", with: "<?xml-stylesheet ?><FictionBook")) == "text/plain")
    #expect(type(book.replacing("</p>", with: "")) == "text/plain")
    #expect(type(book.replacing("</p>", with: "&x;</p>")) == "text/plain")
    #expect(type("<!-- -->" + book) == "none")
  }

  @Test(
    arguments: [
      ("application/pdf", nil, "pdf"), ("application/x-unknown", "book.AZW3", "azw3"),
      ("application/octet-stream", "feed.rss", "bin"), ("text/xml", "map.rdf", "bin"),
      ("application/octet-stream", "evil.html", "bin"),
      ("application/octet-stream", "a.svg", "bin"),
      ("application/octet-stream", "../../x.p/df", "bin"),
      ("application/octet-stream", "x.php", "bin"),
      ("text/html", "page.html", "bin"), ("application/octet-stream", "noending", "bin"),
      ("application/octet-stream", "a.ending-too-long-to-be-true", "bin"),
    ] as [(String, String?, String)])
  func `a file's ending is known or plain`(type: String, name: String?, ending: String) {
    #expect(FileExtension.of(mediaType: type, name: name) == ending)
  }

  @Test func `an item that lost its text or became an error page is worse`() {
    #expect(Regression.reason(oldWords: 500, newWords: 0) != nil)
    #expect(Regression.reason(oldWords: 540, newWords: 13) != nil)
    #expect(Regression.reason(oldWords: 500, newWords: 124) != nil)
    #expect(Regression.reason(oldWords: 500, newWords: 125) == nil)
    #expect(Regression.reason(oldWords: 500, newWords: 480) == nil)
    #expect(Regression.reason(oldWords: 0, newWords: 0) == nil)
    #expect(Regression.reason(oldWords: 20, newWords: 4) == nil)
  }

  @Test func `retries wait longer each time, at most a week`() {
    let now = Date(timeIntervalSince1970: 0)
    let hours = (1...12).map {
      Int(RetrySchedule.next(attempts: $0, now: now).timeIntervalSince1970) / 3_600
    }
    #expect(hours == [1, 2, 4, 8, 16, 32, 64, 128, 168, 168, 168, 168])
  }
}
