import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What a dry run counts, and what it predicts of budgets and retention policies.
@Suite struct DryRunPlanTests {
  private func trial(
    _ bench: Bench, _ change: (inout RunOptions) -> Void = { _ in }
  ) async throws -> SourceReport {
    let report = await bench.dryRun(change)
    return try #require(report.sources.first)
  }

  @Test func `only items that failed before are retries`() async throws {
    let source = ScriptedSource(count: 2)
    source.change("item0") { $0.error = AdapterError(.malformed, "broken") }
    try await Bench.with(source) { bench in
      let first = try await trial(bench)
      #expect(first.wouldFetch.count == 2)
      #expect((first.plan.selected, first.plan.retries, first.waiting) == (2, 0, 0))
      _ = try await bench.run()
      bench.advance(hours: 2)
      source.set(ScriptedSource.article(5))
      let second = try await trial(bench)
      #expect(second.wouldFetch.map(\.id) == ["item5", "item0"])
      #expect((second.plan.selected, second.plan.retries, second.waiting) == (2, 1, 0))
    }
  }

  @Test func `titles of a thousand items are asked for at most`() async throws {
    let source = ScriptedSource()
    for number in 0..<1_001 {
      let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
      source.set(
        ScriptedSource.Item(id: "item\(number)", title: "T\(number)", html: nil, date: date))
    }
    source.state.withLock {
      $0.pageSize = 2_000
      $0.namesTitles = false
    }
    try await Bench.with(source) { bench in
      let titles = try await trial(bench).wouldFetch.map(\.title)
      #expect(titles.count == 1_001)
      #expect(titles.prefix(2) == ["T1000", "T999"])
      #expect(titles.suffix(2) == ["T1", ""])
    }
  }

  @Test(
    arguments: [(0, 0), (1_000, 0), (1_001, 1), (1_002, 2), (1_003, 3), (nil, 3)]
      as [(Int?, Int)])
  func `as many deferred items are fetched as fit into the free space`(
    free: Int?, count: Int
  ) async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      bench.leaveFree(1_000)
      // Of each item one byte is expected, as nothing declares its size.
      let held = try await bench.run { $0.freeBytes = { 0 } }.held
      #expect(held.count == 3)
      let report = try await trial(bench) { $0.freeBytes = { free } }
      #expect(report.wouldFetch.count == count)
    }
  }

  @Test func `an item that is left out takes no place and does not wait`() async throws {
    let source = ScriptedSource()
    for number in [0, 2, 9] { source.set(ScriptedSource.article(number, pictures: 0)) }
    source.change("item0") { $0.isPinned = true }
    source.change("item9") { $0.error = AdapterError(.malformed, "broken") }
    try await Bench.with(source) { bench in
      bench.keep(1)
      let first = try await bench.run()
      #expect((first.archived, first.failed.count) == (2, 1))
      source.set(ScriptedSource.article(1, pictures: 0))
      source.change("item0") { $0.revision = "2" }
      let report = try await trial(bench) { $0.maxItems = 1 }
      #expect(report.wouldFetch.map(\.id) == ["item0"])
      #expect(report.waiting == 1, "the failed item is not due")
    }
  }

  @Test func `a dry run reports the gaps and the failure of its listing`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock { $0.gaps = [ListingGap("a page fails", isEssential: true)] }
    try await Bench.with(source) { bench in
      let report = try await trial(bench)
      #expect(report.gaps.map(\.message) == ["a page fails"])
      #expect(report.failure == nil && !report.isWhole)
      source.state.withLock {
        $0.gaps = []
        $0.pageErrors = [0: AdapterError(.malformed, "the list is odd")]
      }
      #expect(try await trial(bench).failure?.message == "the list is odd")
    }
  }
}
