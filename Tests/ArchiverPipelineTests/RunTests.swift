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
      // Something newer arrives; it goes before what waits.
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
      // The three touched ones are newer, yet the one place goes to the item that has news.
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

  @Test func `an address is asked for once, however many items show it`() async throws {
    let source = ScriptedSource()
    for number in 0..<12 {
      var item = ScriptedSource.article(number, pictures: 0)
      item.html? += "<img src=\"/shared.gif\"><img src=\"/shared.gif#x\">"
      source.set(item)
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 12)
      #expect(bench.requests("/shared.gif") == 1)
      #expect(try bench.page("item3").contains("assets/"))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `a picture that is gone leaves words and is not asked for every night`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(404))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 1)
      #expect(try bench.page("item0").contains("404 Not Found"))
      let again = try await bench.run()
      #expect(again.archived == 0)
      #expect(bench.requests("/pic/0-0.gif") == 1)
    }
  }

  @Test func `a picture that failed for a moment is fetched on a later run`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(503))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().imagesMissing == 1)
      #expect(try await bench.run().archived == 0)
      source.picture("/pic/0-0.gif", nil)
      bench.advance(hours: 30)
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 0)
      #expect(try bench.item("item0").missingImages == 0)
      #expect(try bench.item("item0").versions.isEmpty)
    }
  }

  @Test func `the next candidate serves when the best picture fails`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.html? += "<img src=\"/small.gif\" srcset=\"/large.gif 1600w, /small.gif 400w\">"
    source.set(item)
    source.picture("/large.gif", ServerResponse(410))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      #expect(report.images == 1)
      #expect(bench.requests("/large.gif") == 1)
      #expect(bench.requests("/small.gif") == 1)
    }
  }

  @Test func `a web page in place of a picture is refused`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", .text("<!doctype html><title>Log in</title>", type: "image/gif"))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 1)
      #expect(try bench.page("item0").contains("web page in place of the picture"))
    }
  }

  @Test func `an item that lost its text keeps its bundle`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      let before = try bench.snapshot()
      for (revision, html) in [("2", nil), ("3", "<p>Please log in to continue.</p>")] {
        bench.source.change("item0") {
          $0.html = html
          $0.revision = revision
        }
        let report = try await bench.run()
        #expect(report.archived == 0)
        #expect(report.kept.count == 1)
        #expect(try bench.snapshot() == before)
      }
      #expect(try await bench.run().kept.isEmpty)
    }
  }

  @Test func `a picture that vanished from the source stays in the bundle`() async throws {
    let source = ScriptedSource(count: 1)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.picture("/pic/0-0.gif", ServerResponse(404))
      source.change("item0") {
        $0.html = ($0.html ?? "") + "<p>A new ending.</p>"
        $0.revision = "2"
      }
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 0)
      #expect(try bench.item("item0").imageCount == 1)
    }
  }

  @Test func `a failed item is reported, tried again later and given up in the end`() async throws {
    let source = ScriptedSource(count: 3)
    source.change("item1") { $0.error = AdapterError(.malformed, "field title is no text") }
    try await Bench.with(source) { bench in
      let report = try await bench.run { $0.limits[.attempts] = 3 }
      #expect(report.archived == 2)
      #expect(report.failed.map(\.id) == ["item1"])
      #expect(report.failed.first?.message == "field title is no text")
      #expect(try await bench.run { $0.limits[.attempts] = 3 }.failed.isEmpty)
      for _ in 0..<2 {
        bench.advance(hours: 200)
        #expect(try await bench.run { $0.limits[.attempts] = 3 }.failed.count == 1)
      }
      bench.advance(hours: 10_000)
      #expect(try await bench.run { $0.limits[.attempts] = 3 }.failed.isEmpty)
      let failures = try bench.archive.catalog.failures(source: nil)
      #expect(failures.map(\.work.gaveUp) == [true])
      source.change("item1") {
        $0.error = nil
        $0.revision = "2"
      }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
    }
  }

  @Test func `what the source deleted is kept and marked`() async throws {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let before = try bench.bundles()
      source.state.withLock { $0.items["item1"] = nil }
      _ = try await bench.run { $0.fullListing = true }
      #expect(try bench.item("item1").state == .deleted)
      #expect(try bench.bundles() == before)
    }
  }

  @Test func `what is deleted between listing and fetching costs the others nothing`() async throws
  {
    try await Bench.with(ScriptedSource(count: 6)) { bench in
      _ = try await bench.run { $0.maxItems = 2 }
      bench.source.change("item5") {
        $0.revision = "2"
        $0.error = AdapterError(.notFound, "There is no item5")
      }
      bench.source.change("item2") { $0.error = AdapterError(.notFound, "There is no item2") }
      let report = try await bench.run { $0.maxItems = 3 }
      #expect(report.archived == 3)
      #expect(report.failed.isEmpty)
      #expect(Set(report.deferred.map(\.id)) == ["item2", "item5"])
      #expect(try bench.item("item5").state == .archived)
      #expect(try bench.page("item5").contains("word5x7"))
      #expect(try bench.ids() == ["item0", "item1", "item3", "item4", "item5"])
      // The next listing tells: one is really gone, the other was only out of reach.
      bench.source.state.withLock { $0.items["item5"] = nil }
      bench.source.change("item2") { $0.error = nil }
      let next = try await bench.run()
      #expect(next.archived == 1)
      #expect(next.waiting == 0)
      #expect(try bench.item("item5").state == .deleted)
    }
  }

  @Test func `what the source withholds stays, whatever becomes of deleted items`() async throws {
    let source = ScriptedSource(count: 230)
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let before = try bench.bundles()
      for number in 0..<220 { source.state.withLock { $0.items["item\(number)"] = nil } }
      source.state.withLock {
        $0.standings = ["item1": .withheld, "item2": .gone, "item3": .available]
      }
      // A listing since a checkpoint need not name what did not change.
      _ = try await bench.run()
      #expect(source.state.withLock { $0.standingRequests }.isEmpty)
      let report = try await bench.run {
        $0.fullListing = true
        $0.onDeleted = .remove
      }
      #expect((report.plan.withheld, report.plan.deleted) == (1, 1))
      #expect(source.state.withLock { $0.standingRequests.map(\.count) } == [100, 100, 20])
      #expect(try bench.item("item1").state == .withheld)
      #expect(try bench.item("item3").state == .archived)
      #expect(try bench.bundles().count == before.count - 1)
      #expect(try bench.archive.catalog.item(ItemKey(source: "scripted", id: "item2")) == nil)
      #expect(try bench.library("problems.html").contains("data-w=\"withheldItems\""))
      #expect(try bench.archive.catalog.sources().first?.withheld == 1)

      source.set(ScriptedSource.article(1))
      let third = try await bench.run()
      #expect(third.plan.returned == 1)
      #expect(try bench.item("item1").state == .archived)
      #expect(!(try bench.library("problems.html").contains("withheldItems")))
    }
  }

  @Test func `a listing with gaps deletes nothing`() async throws {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock {
        $0.items["item1"] = nil
        $0.isComplete = false
      }
      _ = try await bench.run { $0.fullListing = true }
      #expect(try bench.item("item1").state == .archived)
    }
  }

  @Test func `a refused token ends the source and touches nothing`() async throws {
    let source = ScriptedSource(count: 5)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 2 }
      let before = try bench.snapshot()
      source.state.withLock {
        $0.listingError = AdapterError(.unauthorized, "The token was refused")
      }
      let report = try await bench.run()
      #expect(report.failure?.code == .unauthorized)
      #expect(report.archived == 0)
      #expect(try bench.snapshot() == before)
      source.state.withLock { $0.listingError = nil }
      #expect(try await bench.run().archived == 3)
    }
  }

  @Test func `a source that drops away in mid-run blames no item`() async throws {
    let source = ScriptedSource(count: 30)
    for number in 0..<20 {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "connection refused") }
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failure?.code == .unavailable)
      #expect(report.archived == 10)
      #expect(report.failed.isEmpty)
      #expect(source.itemRequests.count < 30)
      for number in 0..<20 { source.change("item\(number)") { $0.error = nil } }
      #expect(try await bench.run().archived == 20)
    }
  }

  @Test func `a source that drops away is waited for, and the run goes on where it was`()
    async throws
  {
    let source = ScriptedSource(count: 30)
    for number in 0..<20 {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "connection refused") }
    }
    try await Bench.with(source) { bench in
      bench.whenAsleep { pauses in
        guard pauses == 2 else { return }
        for number in 0..<20 { source.change("item\(number)") { $0.error = nil } }
        source.answersHead.withLock { $0 = true }
      }
      source.answersHead.withLock { $0 = false }
      let report = try await bench.run { $0.patience = .seconds(60) }
      #expect(report.failure == nil)
      #expect(report.archived == 30)
      #expect(report.failed.isEmpty)
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `patience with a source that dropped away has an end, and blames no item`()
    async throws
  {
    let source = ScriptedSource(count: 30)
    for number in 0..<20 {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "connection refused") }
    }
    try await Bench.with(source) { bench in
      let pauses = Mutex(0)
      bench.whenAsleep { _ in pauses.withLock { $0 += 1 } }
      // It answers, but its items are not to be had.
      source.answersHead.withLock { $0 = true }
      let report = try await bench.run { $0.patience = .seconds(60) }
      #expect(report.failure?.code == .unavailable)
      #expect(report.archived == 10)
      #expect(report.failed.isEmpty)
      #expect((1...12).contains(pauses.withLock { $0 }))
    }
  }

  @Test func `an item that is still loading is taken on the next run`() async throws {
    let source = ScriptedSource(count: 3)
    source.change("item2") { $0.error = AdapterError(.notReady, "it is still loading") }
    try await Bench.with(source) { bench in
      let report = try await bench.run { $0.maxItems = 2 }
      #expect(report.archived == 2)
      #expect(report.deferred.map(\.id) == ["item2"])
      #expect(report.failed.isEmpty)
      source.change("item2") { $0.error = nil }
      #expect(try await bench.run().archived == 1)
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

  @Test func `force fetches again, only what was asked for`() async throws {
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

  @Test func `without images the text is archived with words for each`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      let report = try await bench.run { $0.fetchImages = false }
      #expect(report.archived == 2)
      #expect(bench.requests("/pic/0-0.gif") == 0)
      #expect(try bench.page("item0").contains("--no-images"))
    }
  }

  @Test func `an id that nobody knows is told`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      let dryRun = await bench.dryRun { $0.only = ["item1", "nosuch"] }
      #expect(dryRun.unknownIDs == ["nosuch"])
      let first = try await bench.run { $0.only = ["item1", "nosuch"] }
      #expect(first.archived == 1)
      #expect(first.unknown == ["nosuch"])
      // One is archived, one waits: both are known.
      #expect(try await bench.run { $0.only = ["item1", "item0"] }.unknown.isEmpty)
      let other = SourceReport(name: "other", kind: "other")
      #expect(RunReport(sources: [first, other]).unknownIDs.isEmpty)
      #expect(RunReport(sources: [first]).unknownIDs == ["nosuch"])
    }
  }

  @Test func `without images those that are archived stay`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      bench.source.change("item0") {
        $0.revision = "2"
        $0.html = ($0.html ?? "") + "<p>More.</p><img src=\"/pic/late.gif\">"
      }
      let report = try await bench.run { $0.fetchImages = false }
      #expect(report.archived == 1)
      #expect(report.images == 1)
      #expect(report.imagesMissing == 1)
      #expect(bench.requests("/pic/0-0.gif") == 1)
      #expect(bench.requests("/pic/late.gif") == 0)
      #expect(try await bench.verify().isEmpty)
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

  @Test func `a run cancelled while it lists is no failure of the source`() async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return (try await bench.run(), await bench.dryRun { _ in })
      }
      let (run, dryRun) = try await task.value
      #expect(run.failure?.code == .cancelled)
      #expect(run.archived == 0)
      #expect(dryRun.wasCancelled)
      #expect(dryRun.sources.first?.failure == nil)
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

  @Test func `a cancelled run keeps what it finished and the next goes on`() async throws {
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
    source.picture("/file.pdf", .data(Array("%PDF-1.7".utf8), type: "application/pdf"))
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
