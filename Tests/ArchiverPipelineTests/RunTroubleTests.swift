import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Runs with a source that refuses, becomes unreachable, loses items or delivers worse copies.
@Suite struct RunTroubleTests {
  @Test func `an item that lost its text keeps its bundle`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      let (before, page) = (try bench.snapshot(), try bench.page("item0"))
      for (revision, html) in [("2", nil), ("3", "<p>Please log in to continue.</p>")] {
        bench.source.change("item0") {
          $0.html = html
          $0.revision = revision
        }
        let report = try await bench.run()
        #expect(report.archived == 0)
        #expect(report.kept.count == 1)
        #expect(
          ReadingPage.body(of: Array(try bench.page("item0").utf8))
            == ReadingPage.body(of: Array(page.utf8)))
        // Without delivered HTML there is nothing to hold back.
        #expect(try bench.snapshot() == before || html != nil)
        #expect(try (bench.item("item0").heldBack == nil) == (html == nil))
      }
      #expect(try await bench.run().kept.isEmpty)
    }
  }

  @Test func `a failed item is reported, retried later and given up in the end`() async throws {
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

  @Test func `an item deleted between listing and fetching affects no other`() async throws {
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
      // The next listing decides: one was deleted, the other was only unreachable.
      bench.source.state.withLock { $0.items["item5"] = nil }
      bench.source.change("item2") { $0.error = nil }
      let next = try await bench.run()
      #expect(next.archived == 1)
      #expect(next.waiting == 0)
      #expect(try bench.item("item5").state == .deleted)
    }
  }

  @Test func `what the source withholds stays, whatever happens to deleted items`() async throws {
    let source = ScriptedSource(count: 230)
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let before = try bench.bundles()
      for number in 0..<220 { source.state.withLock { $0.items["item\(number)"] = nil } }
      source.state.withLock {
        $0.standings = ["item1": .withheld, "item2": .gone, "item3": .available]
      }
      // An incremental listing need not return unchanged items.
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

  @Test func `ids beyond the limit of one run are queried by the next`() async throws {
    let source = ScriptedSource(count: 250)
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      for number in 0..<250 { source.state.withLock { $0.items["item\(number)"] = nil } }
      var asked: [Set<String>] = []
      for _ in 0..<4 {
        source.state.withLock { $0.standingRequests = [] }
        try await bench.plan(askedAtMost: 100)
        asked.append(Set(source.state.withLock { $0.standingRequests.joined() }))
      }
      // The third reaches the end and continues at the beginning.
      #expect(asked.map(\.count) == [100, 100, 150, 100])
      #expect(asked[0].isDisjoint(with: asked[1]))
      #expect(asked[0].union(asked[1]).union(asked[2]).count == 250)
    }
  }

  @Test func `one run queries 5,000 ids`() async throws {
    let source = ScriptedSource()
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      try bench.record((0..<5_150).map { "item\($0)" })
      try await bench.plan()
      #expect(source.state.withLock { $0.standingRequests.joined().count } == 5_000)
    }
  }

  @Test(arguments: [5, 86_400])
  func `an item is retried when its source said to come back`(seconds: Int) async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.error = AdapterError(.malformed, "later", retryAfter: .seconds(seconds))
    }
    try await Bench.with(source) { bench in
      let start = Date()
      #expect(try await bench.run().failed.count == 1)
      let next = try bench.archive.catalog.failures(source: nil).first?.work.nextAttempt
      let wait = try #require(next).timeIntervalSince(start)
      #expect((Double(seconds)..<Double(seconds) + 60).contains(wait), "\(wait)")
    }
  }

  @Test(arguments: [nil, 86_400])
  func `an item that is not ready is put off for as long as its source said`(seconds: Int?)
    async throws
  {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.error = AdapterError(.notReady, "later", retryAfter: seconds.map { .seconds($0) })
    }
    try await Bench.with(source) { bench in
      let first = try await bench.run()
      #expect(first.deferred.count == 1)
      source.change("item0") { $0.error = nil }
      let trial = await bench.dryRun { $0.fullListing = true }
      let isDue = seconds == nil
      let promised = trial.sources.first?.wouldFetch.map(\.id)
      #expect(promised == (isDue ? ["item0"] : []))
      let archived = try await bench.run().archived
      #expect(archived == (isDue ? 1 : 0))
    }
  }

  @Test(arguments: [AdapterError.Code.notFound, .notReady])
  func `an item that is put off for 8 days has failed`(code: AdapterError.Code) async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") { $0.error = AdapterError(code, "not there") }
    try await Bench.with(source) { bench in
      for _ in 0..<8 {
        let report = try await bench.run { $0.fullListing = true }
        #expect(report.deferred.count == 1 && report.failed.isEmpty)
        bench.advance(hours: 24)
      }
      let report = try await bench.run { $0.fullListing = true }
      #expect(report.deferred.isEmpty)
      #expect(report.failed.first?.message.contains("not there; the source has listed it") == true)
      let failures = try bench.archive.catalog.failures(source: nil)
      #expect(failures.map(\.work.attempts) == [1])
      // The schedule of failing items.
      let next = try await bench.run { $0.fullListing = true }
      #expect(next.deferred.isEmpty && next.failed.isEmpty && next.stillFailing == 1)
      bench.advance(hours: 2)
      #expect(try await bench.run().failed.count == 1)
      source.change("item0") { $0.error = nil }
      bench.advance(hours: 24)
      #expect(try await bench.run().archived == 1)
      #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
    }
  }

  @Test func `a dry run promises no item whose next attempt is not due`() async throws {
    let source = ScriptedSource(count: 2)
    source.change("item0") { $0.error = AdapterError(.malformed, "broken") }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let trial = await bench.dryRun { $0.fullListing = true }
      #expect(trial.sources.first?.wouldFetch.map(\.id) == [])
      #expect(trial.sources.first?.waiting == 1)
      source.change("item0") { $0.revision = "2" }
      let changed = await bench.dryRun { $0.fullListing = true }
      #expect(changed.sources.first?.wouldFetch.map(\.id) == ["item0"])
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

  @Test func `a source that becomes unreachable during a run blames no item`() async throws {
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

  @Test func `a source that becomes unreachable is waited for, and the run continues where it was`()
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

  @Test func `patience with a source that became unreachable has an end, and blames no item`()
    async throws
  {
    let source = ScriptedSource(count: 30)
    for number in 0..<20 {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "connection refused") }
    }
    try await Bench.with(source) { bench in
      let pauses = Mutex(0)
      bench.whenAsleep { _ in pauses.withLock { $0 += 1 } }
      // It responds, but its items are unavailable.
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

  @Test func `an unknown id is reported`() async throws {
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
      #expect(RunReport(sources: [first], wasCancelled: true).unknownIDs.isEmpty)
    }
  }

  @Test func `a run that was cancelled does not say that its time was over`() {
    #expect(!RunReport(wasCancelled: true).isTimeUp)
  }

  @Test func `a run cancelled during the listing is not a failure of the source`() async throws {
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
}
