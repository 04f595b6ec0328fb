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
        $0.failingStanding = "item0"
      }
      let report = try await bench.run { $0.fullListing = true }
      #expect(report.failure == nil)
      #expect(source.state.withLock { $0.standingRequests.map(\.count) } == [100, 100, 50])
      #expect(report.plan.deleted == 150)
      // Every id is asked about again by the next full listing.
      source.state.withLock { $0.failingStanding = nil }
      #expect(try await bench.run { $0.fullListing = true }.plan.deleted == 100)
    }
  }
}
