import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// A worse copy never replaces a better one, in any part; only another text or other files make a version.
@Suite struct BetterCopyTests {
  private static let words = (0..<540).map { "word\($0)" }.joined(separator: " ")

  private func source(_ html: String = "<p>\(words)</p>") -> ScriptedSource {
    let source = ScriptedSource(count: 1)
    source.change("item0") { $0.html = html }
    return source
  }

  private func change(
    _ source: ScriptedSource, _ body: @Sendable (inout ScriptedSource.Item) -> Void
  ) {
    source.change("item0") {
      $0.revision += "+"
      body(&$0)
    }
  }

  @Test(arguments: [
    "Bitte melden Sie sich an, um diesen Artikel zu lesen und weiter zu stöbern",
    "Inicie sesión para leer este artículo", "请登录后阅读本文", "Veuillez vous connecter",
  ])
  func `a text that shrinks to a small part is held back in any language`(
    text: String
  ) async throws {
    let source = source()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      change(source) { $0.html = "<p>\(text)</p>" }
      let report = try await bench.run()
      #expect(report.kept.map(\.id) == ["item0"])
      let page = try bench.page("item0")
      #expect(page.contains("word539"))
      // The source's copy is beside it, and its page links to it.
      let held = try #require(try bench.item("item0").heldBack)
      #expect(page.contains("<a href=\"versions/\(held)/index.html\">"))
      let heldPage = try bench.text("item0", "versions/\(held)/index.html")
      #expect(heldPage.contains(text) && heldPage.contains("class=\"banner\""))
      #expect(try await bench.verify().isEmpty)
      // The same once more is not a second one; its links are updated, it is rendered again, and it
      // stays.
      change(source) { _ in }
      #expect(try await bench.run().kept.map(\.id) == ["item0"])
      #expect(try bench.item("item0").versions == [held])
      // It is asked for explicitly.
      let accepted = try await bench.run {
        $0.only = ["item0"]
        $0.force = true
        $0.acceptsWorse = true
      }
      #expect(accepted.archived == 1)
      #expect(try bench.page("item0").contains(text))
      let versions = try bench.item("item0").versions
      #expect(versions.count == 1 && !HeldBack.isName(versions[0]))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `a part that is missing is requested again whatever happens to a new revision`()
    async throws
  {
    for html in [nil, "<p>Log in</p>"] {
      let source = source("<p>\(Self.words)</p><img src=\"/late.gif\">")
      source.picture("/late.gif", .text("out of order", status: 500))
      try await Bench.with(source) { bench in
        #expect(try await bench.run().failed.map(\.id) == ["item0"])
        // The same content under another revision, or less of it, does not clear the missing parts.
        change(source) { $0.html = html ?? $0.html }
        _ = try await bench.run()
        let failures = try bench.archive.catalog.failures(source: nil)
        #expect(failures.map(\.key.id) == ["item0"], "\(html ?? "the same")")
        change(source) { $0.html = "<p>\(BetterCopyTests.words)</p><img src=\"/late.gif\">" }
        source.picture("/late.gif", .data(ScriptedSource.gif("/x"), type: "image/gif"))
        bench.advance(hours: 48)
        #expect(try await bench.run().isWhole)
        #expect(try bench.item("item0").completeness == .complete)
        #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
      }
    }
  }

  @Test func `what was held back goes when the source has the better text again`() async throws {
    let source = source()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let before = try bench.page("item0")
      change(source) { $0.html = "<p>Log in</p>" }
      _ = try await bench.run()
      change(source) { $0.html = "<p>Log in, please</p>" }
      bench.advance(hours: 1)
      _ = try await bench.run()
      let held = try #require(try bench.item("item0").heldBack)
      #expect(try bench.item("item0").versions == [held])
      #expect(
        try bench.text("item0", "versions/\(held)/index.html").contains("Log in, please"))
      change(source) { $0.html = "<p>\(BetterCopyTests.words)</p>" }
      _ = try await bench.run()
      #expect(try bench.item("item0").versions.isEmpty)
      #expect(try bench.page("item0") == before)
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `children that cannot be read do not cost those that were`() async throws {
    let source = source()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      change(source) {
        $0.html = "<p>\(BetterCopyTests.words.prefix(3_000))</p>"
        $0.missing = [MissingPart(.children, name: "a toggle", reason: "the server answered 404")]
      }
      let report = try await bench.run()
      #expect(report.failed.first?.message.contains("the earlier copy is kept") == true)
      #expect(try bench.page("item0").contains("word539"))
      change(source) { $0.missing = [] }
      bench.advance(hours: 2)
      #expect(try await bench.run().archived == 1)
    }
  }

  @Test func `a book's file that is truncated does not replace the whole one`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "item0", title: "A Book", html: nil)
    item.kind = .book
    item.attachments = [
      Attachment(
        .file, .remote(try #require(WebURL(ScriptedSource.origin + "/a.epub"))), name: "a.epub",
        mediaType: "application/epub+zip", revision: "1")
    ]
    source.set(item)
    let whole = SampleBook([]).bytes
    source.picture("/a.epub", .data(whole, type: "application/epub+zip"))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let other = SampleBook([("more.xhtml", SampleBook.page)]).bytes
      source.picture(
        "/a.epub", .data(Array(other.prefix(other.count / 2)), type: "application/epub+zip"))
      change(source) { $0.attachments[0].revision = "2" }
      let report = try await bench.run()
      #expect(report.failed.map(\.id) == ["item0"])
      #expect(try bench.page("item0").contains("book/text"))
      // The received bytes are kept anyway.
      let held = try #require(try bench.item("item0").heldBack)
      let json = try bench.text("item0", "versions/\(held)/item.json")
      let record = try ItemRecord(json: Array(json.utf8), path: held)
      #expect(record.assets.map(\.byteCount) == [other.count / 2])
      #expect(try await bench.verify().isEmpty)
      source.picture("/a.epub", .data(other, type: "application/epub+zip"))
      bench.advance(hours: 2)
      #expect(try await bench.run().isWhole)
      // Otherwise the bundle would lose the bytes of the earlier file.
      #expect(try bench.item("item0").versions.count == 1)
    }
  }

  @Test func `a server that moves costs no image and makes no version`() async throws {
    let source = source("<p>\(Self.words)</p><img src=\"http://elsewhere.example/a/1.gif?w=3\">")
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let files = try bench.files("item0").filter { $0.hasPrefix("assets/") }
      #expect(files.count == 1)
      change(source) {
        $0.html =
          "<p>\(BetterCopyTests.words) more</p>"
          + "<img src=\"http://moved.example/a/1.gif?w=3\">"
      }
      let report = try await bench.run()
      #expect(report.isWhole)
      #expect(try bench.files("item0").filter { $0.hasPrefix("assets/") } == files)
      #expect(try bench.item("item0").missingImages == 0)
    }
  }

  @Test func `a placeholder at the same URL does not replace an image`() async throws {
    let source = source("<p>\(Self.words)</p><img src=\"/pic/big.gif\">")
    func big(_ width: Int) -> [UInt8] {
      ScriptedSource.gif("/x", width: width, height: 300) + Array(repeating: 0, count: 9_000)
    }
    source.picture("/pic/big.gif", .data(big(400), type: "image/gif"))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let files = try bench.files("item0").filter { $0.hasPrefix("assets/") }
      source.picture(
        "/pic/big.gif",
        .data(ScriptedSource.gif("/y", width: 80, height: 60), type: "image/gif"))
      change(source) { $0.labels = ["read"] }
      _ = try await bench.run()
      #expect(try bench.files("item0").filter { $0.hasPrefix("assets/") } == files)
      #expect(try bench.item("item0").versions.isEmpty)
      // Another picture of its size is taken, and the old one stays as a version.
      source.picture("/pic/big.gif", .data(big(380), type: "image/gif"))
      change(source) { $0.labels = ["again"] }
      _ = try await bench.run()
      #expect(try bench.files("item0").filter { $0.hasPrefix("assets/") } != files)
      #expect(try bench.item("item0").versions.count == 1)
    }
  }

  @Test func `highlights, labels and the record are taken and make no version`() async throws {
    let source = source()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      change(source) {
        $0.html =
          "<p>"
          + BetterCopyTests.words.replacing(
            "word7 word8",
            with: "<mark data-hl=\"h1\">word7 word8</mark>")
          + "</p>"
        $0.annotations = [Annotation(id: "h1", text: "word7 word8", note: "see")]
      }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.page("item0").contains("<mark"))
      change(source) { $0.labels = ["a"] }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.item("item0").versions.isEmpty)
      change(source) { $0.html = "<p>\(BetterCopyTests.words) and an end</p>" }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.item("item0").versions.count == 1)
    }
  }

  @Test func `a parent, a link, an address or a record that changed alone is taken`() async throws {
    let source = source()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      change(source) { $0.links = [ItemLink(.parent, target: "other")] }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.text("item0", "item.json").contains("\"other\""))
      change(source) { $0.addresses = ["https://number.example/9"] }
      #expect(try await bench.run().archived == 1)
      change(source) { $0.record = "{\"id\":\"item0\",\"state\":3}" }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.text("item0", "source.json").contains("\"state\":3"))
      #expect(try bench.item("item0").versions.isEmpty)
    }
  }

  @Test(arguments: [(200, true), (20, false)])
  func `of an item of an earlier version the words of its page count, not the source's number`(
    words: Int, isTaken: Bool
  ) async throws {
    let source = source()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      var item = try bench.item("item0")
      item.words = nil
      item.losses = nil
      item.metadata.wordCount = 3_000
      try bench.archive.catalog.record([
        .mend(
          Publication(
            item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: ""))
      ])
      let shorter = BetterCopyTests.words.split(separator: " ").prefix(words).joined(separator: " ")
      change(source) { $0.html = "<p>\(shorter)</p>" }
      let report = try await bench.run()
      #expect(report.archived == (isTaken ? 1 : 0))
      #expect(report.kept.isEmpty == isTaken)
    }
  }
}
