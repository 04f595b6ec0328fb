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
