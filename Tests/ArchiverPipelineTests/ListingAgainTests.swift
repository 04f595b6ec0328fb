import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Listings that break off, that are read again, and whose items are asked about.
@Suite struct ListingAgainTests {
  private static let broken = AdapterError(
    .unavailable, "the list broke off", underlying: HTTPError(.connectionLost, "lost"))
  private static let odd = AdapterError(.malformed, "the list is odd")

  @Test(arguments: [(0, broken, 0), (10, odd, 10)])
  func `a listing that had not begun, or that was answered, is not read again`(
    page: Int, error: AdapterError, archived: Int
  ) async throws {
    let source = ScriptedSource(count: 25)
    source.state.withLock { $0.pageErrors = [page: error] }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failure?.message == error.message)
      #expect(report.archived == archived)
      #expect(source.checkpoints.count == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a listing is read again from where it began`(isWhole: Bool) async throws {
    let source = ScriptedSource(count: 25)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 0 }
      source.state.withLock { $0.pageErrors = [10: Self.broken] }
      let report = try await bench.run {
        $0.maxItems = 0
        $0.fullListing = isWhole
      }
      #expect(report.failure == nil)
      let checkpoint = isWhole ? nil : Checkpoint("after 25")
      #expect(source.checkpoints == [nil, checkpoint, checkpoint])
    }
  }

  @Test func `a whole listing that is read again counts its items once`() async throws {
    let source = ScriptedSource(count: 25)
    source.state.withLock { $0.pageErrors = [20: Self.broken] }
    try await Bench.with(source) { bench in
      let report = try await bench.run { $0.maxItems = 0 }
      #expect(report.failure == nil && report.plan.new == 25)
      #expect(try bench.archive.catalog.discovery(source: "scripted").wholeFound == 25)
    }
  }

  @Test(arguments: [(nil, nil, false), ("a", "b", true)] as [(String?, String?, Bool)])
  func `other items than before are accepted when their listing is read again`(
    first: String?, second: String?, acceptsAccount: Bool
  ) async throws {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      bench.use(credential: first)
      #expect(try await bench.run().archived == 2)
      bench.use(credential: second)
      source.state.withLock { state in
        state.items = [:]
        state.pageErrors = [10: Self.broken]
      }
      for number in 10..<25 { source.set(ScriptedSource.article(number)) }
      let report = try await bench.run {
        $0.maxItems = 0
        $0.fullListing = true
        $0.acceptsAccount = acceptsAccount
      }
      #expect(report.failure == nil)
      #expect(report.plan.new == 15)
    }
  }

  @Test func `of several gaps all are reported and the first one explains the run`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock {
      $0.gaps = ["first", "second"].map { ListingGap("the \($0) page fails", isEssential: true) }
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.gaps.map(\.message) == ["the first page fails", "the second page fails"])
      let record = try bench.archive.catalog.runs(source: "scripted", limit: 1).first
      #expect(record?.outcome == .partial && record?.failure == "the first page fails")
    }
  }

  @Test func `a run that is cancelled is no success of its source and no failure`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await bench.run()
      }
      _ = try await task.value
      let record = try bench.archive.catalog.runs(source: "scripted", limit: 1).first
      #expect(record?.outcome == .interrupted && record?.failure == nil)
    }
  }

  @Test(
    arguments: [
      (1, [100]), (100, [100]), (101, [100, 100]), (200, [100, 100]), (201, [100, 100, 50]),
      (1_000, [100, 100, 50]),
    ] as [(Int, [Int])])
  func `ids are asked about by the hundred until the limit of a run is reached`(
    limit: Int, counts: [Int]
  ) async throws {
    let source = ScriptedSource()
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      try bench.record((0..<250).map { "item\($0)" })
      try await bench.plan(askedAtMost: limit)
      #expect(source.state.withLock { $0.standingRequests.map(\.count) } == counts)
    }
  }

  @Test func `a run that reaches the end of the ids asks about none of them twice`() async throws {
    let ids = (100..<350).map { "item\($0)" }
    let source = ScriptedSource()
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      try bench.record(ids)
      try await bench.plan(askedAtMost: 100)
      // Half of those that were asked about are listed again.
      for id in ids.prefix(50) { source.set(ScriptedSource.Item(id: id, title: id, html: nil)) }
      source.state.withLock { $0.standingRequests = [] }
      try await bench.plan(askedAtMost: 1_000)
      let asked = source.state.withLock { $0.standingRequests }
      #expect(asked.map(\.count) == [100, 50, 50])
      #expect(asked.joined().sorted() == Array(ids.dropFirst(50)))
    }
  }
}
