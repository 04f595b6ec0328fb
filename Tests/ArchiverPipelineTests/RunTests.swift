import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

@Suite struct RunTests {
  @Test func `archives the newest first and drains the backlog without a hole`() async throws {
    try await Bench.with(ScriptedSource(count: 25)) { bench in
      let first = try await bench.run { $0.maxItems = 10 }
      #expect(first.archived == 10)
      #expect(first.waiting == 15)
      #expect(try bench.ids() == Set((15..<25).map { "item\($0)" }))
      // A newer item is archived before queued ones.
      bench.source.set(ScriptedSource.article(30))
      let second = try await bench.run { $0.maxItems = 10 }
      #expect(second.archived == 10)
      #expect(try bench.ids().contains("item30"))
      let third = try await bench.run { $0.maxItems = 10 }
      #expect(third.archived == 6)
      #expect(try bench.ids().count == 26)
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `few items are requested at first, then as many as the source likes`() async throws {
    try await Bench.with(ScriptedSource(count: 12)) { bench in
      let report = try await bench.run()
      #expect(report.archived == 12)
      // Requests go out two at a time, in no order.
      #expect(bench.source.state.withLock { $0.batches }.sorted() == [1, 3, 4, 4])
    }
  }

  @Test(arguments: [(4, nil), (12, 4)])
  func `what fits into one request is requested with one`(count: Int, most: Int?) async throws {
    try await Bench.with(ScriptedSource(count: count)) { bench in
      let report = try await bench.run { $0.maxItems = most }
      #expect(report.archived == 4)
      #expect(bench.source.state.withLock { $0.batches } == [4])
    }
  }

  @Test func `what did not change does not count and writes nothing`() async throws {
    try await Bench.with(ScriptedSource(count: 6)) { bench in
      _ = try await bench.run()
      let before = try bench.snapshot()
      let requests = bench.source.itemRequests.count
      let report = try await bench.run { $0.maxItems = 1 }
      #expect(report.archived == 0)
      #expect(report.unchanged == 6)
      #expect(bench.source.itemRequests.count == requests)
      #expect(try bench.snapshot() == before)
    }
  }

  @Test func `a touched item whose content is the same is not written and not counted`()
    async throws
  {
    try await Bench.with(ScriptedSource(count: 4)) { bench in
      _ = try await bench.run()
      let before = try bench.snapshot()
      for id in ["item1", "item2", "item3"] { bench.source.change(id) { $0.revision = "2" } }
      bench.source.set(ScriptedSource.article(0, pictures: 0))
      bench.source.change("item0") { $0.revision = "2" }
      // The three touched ones are newer, but the changed item takes the only place.
      let report = try await bench.run { $0.maxItems = 1 }
      #expect(report.archived == 1)
      #expect(report.unchanged == 3)
      let changed = try bench.snapshot().filter { before[$0.key] != $0.value }.keys
        .filter { $0.hasPrefix("scripted/") }
      #expect(!changed.isEmpty && changed.allSatisfy { $0.contains("article-0-") })
      let after = try await bench.run()
      #expect(after.archived == 0)
      #expect(after.unchanged == 4)
    }
  }

  @Test func `a changed text makes a version, a changed label does not`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      bench.source.change("item0") {
        $0.labels = ["swift"]
        $0.revision = "2"
      }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.item("item0").versions.isEmpty)
      #expect(try bench.page("item0").contains("swift"))
      bench.source.change("item0") {
        $0.html = ($0.html ?? "") + "<p>A new ending.</p>"
        $0.revision = "3"
      }
      #expect(try await bench.run().archived == 1)
      let versions = try bench.item("item0").versions
      #expect(versions.count == 1)
      let old = try bench.text("item0", "versions/\(versions.first ?? "")/index.html")
      #expect(!old.contains("A new ending."))
      #expect(try bench.page("item0").contains("A new ending."))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `the checkpoint is handed back and not with a full listing`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      _ = try await bench.run()
      _ = try await bench.run()
      _ = try await bench.run { $0.fullListing = true }
      #expect(bench.source.checkpoints == [nil, Checkpoint("after 2"), nil])
    }
  }

  @Test func `force fetches again, only what was requested`() async throws {
    try await Bench.with(ScriptedSource(count: 6)) { bench in
      _ = try await bench.run()
      let report = try await bench.run {
        $0.force = true
        $0.only = ["item2"]
      }
      #expect(report.archived == 1)
      #expect(bench.source.itemRequests.suffix(1) == ["item2"])
      let newest = try await bench.run {
        $0.force = true
        $0.maxItems = 2
      }
      #expect(newest.archived == 2)
      #expect(Set(bench.source.itemRequests.suffix(2)) == ["item5", "item4"])
      #expect(try await bench.run().archived == 0)
    }
  }

  @Test func `force with a limit leaves nothing behind for the next run`() async throws {
    try await Bench.with(ScriptedSource(count: 6)) { bench in
      _ = try await bench.run()
      let forced = try await bench.run {
        $0.force = true
        $0.maxItems = 2
      }
      #expect(forced.waiting == 0)
      let requests = bench.source.itemRequests.count
      _ = try await bench.run()
      #expect(bench.source.itemRequests.count == requests)
    }
  }

  @Test func `an item that its listing did not name goes by the title it came with`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock { $0.namesTitles = false }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.change("item0") {
        $0.revision = "2"
        $0.html = nil
      }
      #expect(try await bench.run().kept.map(\.title) == ["Article 0"])
    }
  }

  @Test func `a dry run tells what would be fetched and writes nothing`() async throws {
    try await Bench.with(ScriptedSource(count: 5)) { bench in
      let before = try bench.snapshot()
      let report = await bench.dryRun { $0.maxItems = 3 }
      #expect(report.sources.first?.wouldFetch.map(\.id) == ["item4", "item3", "item2"])
      #expect(report.sources.first?.plan.new == 5)
      #expect(bench.source.itemRequests.isEmpty)
      #expect(try bench.snapshot() == before)
      #expect(try await bench.run().archived == 5)
    }
  }

  @Test func `a dry run has titles where the listing has none`() async throws {
    let source = ScriptedSource(count: 2)
    source.state.withLock { $0.namesTitles = false }
    try await Bench.with(source) { bench in
      let before = await bench.dryRun { _ in }.sources.first
      #expect(before?.wouldFetch.map(\.title) == ["Article 1", "Article 0"])
      _ = try await bench.run()
      source.change("item0") {
        $0.revision = "2"
        $0.title = "Another"
      }
      // An archived item is named by its archived title.
      let after = await bench.dryRun { _ in }.sources.first
      #expect(after?.wouldFetch.map(\.title) == ["Article 0"])
      #expect(source.itemRequests.count == 2)
    }
  }

  @Test func `a dry run names what the next run takes, pinned and changed items included`()
    async throws
  {
    let source = ScriptedSource(count: 8)
    source.change("item6") { $0.error = AdapterError(.malformed, "broken") }
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 3 }
      try bench.archive.setPinned(true, ItemKey(source: "scripted", id: "item1"))
      source.change("item7") {
        $0.revision = "2"
        $0.html = ($0.html ?? "") + "<p>More of it.</p>"
      }
      for (limit, expected) in [(2, ["item1", "item7"]), (9, ["item1", "item7", "item4"])] {
        let trial = try #require(await bench.dryRun { $0.maxItems = limit }.sources.first)
        #expect(trial.wouldFetch.map(\.id).prefix(3) == expected[...])
        #expect(!trial.wouldFetch.contains { $0.id == "item6" }, "it is not due")
      }
      let trial = try #require(await bench.dryRun { $0.maxItems = 4 }.sources.first)
      let before = source.itemRequests.count
      _ = try await bench.run { $0.maxItems = 4 }
      #expect(
        source.itemRequests.dropFirst(before).sorted() == trial.wouldFetch.map(\.id).sorted())
    }
  }

  @Test func `a cancelled run keeps what it finished and the next continues`() async throws {
    try await Bench.with(ScriptedSource(count: 120)) { bench in
      let task = Task { try await bench.run() }
      while try bench.archive.catalog.itemCount(source: nil) < 20 {
        try await Task.sleep(for: .milliseconds(1))
      }
      task.cancel()
      let first = try await task.value
      #expect(first.failed.isEmpty)
      #expect(try await bench.verify().isEmpty)
      let second = try await bench.run()
      #expect(first.archived + second.archived == 120)
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `a cancelled run requests no further items`() async throws {
    let source = ScriptedSource(count: 400)
    try await Bench.with(source) { bench in
      let task = Task { try await bench.run() }
      while source.itemRequests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      task.cancel()
      let before = source.state.withLock { $0.batches.count }
      _ = try await task.value
      // Two requests are made at a time.
      #expect(source.state.withLock { $0.batches.count } <= before + 2)
    }
  }

  @Test func `a signature that changes with every delivery changes nothing and is not kept`()
    async throws
  {
    let source = ScriptedSource()
    let file = "http://source.example/file.pdf"
    func deliver(_ signature: String, revision: String) {
      let signed = "\(file)?X-Amz-Date=1&X-Amz-Signature=\(signature)"
      var item = ScriptedSource.article(0, pictures: 0)
      item.revision = revision
      item.html? += "<img src='/p.gif?X-Amz-Signature=\(signature)'><a href='\(signed)'>paper</a>"
      item.html? +=
        "<a href='http://other.example/x?a=b&amp;x-amz-signature=\(signature)'>other</a>"
      item.attachments = WebURL(signed).map { [Attachment(.file, .remote($0))] } ?? []
      source.set(item)
    }
    source.picture("/file.pdf", .data(Array("%PDF-1.7\n%%EOF".utf8), type: "application/pdf"))
    deliver("s1gned-0ne", revision: "1")
    try await Bench.with(source) { bench in
      let first = try await bench.run()
      #expect(first.archived == 1)
      let page = try bench.page("item0")
      #expect(!page.contains("s1gned"))
      #expect(page.contains("<a href=\"assets/"))
      #expect(page.contains("href=\"http://other.example/x\""))
      deliver("s1gned-tw0", revision: "2")
      let second = try await bench.run()
      #expect(second.archived == 0)
      #expect(second.unchanged == 1)
    }
  }

  @Test func `an item without a title goes by its address`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") { $0.title = "" }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let item = try bench.item("item0")
      #expect(item.metadata.title == "site.example/item0")
      #expect(item.folder.hasPrefix("scripted/site-example-item0-"))
    }
  }

  @Test func `hostile titles and ids become safe folders`() async throws {
    let source = ScriptedSource()
    let odd = [
      "../../etc/passwd", "a/b", "..", ".", "con", String(repeating: "x", count: 900), "😀",
      "a\u{0}b",
      "<script>alert(1)</script>", "same", "Same",
    ]
    for (number, text) in odd.enumerated() {
      var item = ScriptedSource.article(number)
      item.id = text
      item.title = text
      source.set(item)
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == odd.count)
      #expect(try bench.bundles().count == odd.count)
      #expect(try await bench.verify().isEmpty)
      #expect(!(try bench.page("<script>alert(1)</script>").contains("<script")))
    }
  }
}
