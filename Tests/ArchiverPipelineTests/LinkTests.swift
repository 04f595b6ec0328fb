import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

@Suite struct LinkTests {
  /// An item whose text links to others.
  private static func linking(_ number: Int, to links: [String]) -> ScriptedSource.Item {
    var item = ScriptedSource.article(number)
    item.html =
      (item.html ?? "") + links.map { "<p>See <a href=\"\($0)\">there</a>.</p>" }.joined()
    return item
  }

  private static func address(_ number: Int) -> String { "https://site.example/item\(number)" }

  private static func path(_ bench: Bench, _ id: String) throws -> String {
    "../../\(try bench.item(id).folder)/index.html"
  }

  @Test func `links between archived items lead from one to the other`() async throws {
    let source = ScriptedSource()
    source.set(
      Self.linking(
        0,
        to: [
          "http://www.site.example/item1/?utm_source=x#a%20b", "https://elsewhere.example/item1",
          Self.address(0) + "#top",
        ]))
    source.set(Self.linking(1, to: [Self.address(0)]))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let (zero, one) = (try bench.page("item0"), try bench.page("item1"))
      #expect(zero.contains("<a href=\"\(try Self.path(bench, "item1"))#c-a-b\" rel="))
      #expect(zero.contains("<a class=\"origin\" href=\"http://www.site.example/item1/"))
      #expect(zero.contains("<a href=\"https://elsewhere.example/item1\""))
      #expect(zero.contains("<a href=\"#c-top\" rel="))
      #expect(one.contains("<a href=\"\(try Self.path(bench, "item0"))\" rel="))
      #expect(zero.contains("<h2 id=\"backlinks-title\">") || zero.contains("Linked from"))
      #expect(zero.contains("<li><a href=\"\(try Self.path(bench, "item1"))\"><bdi>Article 1"))
      #expect(try await bench.verify().isEmpty)
      #expect(try bench.item("item0").versions.isEmpty)
      let before = try bench.snapshot()
      _ = try await bench.run()
      #expect(try bench.snapshot() == before)
    }
  }

  @Test func `a link to the page's own address still leads to the original`() async throws {
    let source = ScriptedSource()
    source.set(Self.linking(0, to: [Self.address(0), Self.address(0) + "#part"]))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      #expect(page.contains("See <a href=\"\(Self.address(0))\" rel="))
      #expect(page.contains("See <a href=\"#c-part\" rel="))
      #expect(!page.contains("href=\"\(Self.address(0))\" class=\"origin\""))
      #expect(!page.contains("class=\"origin\" href=\"\(Self.address(0))\""))
    }
  }

  @Test func `an older page is updated when what it links to arrives`() async throws {
    let source = ScriptedSource()
    source.set(Self.linking(0, to: []))
    source.set(Self.linking(5, to: [Self.address(0)]))
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 1 }
      #expect(try bench.page("item5").contains("<a href=\"\(Self.address(0))\""))
      let first = try bench.item("item5")
      _ = try await bench.run { $0.maxItems = 1 }
      #expect(try bench.page("item5").contains("<a href=\"\(try Self.path(bench, "item0"))\""))
      var second = try bench.item("item5")
      #expect(second.byteCount > first.byteCount)
      second.byteCount = first.byteCount
      #expect(second.manifest != first.manifest)
      second.manifest = first.manifest
      #expect(second == first)
      #expect(try await bench.verify().isEmpty)
      // The same as if both had existed from the beginning.
      let mended = try bench.page("item5")
      _ = try await bench.run { $0.force = true }
      #expect(Self.timeless(try bench.page("item5")) == Self.timeless(mended))
    }
  }

  private static func timeless(_ page: String) -> String {
    page.replacing(/<time[^<]*<\/time>/, with: "")
  }

  @Test func `links to what is removed lead to the original again`() async throws {
    let source = ScriptedSource()
    source.set(Self.linking(0, to: []))
    source.set(Self.linking(1, to: [Self.address(0)]))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let whole = try bench.page("item1")
      #expect(whole.contains("class=\"origin\""))
      try bench.archive.remove(bench.item("item0").key)
      try LinkMender(archive: bench.archive).mend()
      let page = try bench.page("item1")
      #expect(page.contains("<a href=\"\(Self.address(0))\""))
      #expect(!page.contains("class=\"origin\""))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `the list of pages that link to one follows their titles and links`() async throws {
    let source = ScriptedSource()
    source.set(Self.linking(0, to: []))
    source.set(Self.linking(1, to: [Self.address(0)]))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.change("item1") {
        $0.title = "A <new> title"
        $0.revision = "2"
      }
      _ = try await bench.run()
      #expect(try bench.page("item0").contains("<bdi>A &lt;new&gt; title</bdi>"))
      source.change("item1") {
        $0.html = "<p>" + String(repeating: "nothing but words ", count: 60) + "</p>"
        $0.revision = "3"
      }
      _ = try await bench.run()
      #expect(!(try bench.page("item0").contains("Linked from")))
      // The earlier version of the linking page is two folders deeper.
      let version = try bench.item("item1").versions.first ?? ""
      let old = try bench.text("item1", "versions/\(version)/index.html")
      #expect(old.contains("<a href=\"\(Self.address(0))\"") && !old.contains("origin\" href"))
      #expect(old.contains("<p class=\"banner\" role=\"note\"") && old.contains("earlier version"))
      #expect(old.contains("href=\"../../../../index.html\" rel=\"up\""))
      #expect(!(try bench.page("item1").contains("class=\"banner\"")))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `links reported by a source make the list, a parent does not`() async throws {
    let source = ScriptedSource()
    for number in 0..<3 { source.set(Self.linking(number, to: [Self.address(2 - number)])) }
    source.change("item0") {
      $0.links = [ItemLink(.parent, target: "item2"), ItemLink(.relation, target: "item1")]
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.page("item1").contains("<bdi>Article 0</bdi>"))
      #expect(!(try bench.page("item2").contains("<bdi>Article 0</bdi>")))
      #expect(try bench.page("item0").contains("<bdi>Article 2</bdi>"))
      // The graph has all of them: links of pages, relations and parents.
      let pairs = try bench.archive.catalog.linkedItems().map { "\($0.from.id)-\($0.to.id)" }
      #expect(pairs.sorted() == ["item0-item1", "item0-item2", "item2-item0"])
    }
  }

  @Test func `a page lists 500 pages that link to it`() async throws {
    try await Bench.with(ScriptedSource()) { bench in
      let key = ItemKey(source: "scripted", id: "item0")
      let address = LinkAddress(item: key)
      let links = LinkRecord(addresses: [], targets: [address.key: .named])
      try bench.record((1...501).map { "item\($0)" }, links: links)
      let page = BundleLinks(
        key: key, folder: "scripted/item0", addresses: [address.text], archive: bench.archive)
      #expect(try page.backlinks().count == 500)
    }
  }

  @Test func `every URL form of a kind leads to the item`() async throws {
    let source = ScriptedSource()
    source.set(
      Self.linking(
        0,
        to: [
          "https://number.example/A-Name-1?pvs=4#top", "https://number.example/again/1",
          "https://number.example/none-9",
        ]))
    source.set(Self.linking(1, to: []))
    source.change("item1") { $0.addresses = ["https://number.example/Old-Name-1"] }
    try await Bench.with(source) { bench in
      // The link is older than its target.
      source.change("item1") { $0.date = Date(timeIntervalSince1970: 0) }
      _ = try await bench.run { $0.maxItems = 1 }
      #expect(!(try bench.page("item0").contains("class=\"origin\"")))
      _ = try await bench.run()
      let page = try bench.page("item0")
      let path = try Self.path(bench, "item1")
      #expect(page.contains("<a href=\"\(path)#c-at-top\" rel="))
      #expect(page.contains("<a href=\"\(path)\" rel="))
      #expect(
        page.contains(
          "<a class=\"origin\" href=\"https://number.example/A-Name-1?pvs=4#top\""))
      #expect(page.contains("<a href=\"https://number.example/none-9\""))
      #expect(try bench.page("item1").contains("<bdi>Article 0</bdi>"))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `further addresses of an item lead to it`() async throws {
    let source = ScriptedSource()
    source.set(Self.linking(0, to: ["https://other.example/a-name?p=3"]))
    source.set(Self.linking(1, to: []))
    source.change("item1") { $0.addresses = ["https://other.example/a-name?p=3", "no address"] }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let path = try Self.path(bench, "item1")
      #expect(try bench.page("item0").contains("<a href=\"\(path)\""))
    }
  }

  @Test func `a page that was edited by hand is left alone`() async throws {
    let source = ScriptedSource()
    source.set(Self.linking(0, to: []))
    source.set(Self.linking(5, to: [Self.address(0)]))
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 1 }
      let edited = try bench.page("item5").replacing("word5x1 ", with: "my own word ")
      try bench.write("item5", "index.html", edited)
      _ = try await bench.run { $0.maxItems = 1 }
      #expect(try bench.page("item5") == edited)
    }
  }

  @Test func `links come back with a catalog rebuilt`() async throws {
    try await TemporaryFolder.with("links") { path in
      let source = ScriptedSource()
      source.set(Self.linking(0, to: [Self.address(1)]))
      source.set(Self.linking(1, to: [Self.address(0)]))
      do {
        let bench = try Bench(source, path: path + "/archive")
        _ = try await bench.run()
      }
      _ = try Archive.rebuildCatalog(path: path + "/archive")
      let bench = try Bench(source, path: path + "/archive")
      let before = try bench.page("item0")
      try LinkMender(archive: bench.archive).mend()
      #expect(try bench.page("item0") == before)
      #expect(before.contains("class=\"origin\""))
      try bench.archive.remove(bench.item("item1").key)
      try LinkMender(archive: bench.archive).mend()
      let page = try bench.page("item0")
      #expect(!page.contains("class=\"origin\"") && !page.contains("Linked from"))
    }
  }

  @Test func `a crash while updating leaves whole bundles and the rest for later`() async throws {
    try await TemporaryFolder.with("mending") { path in
      let source = ScriptedSource()
      for number in 0..<4 { source.set(Self.linking(number, to: [Self.address(9)])) }
      source.set(Self.linking(9, to: []))
      do {
        let bench = try Bench(source, path: path + "/start")
        _ = try await bench.run()
        try bench.archive.remove(bench.item("item9").key)
      }
      var step = 0
      var hasFailed = true
      while hasFailed {
        step += 1
        let copy = "\(path)/\(step)"
        try FileManager.default.copyItem(atPath: path + "/start", toPath: copy)
        hasFailed = try Self.mend(copy, failingFrom: step)
        let bench = try Bench(source, path: copy)
        #expect(try await bench.verify().isEmpty)
        try LinkMender(archive: bench.archive).mend()
        for number in 0..<4 {
          #expect(!(try bench.page("item\(number)").contains("class=\"origin\"")))
        }
        #expect(try await bench.verify().isEmpty)
        try FileManager.default.removeItem(atPath: copy)
      }
      #expect(step > 20)
    }
  }

  /// Updates pages with a disk that fails from a step on; returns whether it did.
  private static func mend(_ path: String, failingFrom limit: Int) throws -> Bool {
    let disk = FailingDisk(from: limit)
    do throws(StorageError) {
      let archive = try Archive.open(
        path: path, mode: .readWrite(holder: "test"), options: ArchiveOptions(faults: disk))
      try LinkMender(archive: archive).mend()
      return false
    } catch {
      return true
    }
  }

  @Test func `a page names its parent as it is now`() async throws {
    let source = ScriptedSource()
    for number in 0..<2 {
      source.set(ScriptedSource.article(number))
      source.change("item\(number)") { $0.kind = .page }
    }
    source.change("item1") { $0.links = [ItemLink(.parent, target: "item0")] }
    try await Bench.with(source) { bench in
      func parents() throws -> String {
        let page = try bench.page("item1")
        let start = try #require(page.firstRange(of: "<!--parents-->")).upperBound
        let end = try #require(page.firstRange(of: "<!--/parents-->")).lowerBound
        return String(page[start..<end])
      }
      // The child is archived before its parent.
      _ = try await bench.run { $0.maxItems = 1 }
      #expect(try parents().isEmpty)
      _ = try await bench.run()
      #expect(
        try parents().contains(
          "<a href=\"\(try Self.path(bench, "item0"))\"><bdi>Article 0</bdi></a>"))
      source.change("item0") {
        $0.title = "Another name"
        $0.revision = "2"
      }
      _ = try await bench.run()
      #expect(try parents().contains("<bdi>Another name</bdi>"))
      #expect(try bench.page("item0").contains("<!--parents--><!--/parents-->"))
      #expect(try await bench.verify().isEmpty)
      let before = try bench.snapshot()
      _ = try await bench.run()
      #expect(try bench.snapshot() == before)
      // A new copy of the child has it too, and a removed parent is named no more.
      source.change("item1") {
        $0.revision = "2"
        $0.html = ($0.html ?? "") + "<p>More.</p>"
      }
      _ = try await bench.run()
      #expect(try parents().contains("<bdi>Another name</bdi>"))
      source.state.withLock { $0.items["item0"] = nil }
      _ = try await bench.run { $0.onDeleted = .remove }
      #expect(try parents().isEmpty)
    }
  }
}

/// A disk that fails from its n-th step on.
private final class FailingDisk: FaultInjector {
  private let limit: Int
  private let steps = Mutex(0)

  init(from limit: Int) { self.limit = limit }

  func fault(before operation: FileOperation, path: String) -> Int32? {
    steps.withLock { steps in
      steps += 1
      return steps >= limit ? 5 : nil
    }
  }
}
