import ArchiverCore
import ArchiverStorage
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Checkpoints expire, and gaps of a listing are reported.
@Suite struct WholeListingTests {
  @Test func `a source is listed completely once a week although it has a checkpoint`() async throws
  {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      bench.source.state.withLock { $0.isIncremental = true }
      _ = try await bench.run()
      // Only a full listing detects items that disappeared without a report.
      bench.source.set(ScriptedSource.article(7))
      for _ in 0..<6 {
        bench.advance(hours: 24)
        #expect(try await bench.run().archived == 0)
      }
      bench.advance(hours: 24)
      #expect(try await bench.run().archived == 1)
      #expect(
        bench.source.checkpoints.map { $0 == nil } == [true] + Array(repeating: false, count: 6) + [
          true
        ])
      let found = try bench.archive.catalog.discovery(source: "scripted")
      #expect(found.wholeFound == 4)
      #expect(found.wholeListed != nil)
    }
  }

  @Test func `a source is listed completely after the clock went back`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      bench.source.state.withLock { $0.isIncremental = true }
      bench.advance(hours: 48)
      _ = try await bench.run()
      bench.advance(hours: -48)
      _ = try await bench.run()
      #expect(bench.source.checkpoints == [nil, nil])
      _ = try await bench.run()
      #expect(bench.source.checkpoints.last??.value == "after 1")
    }
  }

  @Test func `a dry run lists completely when the run would`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      bench.source.state.withLock { $0.isIncremental = true }
      _ = try await bench.run()
      bench.source.set(ScriptedSource.article(7))
      #expect(await bench.dryRun { _ in }.sources.first?.wouldFetch.isEmpty == true)
      bench.advance(hours: 24 * 7)
      #expect(await bench.dryRun { _ in }.sources.first?.wouldFetch.map(\.id) == ["item7"])
    }
  }

  @Test func `gaps of a listing are reported and delete nothing`() async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      _ = try await bench.run()
      bench.source.state.withLock { state in
        state.items["item1"] = nil
        state.gaps = [
          ListingGap("The page \"Plans\" answered 500", isEssential: true),
          ListingGap("Names of users are not known", isEssential: false),
        ]
      }
      let report = try await bench.run()
      #expect(report.gaps.map(\.message) == ["The page \"Plans\" answered 500"])
      #expect(!report.isWhole)
      #expect(report.plan.deleted == 0)
      let run = try bench.archive.catalog.runs(source: "scripted", limit: 1).first
      #expect(run?.outcome == .partial)
      #expect(run?.failure == "The page \"Plans\" answered 500")
      bench.source.state.withLock { $0.gaps = [] }
      #expect(try await bench.run().plan.deleted == 1)
    }
  }

  @Test func `a listing that returns no page deletes nothing`() async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      _ = try await bench.run()
      bench.source.state.withLock { $0.isPageless = true }
      #expect(try await bench.run { $0.fullListing = true }.plan.deleted == 0)
      bench.source.state.withLock {
        $0.isPageless = false
        $0.items["item1"] = nil
      }
      #expect(try await bench.run().plan.deleted == 1)
    }
  }

  @Test func `more items than there are numbers may be requested`() async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      let report = try await bench.run {
        $0.maxItems = .max
        $0.force = true
      }
      #expect(report.archived == 3)
    }
  }

  @Test func `another account's items do not come into the archive unasked`() async throws {
    let source = ScriptedSource(count: 2)
    source.state.withLock { $0.account = SourceAccount(id: "1", name: "alice") }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock { state in
        state.account = SourceAccount(id: "2", name: "bob")
        state.items = [:]
      }
      bench.advance(hours: 24 * 7)
      let report = try await bench.run()
      #expect(report.failure?.code == .unauthorized)
      #expect(report.failure?.message.contains("bob") == true)
      #expect(try bench.archive.catalog.deletedItems(source: "scripted").isEmpty)
      let accepted = try await bench.run { $0.acceptsAccount = true }
      #expect(accepted.failure == nil)
      #expect(accepted.plan.deleted == 2)
      #expect(try await bench.run().failure == nil)
    }
  }

  @Test(arguments: [nil, SourceAccount(id: "1", name: "alice")])
  func `another server's items do not come into the archive unasked`(
    account: SourceAccount?
  ) async throws {
    let source = ScriptedSource(count: 3)
    source.state.withLock { $0.account = account }
    try await Bench.with(source) { bench in
      bench.use(credential: "a")
      #expect(try await bench.run().archived == 3)
      let own = source.state.withLock { $0.items }
      bench.use(credential: "b")
      source.state.withLock { $0.items = [:] }
      for number in 10..<25 { source.set(ScriptedSource.article(number)) }
      for _ in 0..<2 {
        let report = try await bench.run()
        #expect(report.failure?.code == .unauthorized)
        #expect(
          report.failure?.message.contains("15 items, none of the 3 archived ones") == true)
        #expect(report.archived == 0)
        #expect(try bench.archive.catalog.deletedItems(source: "scripted").isEmpty)
        #expect(
          try bench.archive.catalog.workCount(
            source: "scripted", WorkSelection(now: .distantFuture)) == 0)
      }
      // The server moved, with its items.
      source.state.withLock { state in own.forEach { state.items[$0] = $1 } }
      #expect(try await bench.run().archived == 15)
      bench.use(credential: "c")
      source.state.withLock { $0.items = [:] }
      source.set(ScriptedSource.article(30))
      #expect(try await bench.run { $0.acceptsAccount = true }.archived == 1)
      #expect(try await bench.run().failure == nil)
    }
  }

  @Test func `a listing with gaps under a new login is judged again`() async throws {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      bench.use(credential: "a")
      _ = try await bench.run()
      let own = source.state.withLock { $0.items }
      bench.use(credential: "b")
      source.state.withLock { state in
        state.items = [:]
        state.gaps = [ListingGap("The page \"Plans\" answered 500", isEssential: true)]
      }
      source.set(ScriptedSource.article(9))
      let report = try await bench.run()
      #expect(report.failure == nil && !report.isWhole && report.archived == 0)
      source.state.withLock { $0.gaps = [] }
      #expect(try await bench.run().failure?.code == .unauthorized)
      source.state.withLock { state in own.forEach { state.items[$0] = $1 } }
      #expect(try await bench.run().archived == 1)
    }
  }

  @Test func `a new login to a source without the archived items' originals is accepted`()
    async throws
  {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      bench.use(credential: "a")
      _ = try await bench.run()
      source.state.withLock { $0.items = [:] }
      #expect(try await bench.run().plan.deleted == 2)
      bench.use(credential: "b")
      source.set(ScriptedSource.article(9))
      #expect(try await bench.run().archived == 1)
    }
  }
}
