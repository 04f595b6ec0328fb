import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverSite

/// An archive with a novel of three chapters, a PDF and a book of plain text.
struct BookStage {
  let root: String
  let catalog: SQLiteCatalog
  let items: [CatalogItem]

  init(_ root: String) throws {
    self.root = root
    try FileManager.default.createDirectory(
      atPath: root + "/.archiver", withIntermediateDirectories: true)
    catalog = try SQLiteCatalog(path: root + "/.archiver/catalog.sqlite")
    var sample = SampleArchive(seed: 2)
    items = ["Novel", "Report", "Plain", "Comic"].enumerated().map { number, title in
      var item = sample.item(number)
      item.metadata.title = title
      item.metadata.kind = [.book, .article, .book, .comic][number]
      item.metadata.authors = []
      item.metadata.labels = []
      return item
    }
    try catalog.record(
      items.map { item in
        .publish(
          Publication(
            item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "m", staged: "s"))
      })
    for number in 1...3 {
      try write(0, "book/text/000\(number).html", BookStage.chapter(number))
      try write(3, "book/text/000\(number).html", BookStage.chapter(number))
    }
    try write(0, "book/text/contents.html", "<main id=\"content\">contentsword</main>")
    try write(0, "assets/0.txt", "unreadword")
    try write(1, "assets/a b.pdf", "%PDF")
    try write(2, "assets/2.txt", "A plain story of marmalade.")
  }

  func write(_ number: Int, _ path: String, _ text: String) throws {
    let file = "\(root)/\(items[number].folder)/\(path)"
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/" + folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
  }

  /// A page of a book; the last chapter is long.
  static func chapter(_ number: Int) -> String {
    let long = String(repeating: "<p>filler of chapters and more of it.</p>", count: 900)
    let text = [
      "<p>Call me Ishmael.</p>", "<p>The 𝔘 pale whale.</p>",
      long + "<p>A hidden <em>xylophone</em>.</p>",
    ][number - 1]
    return
      "<nav>barword</nav><main id=\"content\"><h1>Chapter \(number)</h1>\(text)</main><nav></nav>"
  }

  func builder(
    _ limit: Int? = nil, readPDF: BookTexts.ReadPDF? = { _, _ in ["One.", "Two teapots."] }
  ) -> LibraryBuilder {
    var limits = Limits()
    if let limit { limits[.searchedText] = limit }
    return LibraryBuilder(
      root: root, catalog: catalog, books: BookTexts(limits: limits, readPDF: readPDF))
  }

  /// Titles with the places of their matches.
  func found(_ query: String) throws -> [String] {
    try LibrarySearch(root: root, catalog: catalog).find(SearchQuery(query), limit: 10).matches
      .map { "\($0.item.metadata.title) \($0.place ?? "-")" }
  }
}

@Suite struct BookTextTests {
  static let queries = [
    ("ishmael", ["Novel book/text/0001.html"]), ("\"pale whale\"", ["Novel book/text/0002.html"]),
    ("xylophone", ["Novel book/text/0003.html"]), ("teapots", ["Report assets/a%20b.pdf#page=2"]),
    ("marmalade", ["Plain assets/2.txt"]), ("novel", ["Novel -"]),
    ("ishmael xylophone", ["Novel book/text/0001.html"]),
    ("barword", []), ("contentsword", []), ("unreadword", []),
    ("\"hidden xylophone\" -\"pale whale\"", []),
    ("has:file ishmael", ["Novel book/text/0001.html"]),
    ("has:file", ["Novel -", "Report -", "Plain -"]), ("-has:file", ["Comic -"]),
    ("ishmael OR marmalade", ["Plain assets/2.txt", "Novel book/text/0001.html"]),
  ]

  @Test func `finds words of books with their chapters and pages`() async throws {
    try await TemporaryFolder.with("books") { root in
      let stage = try BookStage(root)
      _ = try stage.builder().update(isChanged: true)
      for (query, found) in Self.queries {
        #expect(try stage.found(query) == found, "\(query)")
      }
    }
  }

  @Test func `takes as much of a book as the setting says, and more when it says more`()
    async throws
  {
    try await TemporaryFolder.with("books") { root in
      let stage = try BookStage(root)
      _ = try stage.builder(1_000).update(isChanged: true)
      #expect(try stage.found("ishmael") == ["Novel book/text/0001.html"])
      #expect(try stage.found("xylophone") == [])
      _ = try stage.builder().update(isChanged: true)
      #expect(try stage.found("xylophone") == ["Novel book/text/0003.html"])
      // Known texts are not read again.
      try stage.write(0, "book/text/0001.html", "<main id=\"content\">changed</main>")
      _ = try stage.builder().update(isChanged: true)
      #expect(try stage.found("ishmael") == ["Novel book/text/0001.html"])
    }
  }

  @Test func `PDFs are read once there is a program for it`() async throws {
    try await TemporaryFolder.with("books") { root in
      let stage = try BookStage(root)
      _ = try stage.builder(readPDF: nil).update(isChanged: true)
      #expect(try stage.found("teapots") == [])
      let asked = Mutex<[String]>([])
      _ = try stage.builder { path, limit in
        asked.withLock { $0.append("\(path) \(limit)") }
        return ["teapots"]
      }.update(isChanged: true)
      #expect(try stage.found("teapots") == ["Report assets/a%20b.pdf#page=1"])
      #expect(
        asked.withLock { $0 } == ["\(root)/\(stage.items[1].folder)/assets/a b.pdf 4000000"])
    }
  }

  @Test func `parts end where there is enough, between characters`() async throws {
    try await TemporaryFolder.with("books") { root in
      let stage = try BookStage(root)
      let row = LibraryRow(stage.items[1], words: .english)
      var limits = Limits()
      limits[.searchedText] = 7
      let texts = BookTexts(limits: limits) { _, _ in [" ", "abc", "\n\u{C}", "déé", "x"] }
      #expect(
        texts.parts(of: row, BookTexts.Files(of: row, root: root), root: root) == [
          BookTexts.Part(path: "assets/a%20b.pdf#page=2", text: "abc"),
          BookTexts.Part(path: "assets/a%20b.pdf#page=4", text: "dé"),
        ])
    }
  }
}

extension InBrowser.SearchInBrowserTests {
  @Test func `the page leads to the chapter or page of a book`() async throws {
    try await TemporaryFolder.with("books") { root in
      let stage = try BookStage(root)
      _ = try stage.builder().update(isChanged: true)
      try await browsing(root) { open in
        for (query, found) in BookTextTests.queries {
          let shown = try await open(Self.hash(query))
          #expect(shown.titles.count == found.count, "\(query)")
          for one in found {
            guard let place = one.split(separator: " ").last, place != "-" else { continue }
            #expect(shown.page.contains("/\(place)"), "\(query)")
            #expect(shown.page.contains("<span>page 2</span>") == place.hasSuffix("page=2"))
          }
        }
      }
    }
  }

  @Test func `from a server a match opens in the reader, at its passage and with its list`()
    async throws
  {
    try await TemporaryFolder.with("books") { root in
      let stage = try BookStage(root)
      let page = ReadingPage.render(
        ReadingPageContent(item: stage.items[0], body: .html(Array("<p>A novel.</p>".utf8))))
      try stage.write(0, "index.html", String(decoding: page, as: UTF8.self))
      _ = try stage.builder().update(isChanged: true)
      let server = try FileServer.start(root)
      defer { server.stop() }
      let browser = try #require(try await LibraryBrowser.start(.chromium))
      let base = server.baseURL.absoluteString
      try await browser.open("\(base)index.html#\(Self.hash("xylophone OR teapots"))")
      #expect(try await browser.becomes("document.querySelectorAll('.item').length === 2"))
      // Frames without scripts cannot show PDFs.
      let report = try await browser.run(
        "return document.querySelector('.item a[href*=\".pdf\"]')?.getAttribute('href');")
      #expect(report.string == "\(stage.items[1].folder)/assets/a%20b.pdf#page=2")
      try await browser.run("document.querySelector('.item a[href*=\"to=book\"]').click();")
      #expect(
        try await browser.becomes(
          "document.getElementById('page')?.contentWindow.getSelection().toString() === 'xylophone'"
        ))
      #expect(
        try await browser.becomes("document.querySelector('.count')?.textContent.includes('of 2')"))
      let frame = "document.getElementById('page').contentWindow"
      #expect(try await browser.becomes("\(frame).scrollY > 1000"))
      let path = try await browser.run("return \(frame).location.pathname;")
      #expect(path.string == "/\(stage.items[0].folder)/book/text/0003.html")
      // One step back leads to the list of matches.
      let back = try await browser.run(
        "return document.querySelector('.back').getAttribute('href');")
      #expect(back.string?.hasSuffix("index.html#q=xylophone+OR+teapots") == true, "\(back)")
      await browser.quit()
    }
  }

  @Test func `from a server the start page leads back to what was read last`() async throws {
    try await TemporaryFolder.with("books") { root in
      try BrowsedArchive.write(to: root)
      let server = try FileServer.start(root)
      defer { server.stop() }
      let browser = try #require(try await LibraryBrowser.start(.chromium))
      let base = server.baseURL.absoluteString
      try await browser.open("\(base)index.html")
      #expect(try await browser.becomes("document.querySelector('.item h2 a')"))
      #expect(try await browser.run("return document.querySelector('.resume');") == .null)
      try await browser.open("\(base)library/read.html#at=readeck/item-2")
      #expect(try await browser.becomes("document.title === 'Piece 2'"))
      let frame = "document.getElementById('page').contentWindow"
      #expect(
        try await browser.becomes("\(frame).document.documentElement.scrollHeight > 2000"))
      try await browser.run("\(frame).scrollTo({ top: 900, behavior: 'instant' });")
      #expect(
        try await browser.becomes("localStorage.getItem('archiver.places')?.includes('Piece 2')"))
      try await browser.open("\(base)index.html")
      #expect(try await browser.becomes("document.querySelector('.resume a')"))
      #expect(
        try await browser.run("return document.querySelector('.resume a').textContent;")
          == "Piece 2")
      try await browser.run("document.querySelector('.resume a').click();")
      #expect(try await browser.becomes("document.title === 'Piece 2'"))
      #expect(try await browser.becomes("\(frame).scrollY > 800"))
      await browser.quit()
    }
  }
}
