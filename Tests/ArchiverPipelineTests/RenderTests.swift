import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// The delivered HTML is stored, and pages are rebuilt from it without the network.
@Suite struct RenderTests {
  private static func older(_ page: String) -> String {
    page.replacing("word0x1 ", with: "").replacing("word1x1 ", with: "")
  }

  @Test func `a page is rebuilt although its source is gone`() async throws {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let (page, item, record) = (
        try bench.page("item0"), try bench.item("item0"), try bench.text("item0", "item.json")
      )
      let requests = bench.requests("/pic/0-0.gif")
      source.state.withLock {
        $0.items = [:]
        $0.pictures = [:]
      }
      try bench.makeOlder("item0", Self.older)
      #expect(try bench.page("item0") != page)
      let report = try await bench.render()
      #expect(report.written == 1)
      #expect(try bench.page("item0") == page)
      #expect(try bench.text("item0", "item.json") == record)
      #expect(bench.requests("/pic/0-0.gif") == requests)
      let after = try bench.item("item0")
      #expect(after.versions.isEmpty && after.lastArchived == item.lastArchived)
      #expect(after.contentHash == item.contentHash)
      #expect(try await bench.verify() == [])
      // An unchanged page is not written.
      let snapshot = try bench.snapshot()
      let again = try await bench.render(["item0", "item1"])
      #expect(again.written == 0 && again.unchanged == 2)
      #expect(try bench.snapshot() == snapshot)
    }
  }

  @Test func `a run after an update rebuilds pages by itself and asks for nothing`() async throws {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item1")
      try bench.makeOlder("item1", Self.older)
      let before = source.state.withLock { $0.itemRequests.count }
      let report = try await bench.run()
      #expect(report.archived == 0)
      #expect(try bench.page("item1") == page)
      #expect(source.state.withLock { $0.itemRequests.count } == before)
      #expect(try bench.libraryTexts().joined().contains("word1x1"))
      let left = try bench.archive.catalog.itemsWithPages(
        not: [PageRenderer.revision], limit: 1)
      #expect(left.isEmpty)
    }
  }

  @Test func `pages are rebuilt in another language, and back, and ask for nothing`() async throws {
    let source = ScriptedSource(count: 2)
    source.change("item0") { $0.html = "<p>See <a href=\"https://site.test/item1\">it</a></p>" }
    source.change("item1") { $0.url = "https://site.test/item1" }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let english = [try bench.page("item0"), try bench.page("item1")]
      let requests = source.state.withLock { $0.itemRequests.count }
      _ = try await bench.run { $0.words = .german }
      for id in ["item0", "item1"] {
        let page = try bench.page(id)
        #expect(page.contains(">Archiviert am ") && !page.contains("Archived"), "\(id)")
        #expect(page.contains("<html lang=\"de\""), "\(id)")
      }
      #expect(try bench.page("item1").contains(">Verlinkt von</h2>"))
      let start = bench.archive.path + "/index.html"
      let isGerman = { try String(contentsOfFile: start, encoding: .utf8).contains("lang=\"de\"") }
      #expect(try isGerman())
      #expect(try await bench.verify() == [])
      // In the same language nothing is written.
      let german = try bench.snapshot()
      _ = try await bench.run { $0.words = .german }
      #expect(try bench.snapshot() == german)
      _ = try await bench.run()
      #expect([try bench.page("item0"), try bench.page("item1")] == english)
      #expect(try !isGerman())
      #expect(source.state.withLock { $0.itemRequests.count } == requests)
    }
  }

  @Test func `a bundle that was edited by hand stays as it is`() async throws {
    let source = ScriptedSource(count: 1)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      try bench.write("item0", "index.html", "mine")
      let report = try await bench.render(["item0"])
      #expect(report.written == 0)
      #expect(report.left.map(\.id) == ["item0"])
      #expect(try bench.page("item0") == "mine")
    }
  }

  @Test func `a bundle with an edited file beside its page is not written over`() async throws {
    let source = ScriptedSource(count: 1)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      try bench.makeOlder("item0", Self.older)
      try bench.write("item0", "source.html.gz", "mine")
      try bench.write("item0", "note.txt", "mine")
      let report = try await bench.render(["item0"])
      #expect(report.written == 0 && report.left.count == 1)
      #expect(try bench.text("item0", "note.txt") == "mine")
    }
  }

  @Test func `an image that is missing keeps its reason and its next attempt`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock { $0.pictures["/pic/0-0.gif"] = ServerResponse.text("no", status: 500) }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let losses = try #require(try bench.item("item0").losses)
      #expect(losses.total == 1)
      let state = try bench.archive.catalog.queueState(bench.item("item0").key)
      try bench.makeOlder("item0", Self.older)
      #expect(try await bench.render().written == 1)
      #expect(try bench.item("item0").losses == losses)
      #expect(try bench.archive.catalog.queueState(bench.item("item0").key) == state)
    }
  }

  @Test func `a book's pages and a file that came with the item are rebuilt alike`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.attachments = [
        Attachment(
          .file, .inline(Array("a,b\n1,2\n".utf8)), name: "database.csv", mediaType: "text/csv")
      ]
      $0.labels = ["kept"]
      $0.annotations = [Annotation(id: "a1", text: "word0x3")]
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let (page, files) = (try bench.page("item0"), try bench.files("item0"))
      #expect(files.contains("assets/database.csv"))
      try bench.makeOlder("item0", Self.older)
      #expect(try await bench.render().written == 1)
      #expect(try bench.page("item0") == page)
      #expect(try bench.files("item0") == files)
    }
  }

  @Test func `an unreadable bundle affects no other`() async throws {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      for id in ["item0", "item1", "item2"] { try bench.makeOlder(id, Self.older) }
      try bench.write("item1", "source.html.gz", "no gzip")
      // An earlier version stored no delivered HTML.
      let record = try bench.text("item2", "item.json")
      try bench.write(
        "item2", "item.json", record.replacing("\"delivered\"", with: "\"other\""))
      let report = try await bench.render()
      #expect(report.written == 1 && report.nothingKept == 1)
      #expect(report.left.map(\.id) == ["item1"])
      #expect(try bench.page("item0") == page)
      let left = try bench.archive.catalog.itemsWithPages(
        not: [PageRenderer.revision], limit: 1)
      #expect(left.isEmpty)
    }
  }

  @Test func `an item that is gone from its source stays marked so`() async throws {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock { $0.items["item0"] = nil }
      _ = try await bench.run { $0.fullListing = true }
      #expect(try bench.item("item0").state == .deleted)
      try bench.makeOlder("item0", Self.older)
      #expect(try await bench.render().written == 1)
      #expect(try bench.item("item0").state == .deleted)
    }
  }

  @Test func `no signature or password is kept with the delivered HTML`() async throws {
    let html = """
      <p>pass https://user:word@tutorial.example/ on</p>\
      <p title='a>b' data-x="X">x</p><img alt="1>0" src="http://source.example/a?X-Amz-Signature=5eCret1">\
      <A HREF='http://me:5eCret2@source.example/'>http://me:5eCret2@source.example/</A>
      """
    let kept = String(decoding: Redaction.html(Array(html.utf8)), as: UTF8.self)
    #expect(!kept.contains("5eCret"))
    #expect(kept.contains("https://user:word@tutorial.example/"))
    #expect(kept.contains("X-Amz-Signature=removed"))
  }
}
