import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What a run still does for a source whose listing fails.
@Suite struct FailingListingTests {
  @Test(arguments: [AdapterError.Code.unavailable, .malformed, .tooLarge, .notFound])
  func `a listing that fails does not keep queued items from being archived`(
    code: AdapterError.Code
  ) async throws {
    let source = ScriptedSource(count: 7)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 2 }
      source.state.withLock { $0.listingError = AdapterError(code, "the list fails") }
      let second = try await bench.run { $0.maxItems = 2 }
      #expect((second.archived, second.waiting) == (2, 3))
      #expect(second.failure?.message == "the list fails")
      let third = try await bench.run()
      #expect((third.archived, third.waiting) == (3, 0))
      #expect(third.failure?.code == code)
      #expect(try bench.ids().count == 7)
      // No such night counts as a full listing.
      let known = try bench.archive.catalog.discovery(source: "scripted").wholeListed
      bench.advance(hours: 24 * 8)
      _ = try await bench.run()
      #expect(try bench.archive.catalog.discovery(source: "scripted").wholeListed == known)
    }
  }

  @Test(arguments: [AdapterError.Code.unauthorized, .configuration])
  func `a refused listing ends the source's run`(code: AdapterError.Code) async throws {
    let source = ScriptedSource(count: 4)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 2 }
      source.state.withLock { $0.listingError = AdapterError(code, "refused") }
      let asked = source.itemRequests.count
      let report = try await bench.run()
      #expect((report.archived, report.failure?.code) == (0, code))
      #expect(source.itemRequests.count == asked)
    }
  }

  @Test func `no item is asked of a server that does not respond`() async throws {
    let source = ScriptedSource(count: 4)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 2 }
      source.answersHead.withLock { $0 = false }
      source.state.withLock { $0.listingError = AdapterError(.unavailable, "no answer") }
      let asked = source.itemRequests.count
      let report = try await bench.run()
      #expect((report.archived, report.failure?.message) == (0, "no answer"))
      #expect(source.itemRequests.count == asked)
    }
  }

  @Test func `one id whose availability is not told costs its own request alone`() async throws {
    let source = ScriptedSource(count: 250)
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      for number in 0..<250 { source.state.withLock { $0.items["item\(number)"] = nil } }
      source.state.withLock {
        for number in 0..<250 { $0.standings["item\(number)"] = .gone }
        $0.failingStandings = ["item0"]
      }
      let report = try await bench.run { $0.fullListing = true }
      #expect(report.failure == nil)
      #expect(source.state.withLock { $0.standingRequests.map(\.count) } == [100, 100, 50])
      #expect(report.plan.deleted == 150)
      // Every id is asked about again by the next full listing.
      source.state.withLock { $0.failingStandings = [] }
      #expect(try await bench.run { $0.fullListing = true }.plan.deleted == 100)
    }
  }

  @Test func `after three failures in a row no more ids are queried`() async throws {
    let source = ScriptedSource()
    let ids = (0..<1_000).map { "item\($0)" }
    source.state.withLock {
      $0.isComplete = false
      // The third of the hundreds of ids is answered.
      $0.failingStandings = Set(
        ids.sorted().enumerated().filter { $0.offset / 100 != 2 }.map(\.element))
    }
    try await Bench.with(source) { bench in
      try bench.record(ids)
      try await bench.plan()
      #expect(source.state.withLock { $0.standingRequests.count } == 6)
    }
  }

  private static let broken = AdapterError(
    .unavailable, "the list broke off", underlying: HTTPError(.connectionLost, "lost"))

  @Test func `a listing during which the server restarts is read again in the same run`()
    async throws
  {
    let source = ScriptedSource(count: 25)
    source.state.withLock { $0.pageErrors = [20: Self.broken] }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      bench.whenAsleep { pauses in
        if pauses == 2 { source.answersHead.withLock { $0 = true } }
      }
      let report = try await bench.run { $0.patience = .seconds(60) }
      #expect(report.failure == nil && report.isWhole)
      #expect((report.plan.new, report.plan.selected, report.archived) == (25, 25, 25))
      #expect(try bench.archive.catalog.discovery(source: "scripted").wholeListed != nil)
    }
  }

  @Test(arguments: [0, 20])
  func `a server that stays away while it is listed ends the source's run`(wait: Int)
    async throws
  {
    let source = ScriptedSource(count: 25)
    source.state.withLock { $0.pageErrors = [10: Self.broken] }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let pauses = Mutex(0)
      bench.whenAsleep { _ in pauses.withLock { $0 += 1 } }
      let report = try await bench.run { $0.patience = .seconds(wait) }
      #expect((report.archived, report.failure?.message) == (0, "the list broke off"))
      #expect(pauses.withLock { $0 } == wait / 5)
    }
  }

  @Test func `a listing that loses its connection is read again once, and not a second time`()
    async throws
  {
    let source = ScriptedSource(count: 25)
    source.state.withLock { $0.pageErrors = [10: Self.broken] }
    try await Bench.with(source) { bench in
      let report = try await bench.run { $0.maxItems = 1 }
      #expect((report.failure == nil, report.plan.new, report.archived) == (true, 25, 1))
      #expect(source.checkpoints.count == 2)
      source.state.withLock { $0.pageErrors = [10: Self.broken, 20: Self.broken] }
      let next = try await bench.run {
        $0.maxItems = 1
        $0.fullListing = true
      }
      #expect((next.failure?.message, next.archived) == ("the list broke off", 1))
      #expect(source.checkpoints.count == 4)
    }
  }

  @Test func `a server that is down from the start is not waited for while it is listed`()
    async throws
  {
    let source = ScriptedSource(count: 2)
    source.state.withLock { $0.pageErrors = [0: Self.broken] }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let pauses = Mutex(0)
      bench.whenAsleep { _ in pauses.withLock { $0 += 1 } }
      let report = try await bench.run { $0.patience = .seconds(60) }
      #expect(report.failure?.message == "the list broke off")
      #expect(pauses.withLock { $0 } == 0)
    }
  }

  @Test func `the wait for a listing is part of the time that a run waits for its source`()
    async throws
  {
    let source = ScriptedSource(count: 11)
    source.state.withLock { $0.pageErrors = [10: Self.broken] }
    source.answersHead.withLock { $0 = false }
    for number in 0..<11 { source.picture("/pic/\(number)-0.gif", ServerResponse(503)) }
    try await Bench.with(source) { bench in
      let pauses = Mutex(0)
      bench.whenAsleep { _ in pauses.withLock { $0 += 1 } }
      // It responds after 20 seconds, long enough to be listed.
      source.nextHeads.withLock { $0 = [false, false, false, false, true] }
      let report = try await bench.run { $0.patience = .seconds(30) }
      #expect(report.failure?.code == .unavailable)
      #expect((5...8).contains(pauses.withLock { $0 }), "\(pauses.withLock { $0 })")
    }
  }
}
