import ArchiverCore
import ArchiverExport
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Testing

/// Images that not every browser shows, and placeholder images.
@Suite struct PictureFormatTests {
  private static func file(_ head: [UInt8]) -> ServerResponse {
    .data(head + [UInt8](repeating: 7, count: 600), type: "image/jpeg")
  }

  private static func boxes(_ brand: String) -> [UInt8] {
    [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0] + Array("mif1\(brand)".utf8)
  }

  private static let rare: [(head: [UInt8], ending: String, type: String, name: String)] = [
    (boxes("heic"), "heic", "image/heic", "HEIC"),
    ([0xFF, 0x0A, 0x01], "jxl", "image/jxl", "JPEG XL"),
    (
      [0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], "jxl", "image/jxl", "JPEG XL"
    ),
    (
      [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], "jp2", "image/jp2", "JPEG 2000"
    ),
    ([0x49, 0x49, 0x2A, 0], "tiff", "image/tiff", "TIFF"),
  ]

  private func article(_ html: String) -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.id = "one"
    item.html = html
    source.set(item)
    return source
  }

  @Test(arguments: rare.indices)
  func `an image that not every browser shows is kept with a link and never broken`(
    _ number: Int
  ) async throws {
    let (head, ending, type, name) = PictureFormatTests.rare[number]
    let source = article("<p>Words before it.</p><img src=/odd alt='A dune'>")
    source.picture("/odd", PictureFormatTests.file(head))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      let asset = try #require(try bench.files("one").first)
      #expect(asset.hasSuffix(".\(ending)"))
      let page = try bench.page("one")
      #expect(page.contains("<source srcset=\"\(asset)\" type=\"\(type)\"><img alt=\"A dune\">"))
      #expect(page.contains("<a href=\"\(asset)\">\(name)</a>"))
      #expect(!page.contains("<img src=\"\(asset)"))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `where another address has an image that every browser shows, that one is taken`()
    async throws
  {
    let source = article("<p>Words.</p><img srcset='/odd 2x' src=/plain.gif alt=x>")
    source.picture("/odd", PictureFormatTests.file([0xFF, 0x0A, 0x01]))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let files = try bench.files("one")
      #expect(files.count == 1 && files[0].hasSuffix(".gif"))
    }
  }

  private static let pixel =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x2C]
    + [UInt8](repeating: 0, count: 30)

  @Test func `an image of one pixel is left out, counted, and stays so when pages are rebuilt`()
    async throws
  {
    let source = article("<p>Words.</p><img src=/open.png><img src=/seen.gif alt=x>")
    source.picture("/open.png", .data(PictureFormatTests.pixel, type: "image/gif"))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      #expect(try bench.files("one").count == 1)
      let record = try bench.text("one", "item.json").filter { !$0.isWhitespace }
      #expect(record.contains("\"pixel\":1"))
      let page = try bench.page("one")
      #expect(!page.contains("class=\"missing-image"))
      try bench.makeOlder("one") { $0.replacing("Words.", with: "") }
      let rendered = try await bench.render(["one"])
      #expect(rendered.written == 1)
      #expect(try bench.page("one") == page)
    }
  }

  private static let blankDrawing =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'%3E%3C/svg%3E"

  @Test(arguments: ["/open.png", blankDrawing])
  func `where only a placeholder is left of an image, its words stay`(
    address: String
  ) async throws {
    let source = article(
      "<p>Words.</p><img src=\"\(address)\" alt=\"A bridge at dawn\"><img src=\"\(address)\">")
    source.picture("/open.png", .data(PictureFormatTests.pixel, type: "image/gif"))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      #expect(try bench.files("one").isEmpty)
      let record = try bench.text("one", "item.json").filter { !$0.isWhitespace }
      #expect(record.contains("\"pixel\":2"))
      let page = try bench.page("one")
      #expect(page.contains(">A bridge at dawn</span>"))
      #expect(page.ranges(of: "class=\"missing-image").count == 1)
    }
  }

  @Test func `an image that failed is missing although its placeholder is there`() async throws {
    // An address of this length is not taken for a placeholder.
    let blank = PictureFormatTests.blankDrawing.replacing(
      "%3C/svg", with: String(repeating: "%20", count: 400) + "%3C/svg")
    let source = article("<p>Words.</p><img srcset='/gone.png 2x' src=\"\(blank)\" alt=x>")
    source.picture("/gone.png", ServerResponse(404))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 1)
      #expect(try bench.page("one").contains("404 Not Found"))
    }
  }

  @Test func `the next address is taken where the first holds a place only`() async throws {
    let source = article("<p>Words.</p><img srcset='/holds.png 2x' src=/seen.gif alt=x>")
    source.picture("/holds.png", .data(PictureFormatTests.pixel, type: "image/gif"))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      let page = try bench.page("one")
      #expect(page.contains("width=\"4\" height=\"3\""))
    }
  }

  @Test func `a book counts the images that readers of EPUB need not show`() async throws {
    let source = article(
      "<p>Words.</p><img src=/new alt=new><img src=/odd alt=odd><img src=/plain.gif alt=x>")
    source.picture("/new", PictureFormatTests.file(PictureFormatTests.boxes("avif")))
    source.picture("/odd", PictureFormatTests.file([0xFF, 0x0A, 0x01]))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let root = bench.archive.path
      let path = root + "/.archiver/book.epub"
      let outcome = try BookExport(root: root).write(
        [try bench.item("one")], title: nil, to: path)
      #expect(outcome.pictures == 1 && outcome.leftPictures == 2)
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }
}
