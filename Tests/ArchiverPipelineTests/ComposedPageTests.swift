import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// What pages, records and the library show of an item's files.
@Suite struct ComposedPageTests {
  private static func attachment(
    _ role: ArchiverCore.Attachment.Role, _ path: String, caption: String? = nil
  ) throws -> ArchiverCore.Attachment {
    let url = try #require(WebURL(ScriptedSource.origin + path))
    return Attachment(role, .remote(url), name: "f.gif", caption: caption)
  }

  /// Returns the section of a page that lists files.
  private func files(_ page: String) throws -> Substring {
    let start = try #require(page.firstRange(of: "<section class=\"after files\"")).lowerBound
    let end = try #require(page[start...].firstRange(of: "</section>")).lowerBound
    return page[start..<end]
  }

  @Test(arguments: [false, true])
  func `a book's own cover is shown if its text has no images, and in lists`(
    hasImages: Bool
  ) async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: hasImages ? 1 : 0)
    item.kind = .book
    let book = SampleBook(
      [("c.gif", ScriptedSource.gif("/c"))], metadata: "<meta name=\"cover\" content=\"c.gif\"/>")
    item.attachments = [
      Attachment(.file, .inline(book.bytes), name: "a.epub", mediaType: "application/epub+zip")
    ]
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      #expect(page.contains("<figure class=\"cover\">") == !hasImages)
      let thumbnail = try #require(try bench.item("item0").thumbnail)
      #expect(thumbnail.path.hasPrefix("book/assets/"))
      #expect(thumbnail.width == nil && thumbnail.height == nil)
    }
  }

  @Test func `of two attached images with the same bytes the first has its caption shown`()
    async throws
  {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.kind = .photo
    item.attachments = [
      try Self.attachment(.image, "/photo.gif", caption: "First"),
      try Self.attachment(.image, "/photo.gif", caption: "Second"),
    ]
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      let start = try #require(page.firstRange(of: "<figure class=\"cover\">")).upperBound
      #expect(page[start...].prefix(300).contains("alt=\"First\""))
      #expect(!page.contains("<section class=\"after files\""))
    }
  }

  @Test func `only files, and images that the page does not show, are listed as files`()
    async throws
  {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.kind = .photo
    item.attachments = [
      try Self.attachment(.icon, "/icon.gif"), try Self.attachment(.cover, "/cover.gif"),
      try Self.attachment(.image, "/photo.gif"), try Self.attachment(.image, "/other.gif"),
      try Self.attachment(.file, "/file.gif"),
    ]
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let section = try files(try bench.page("item0"))
      for (path, isListed) in [
        ("/icon.gif", false), ("/cover.gif", false), ("/photo.gif", false), ("/other.gif", true),
        ("/file.gif", true),
      ] {
        let name = Digest.sha256Hex(ScriptedSource.gif(path)).prefix(16)
        #expect(section.contains("<a href=\"assets/\(name).gif\"") == isListed, "\(path)")
      }
    }
  }

  @Test func `a file that was fetched is listed with its URL, one that came with the item without`()
    async throws
  {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.attachments = [
      try Self.attachment(.file, "/file.gif?w=1&sig=secret"),
      Attachment(.file, .inline([1, 2, 3]), name: "own.bin", mediaType: "x/y"),
    ]
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      let section = try files(page)
      #expect(section.contains("http://source.example/file.gif?w=1</bdi>"))
      #expect(section.ranges(of: "<bdi>").count == 3 && !section.contains("<bdi></bdi>"))
      #expect(!page.contains("secret"))
    }
  }

  @Test func `a record has no empty lists of what was left out`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      let json = Array(try bench.text("item0", ItemRecord.fileName).utf8)
      let record = try ItemRecord(json: json, path: "")
      #expect(record.leftOut?["pixel"] == nil)
      #expect(record.pixels == nil && record.remarks == nil && record.addresses == nil)
      #expect(record.missing == [] && record.images.count == 1)
    }
  }

  @Test func `the library of a run has the words of its pages`() async throws {
    let source = ScriptedSource()
    let bodies = [
      "rare": "<p>Before</p><img src='/odd' alt='A dune'><p>after</p>",
      "film": "<p>See</p><video src='/film.mp4' poster='/poster.gif'></video><p>end</p>",
      "link": "<p><a href='https://a:b@x.test/'>https://ann:pass@x.test/</a></p>",
      "wordless": "<p>Before</p><img src='/gone.gif' alt=''><p>after</p>",
    ]
    for (id, html) in bodies {
      source.set(ScriptedSource.Item(id: id, title: "The \(id) one", html: html, date: Date()))
    }
    let film = try Self.attachment(.file, "/film.mp4")
    source.change("film") { $0.attachments = [film] }
    source.picture(
      "/odd", .data([0xFF, 0x0A, 0x01] + [UInt8](repeating: 7, count: 600), type: "image/jxl"))
    source.picture(
      "/film.mp4", .data([0, 0, 0, 24] + Array("ftypmp42 film".utf8), type: "video/mp4"))
    source.picture("/gone.gif", ServerResponse(404))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let texts = try bench.libraryTexts()
      #expect(!texts.joined().contains("ann:pass"))
      _ = try LibraryBuilder(root: bench.archive.path, catalog: bench.archive.catalog).rebuild()
      #expect(try bench.libraryTexts() == texts)
    }
  }
}

/// What a clean-up and the rebuilding of pages leave.
@Suite struct CleanUpTests {
  @Test func `a removed item leaves the library and is not fetched again until it changes`()
    async throws
  {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.library("../index.html").contains("Article 0"))
      let key = try bench.item("item0").key
      let retention = Retention(RetentionPolicy(keep: 1))
      let plan = try retention.plan(bench.archive.catalog)
      #expect(plan.items.map(\.key) == [key])
      let library = LibraryBuilder(root: bench.archive.path, catalog: bench.archive.catalog)
      _ = try retention.carryOut(plan, in: bench.archive, library: library)
      #expect(try bench.ids() == ["item1"])
      #expect(try !bench.library("../index.html").contains("Article 0"))
      #expect(try bench.archive.catalog.queueState(key)?.isLeftOut == true)
      #expect(try await bench.run { $0.fullListing = true }.archived == 0)
      source.change("item0") { $0.revision = "2" }
      #expect(try await bench.run { $0.fullListing = true }.archived == 1)
      #expect(try bench.ids() == ["item0", "item1"])
    }
  }

  private func renderer(_ bench: Bench, isKnown: Bool = true) -> PageRenderer {
    let source = RunSource(
      name: "scripted", adapter: ScriptedAdapter(source: bench.source),
      client: HandlerHTTPClient(handlers: [:]), origin: WebURL(ScriptedSource.origin)?.origin)
    return PageRenderer(
      archive: bench.archive, sources: isKnown ? [source] : [], options: RunOptions())
  }

  @Test func `pages of unknown sources are counted apart`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      let keys = [try bench.item("item0").key, ItemKey(source: "other", id: "x")]
      let known = try await renderer(bench).run(keys)
      #expect((known.unknownKinds, known.unchanged, known.written) == (1, 1, 0))
      #expect(known.nothingKept == 0 && known.left.isEmpty)
      let none = try await renderer(bench, isKnown: false).run(keys)
      #expect((none.unknownKinds, none.unchanged, none.written) == (2, 0, 0))
    }
  }

  @Test func `no page is rebuilt when the time is over`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      try bench.makeOlder("item0") { $0.replacing("word0x1 ", with: "") }
      let key = try bench.item("item0").key
      let late = try await renderer(bench).run([key], limit: .zero)
      #expect(late.written == 0 && late.unchanged == 0)
      #expect(try bench.page("item0") != page)
      let report = try await renderer(bench).run([key], limit: .seconds(3_600))
      #expect(report.written == 1)
      #expect(try bench.page("item0") == page)
    }
  }

  @Test func `the library follows a single page that was rebuilt`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      #expect(try !bench.library("../index.html").contains("lang=\"de\""))
      let report = try await bench.render(["item0"]) { $0.words = .german }
      #expect(report.written == 1)
      #expect(try bench.library("../index.html").contains("lang=\"de\""))
    }
  }
}

/// Which broken links are found.
@Suite struct BrokenLinkTests {
  @Test func `broken links of all pages are found in order, those of versions are not`()
    async throws
  {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      _ = try await bench.run()
      var expected: [LinkVerification.Finding] = []
      for id in ["item0", "item1"] {
        let folder = try bench.item(id).folder
        let links =
          "<a href=\"lost-b\">b</a><a href=\"lost-a\">a</a><video poster=\"lost-c\"></video>"
          + "<a href=\"../../index.html\">start</a><img src=\"data:,x\">"
          + "<a href=\"./index.html\">x</a>"
        let page = try bench.page(id).replacing("</body>", with: links + "</body>")
        try bench.write(id, "index.html", page)
        try bench.write(id, "notes.txt", "<a href=\"lost-d\">d</a>")
        try FileManager.default.createDirectory(
          atPath: "\(bench.path)/\(folder)/versions/1", withIntermediateDirectories: true)
        try bench.write(id, "versions/1/index.html", "<a href=\"lost-e\">e</a>")
        for address in ["lost-a", "lost-b", "lost-c"] {
          expected.append(
            LinkVerification.Finding(page: "\(folder)/index.html", address: address))
        }
      }
      expected.sort { ($0.page, $0.address) < ($1.page, $1.address) }
      try FileManager.default.removeItem(atPath: bench.path + "/index.html")
      #expect(try LinkVerification(bench.archive).run() == expected)
      #expect(try LinkVerification(bench.archive).run(percent: 100) == expected)
      #expect(try LinkVerification(bench.archive).run(percent: 0) == [])
    }
  }
}

/// How many downloads have a slot.
@Suite struct DownloadSlotTests {
  /// Whether a task gets a slot before it is cancelled.
  private func isFree(_ limiter: DownloadLimiter, _ host: String) async -> Bool {
    let task = Task { await limiter.acquire(host) }
    for _ in 0..<50 { await Task.yield() }
    task.cancel()
    return await task.value
  }

  private func acquire(_ limiter: DownloadLimiter, _ hosts: [String]) async {
    for host in hosts {
      let isHeld = await limiter.acquire(host)
      #expect(isHeld, "\(host)")
    }
  }

  @Test func `slots are given up to the total and to the limit of each host`() async {
    let limiter = DownloadLimiter(total: 3, perHost: 2, exemptHosts: [])
    await acquire(limiter, ["a", "a"])
    #expect(await !isFree(limiter, "a"))
    await acquire(limiter, ["b"])
    #expect(await !isFree(limiter, "c"))
    limiter.release("b")
    #expect(await !isFree(limiter, "a"))
    await acquire(limiter, ["c"])
    limiter.release("a")
    await acquire(limiter, ["a"])
    #expect(await !isFree(limiter, "b"))
    for host in ["a", "a", "c"] { limiter.release(host) }
    await acquire(limiter, ["a", "a", "b"])
    #expect(await !isFree(limiter, "b"))
  }

  @Test func `a source's own host may have every slot, and no more`() async {
    let limiter = DownloadLimiter(total: 2, perHost: 1, exemptHosts: ["own"])
    await acquire(limiter, ["own", "own"])
    #expect(await !isFree(limiter, "own"))
    limiter.release("own")
    await acquire(limiter, ["other"])
    #expect(await !isFree(limiter, "own"))
  }
}
