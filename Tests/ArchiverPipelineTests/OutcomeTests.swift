import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// The missing parts of an item determine its outcome in the run, the queue and the catalog.
@Suite struct OutcomeTests {
  private static func book(_ type: String, _ ending: String) -> ScriptedSource.Item {
    var item = ScriptedSource.Item(id: "b", title: "A Book", html: "<p>About it.</p>")
    item.kind = .book
    if let url = WebURL(ScriptedSource.origin + "/file.\(ending)") {
      item.attachments = [
        Attachment(.file, .remote(url), name: "a.\(ending)", mediaType: type)
      ]
    }
    return item
  }

  private static let types = [
    ("application/epub+zip", "epub"), ("application/pdf", "pdf"), ("application/x-cbz", "cbz"),
    ("application/x-cbr", "cbr"), ("application/x-mobipocket-ebook", "mobi"),
    ("application/x-mobi8-ebook", "azw3"), ("image/vnd.djvu", "djvu"), ("application/rtf", "rtf"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
  ]

  private static let wrong: [(name: String, bytes: [UInt8], type: String)] = [
    ("login page", Array("<!DOCTYPE html><form>Log in</form>".utf8), "text/html"),
    ("login page as a book", Array("\n <html><head></head>".utf8), "application/octet-stream"),
    ("empty", [], "application/octet-stream"),
    ("JSON", Array("{\"error\":\"no\"}".utf8), "application/json"),
    ("picture", ScriptedSource.gif("/x"), "image/gif"),
    ("zeros", Array(repeating: 0, count: 3_000), "application/octet-stream"),
    ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "application/gzip"),
    ("text", Array("temporarily out of order".utf8), "text/plain"),
  ]

  @Test(arguments: types.indices, wrong.indices)
  func `a book whose file is something else has failed, and is requested again`(
    type: Int, wrong: Int
  ) async throws {
    let (mediaType, ending) = Self.types[type]
    let source = ScriptedSource()
    source.set(Self.book(mediaType, ending))
    source.picture(
      "/file.\(ending)", .data(Self.wrong[wrong].bytes, type: Self.wrong[wrong].type))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failed.map(\.id) == ["b"], "\(ending): \(Self.wrong[wrong].name)")
      #expect(report.failed.first?.isBookWithoutFile == true)
      let key = ItemKey(source: "scripted", id: "b")
      let item = try #require(try bench.archive.catalog.item(key))
      #expect(item.completeness == .failed)
      #expect(ItemStatus(item, try bench.archive.catalog.queueState(key)) == .failed)
      let failures = try bench.archive.catalog.failures(source: nil)
      let failure = try #require(failures.first)
      #expect(failure.work.failure?.contains("the file is missing") == true)
      #expect(!failure.work.gaveUp)
      #expect(try bench.page("b").contains("The file"))
      #expect(try bench.archive.catalog.sources().first?.failing == 1)
      // Bytes that are no message of the server are kept, once.
      let kept = ["picture", "zeros", "gzip", "text"].contains(Self.wrong[wrong].name)
      let folder = "\(bench.archive.path)/\(item.folder)/unexpected"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      #expect(files.count == (kept ? 1 : 0), "\(ending): \(Self.wrong[wrong].name)")
      for file in files {
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)")
        #expect(bytes.map(Array.init) == Self.wrong[wrong].bytes)
        let page = try bench.page("b")
        #expect(page.contains("Sent instead of") && !page.contains(">Read</a>"))
      }
    }
  }

  private static let docx =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

  private static let fb2 = "http://www.gribuser.ru/xml/fictionbook/2.0"

  /// Whole files of the formats that are kept without being opened.
  private static let wholeFiles: [(type: String, bytes: [UInt8])] = {
    let filler = [UInt8](repeating: 0x31, count: 70_000)
    // 40 records of 2,000 bytes.
    var palm = [UInt8](repeating: 0, count: 60) + Array("BOOKMOBI".utf8)
    palm += [UInt8](repeating: 0, count: 8) + [0, 40]
    for record in 0..<40 {
      let offset = 398 + record * 2_000
      palm += [0, UInt8(offset >> 16), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF), 0, 0, 0, 0]
    }
    palm += [UInt8](repeating: 0x31, count: 80_000)
    let size = filler.count
    let iff = [0, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)]
    return [
      (
        "application/pdf", Array("%PDF-1.7\n".utf8) + filler + Array("\nstartxref\n9\n%%EOF\n".utf8)
      ),
      (
        "application/fb2+xml",
        Array("<?xml version=\"1.0\"?><FictionBook xmlns=\"\(fb2)\"><body><p>".utf8) + filler
          + Array("</p></body></FictionBook>\n".utf8)
      ),
      ("application/x-mobipocket-ebook", palm), ("application/x-mobi8-ebook", palm),
      ("image/vnd.djvu", Array("AT&TFORM".utf8) + iff + filler),
      ("application/rtf", Array("{\\rtf1 ".utf8) + filler + Array("}\r\n\0".utf8)),
      (docx, [0x50, 0x4B, 3, 4] + filler + [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)),
    ]
  }()

  @Test(arguments: wholeFiles.indices, [nil, 0.5, 0.97, 0.002])
  func `a file whose end was not received has failed, and does not replace a whole one`(
    file: Int, share: Double?
  ) async throws {
    let (type, bytes) = Self.wholeFiles[file]
    let cut = share.map { Array(bytes.prefix(Int(Double(bytes.count) * $0))) } ?? bytes
    let source = ScriptedSource()
    source.set(Self.book(type, "bin"))
    source.picture("/file.bin", .data(cut, type: type))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.isWhole == (share == nil), "\(type): \(report.failed)")
      let item = try bench.item("b")
      #expect(item.completeness == (share == nil ? .complete : .failed))
      if share != nil {
        #expect(report.failed.first?.message.contains("truncated") == true)
        #expect(report.failed.first?.isBookWithoutFile == true)
      }
      #expect(try Self.files(bench, "b") == [cut], "what was received is kept")
    }
    try await Bench.with(source) { bench in
      source.picture("/file.bin", .data(bytes, type: type))
      #expect(try await bench.run().isWhole)
      source.change("b") { $0.revision = "2" }
      source.picture("/file.bin", .data(cut, type: type))
      let second = try await bench.run { $0.force = true }
      #expect(second.isWhole == (share == nil))
      #expect(try Self.files(bench, "b") == [bytes])
    }
  }

  private static func files(_ bench: Bench, _ id: String) throws -> [[UInt8]] {
    let folder = "\(bench.archive.path)/\(try bench.item(id).folder)/assets"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      FileManager.default.contents(atPath: "\(folder)/\($0)").map(Array.init)
    }
  }

  @Test func `a book that is half a ZIP file has failed and comes whole later`() async throws {
    let source = ScriptedSource()
    source.set(Self.book("application/epub+zip", "epub"))
    let whole = SampleBook([]).bytes
    source.picture(
      "/file.epub", .data(Array(whole.prefix(whole.count / 2)), type: "application/epub+zip"))
    try await Bench.with(source) { bench in
      let first = try await bench.run()
      #expect(first.failed.first?.isBookWithoutFile == true)
      source.picture("/file.epub", .data(whole, type: "application/epub+zip"))
      bench.advance(hours: 2)
      #expect(try await bench.run().isWhole)
      #expect(try bench.page("b").contains("book/text"))
      #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
    }
  }

  @Test func `what was sent instead of a book leaves without a version when the book comes`()
    async throws
  {
    let source = ScriptedSource()
    var book = Self.book("application/epub+zip", "epub")
    book.attachments[0].revision = "1"
    source.set(book)
    source.picture(
      "/file.epub", .data(Array(repeating: 7, count: 200), type: "application/epub+zip"))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().failed.count == 1)
      bench.advance(hours: 2)
      #expect(try await bench.run().failed.count == 1, "nothing changed")
      source.picture("/file.epub", .data(SampleBook([]).bytes, type: "application/epub+zip"))
      bench.advance(hours: 30)
      #expect(try await bench.run().isWhole)
      let item = try bench.item("b")
      #expect(item.versions == [])
      #expect(
        !FileManager.default.fileExists(
          atPath: "\(bench.archive.path)/\(item.folder)/unexpected"))
      // It does not take the place of the book that is there.
      source.picture(
        "/file.epub", .data(Array(repeating: 8, count: 200), type: "application/epub+zip"))
      book.revision = "2"
      book.attachments[0].revision = "2"
      source.set(book)
      bench.advance(hours: 24)
      let report = try await bench.run()
      #expect(report.failed.map(\.id) == ["b"])
      #expect(try bench.page("b").contains("book/text"))
    }
  }

  @Test(arguments: [500, 404, 403, 200])
  func `a changed book whose file is not given has failed, and is requested again`(
    status: Int
  ) async throws {
    let source = ScriptedSource()
    var book = Self.book("application/epub+zip", "epub")
    book.attachments[0].revision = "1"
    source.set(book)
    func answer(_ bytes: [UInt8]) -> ServerResponse {
      // Fresh for longer than the test: only a changed revision or a retry requests it again.
      ServerResponse(
        200, headers: ["Content-Type": "application/epub+zip", "Cache-Control": "max-age=9999999"],
        body: .bytes(bytes))
    }
    source.picture("/file.epub", answer(SampleBook([]).bytes))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().isWhole)
      book.revision = "2"
      book.attachments[0].revision = "2"
      source.set(book)
      source.picture(
        "/file.epub",
        status == 200
          ? .text("<!DOCTYPE html><form>Log in</form>", type: "text/html") : ServerResponse(status))
      for _ in 0..<2 {
        bench.advance(hours: 24)
        let report = try await bench.run()
        #expect(report.failed.map(\.id) == ["b"])
        #expect(try bench.page("b").contains("book/text"))
      }
      source.picture(
        "/file.epub", answer(SampleBook([("more.xhtml", SampleBook.page)]).bytes))
      bench.advance(hours: 72)
      #expect(try await bench.run().isWhole)
      #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
      #expect(bench.requests("/file.epub") == 4)
    }
  }

  @Test func `a ZIP file with a word of HTML in its beginning is a book`() throws {
    let prefix = Array("PK\u{3}\u{4}".utf8) + Array("xx<html><head><title>".utf8)
    let kind = AssetKind(
      prefix: prefix, content: .file(mediaType: "application/epub+zip"), mediaType: "")
    guard case .file("application/epub+zip") = kind else {
      Issue.record("refused: \(kind)")
      return
    }
  }

  @Test func `an attached page is kept as text`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(1, pictures: 0)
    item.attachments = [
      Attachment(
        .file, .remote(try #require(WebURL(ScriptedSource.origin + "/report"))),
        name: "report.html")
    ]
    source.set(item)
    source.picture("/report", .data(Array("<html><p>Figures".utf8), type: "text/html"))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.isWhole)
      #expect(try bench.page("item1").contains(".txt\""))
    }
  }

  @Test func `images that the source's own server does not give are a failure`() async throws {
    let source = ScriptedSource(count: 2)
    source.picture("/pic/0-0.gif", ServerResponse(500))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 2)
      #expect(report.failed.map(\.id) == ["item0"])
      #expect(!report.isWhole)
      #expect(
        try bench.archive.catalog.runs(source: "scripted", limit: 1).first?.outcome == .partial)
    }
  }

  @Test func `failures have titles although the listing names none`() async throws {
    let source = ScriptedSource(count: 2)
    source.state.withLock { $0.namesTitles = false }
    source.picture("/pic/0-0.gif", ServerResponse(500))
    source.change("item1") { $0.error = AdapterError(.malformed, "it is broken") }
    try await Bench.with(source) { bench in
      for _ in 0..<2 {
        _ = try await bench.run()
        let titles = try bench.archive.catalog.failures(source: nil).map(\.work.reference.title)
        // Nothing is known of an item that never came.
        #expect(Set(titles) == ["Article 0", ""])
      }
    }
  }

  @Test(arguments: [500, 200])
  func `an image that may have changed and is not given is requested again`(
    status: Int
  ) async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(
      id: "a", title: "An Article",
      html: "<p>Words.</p><img src=\"\(ScriptedSource.origin)/p.gif\">")
    source.set(item)
    try await Bench.with(source) { bench in
      #expect(try await bench.run().isWhole)
      let before = try bench.page("a")
      item.revision = "2"
      item.html = "<p>Other words.</p><img src=\"\(ScriptedSource.origin)/p.gif\">"
      source.set(item)
      source.picture(
        "/p.gif",
        status == 200 ? .text("<html>Log in", type: "text/html") : ServerResponse(status))
      for _ in 0..<2 {
        bench.advance(hours: 24)
        #expect(try await !bench.run().isWhole)
        #expect(try bench.page("a").contains("Other words"))
        #expect(try bench.page("a").contains("assets/"), "the earlier image is shown")
        #expect(try bench.item("a").completeness == .failed)
      }
      source.picture("/p.gif", .data(ScriptedSource.gif("/other"), type: "image/gif"))
      bench.advance(hours: 72)
      #expect(try await bench.run().isWhole)
      #expect(try bench.item("a").completeness == .complete)
      let after = try bench.page("a")
      #expect(Self.images(before).isDisjoint(with: Self.images(after)))
    }
  }

  private static func images(_ page: String) -> Set<Substring> {
    Set(page.split(separator: "\"").filter { $0.hasPrefix("assets/") })
  }

  @Test func `an image of another host is no failure, and is requested again`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.html =
        "<p>" + String(repeating: "word ", count: 80)
        + "</p><img src=\"http://elsewhere.example/a.gif\">"
    }
    source.picture("/a.gif", ServerResponse(503))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.isWhole)
      #expect(report.losses.completeness == .incomplete)
      let key = ItemKey(source: "scripted", id: "item0")
      let item = try #require(try bench.archive.catalog.item(key))
      #expect(ItemStatus(item, try bench.archive.catalog.queueState(key)) == .incomplete)
      bench.advance(hours: 3)
      let second = try await bench.run()
      #expect(second.isWhole)
      #expect((second.archived, second.unchanged) == (0, 1))
      #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
    }
  }

  @Test func `what the source's own server says is gone is requested again`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(404))
    try await Bench.with(source) { bench in
      let first = try await bench.run()
      #expect(first.failed.count == 1)
      source.picture("/pic/0-0.gif", nil)
      bench.advance(hours: 2)
      #expect(try await bench.run().isWhole)
      #expect(bench.requests("/pic/0-0.gif") == 2)
    }
  }

  @Test func `a part that the adapter could not read is a failure and is told`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.missing = [MissingPart(.children, name: "a toggle", reason: "the server answered 500")]
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failed.first?.message.contains("a part of the page is missing") == true)
      #expect(try bench.page("item0").contains("A part of the page (a toggle) is missing"))
      #expect(try bench.text("item0", "item.json").contains("\"children\""))
      source.change("item0") { $0.missing = [] }
      bench.advance(hours: 2)
      #expect(try await bench.run().isWhole)
      #expect(try !bench.page("item0").contains("toggle"))
    }
  }

  @Test func `what the sanitiser leaves out is counted in the record`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.html = "<p>Words</p><script>x()</script><script>y()</script><form><input name=a></form>"
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.isWhole)
      let text = try bench.text("item0", "item.json")
      #expect(text.contains("\"leftOut\" : {"))
      #expect(text.contains("\"script\" : 2"))
    }
  }
}
