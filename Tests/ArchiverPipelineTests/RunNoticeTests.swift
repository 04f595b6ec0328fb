import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// The events that a run sends.
@Suite struct RunNoticeTests {
  private static let broken = AdapterError(
    .unavailable, "the list broke off", underlying: HTTPError(.connectionLost, "lost"))

  @Test func `a run reports the progress of its listing, its plan and its end`() async throws {
    try await Bench.with(ScriptedSource(count: 12)) { bench in
      let events = RecordedEvents()
      _ = try await bench.report(events: events) { $0.maxItems = 2 }
      var listed: [Int] = []
      var totals: [Int?] = []
      var plans: [PlanSummary] = []
      for event in events.all {
        switch event {
        case .listed(_, let count, let total):
          listed.append(count)
          totals.append(total)
        case .planned(_, let plan): plans.append(plan)
        default: break
        }
      }
      #expect(listed == [10, 12])
      #expect(totals == [12, 12])
      #expect(plans.map(\.new) == [12])
      #expect(plans.map(\.selected) == [2])
      #expect(events.ends == [nil])
    }
  }

  @Test func `a gap that hides no item is logged and is no failure`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock {
      $0.gaps = [ListingGap("names of users are not known", isEssential: false)]
    }
    try await Bench.with(source) { bench in
      let events = RecordedEvents()
      let report = try await bench.report(events: events)
      #expect(events.messages(.info).contains("names of users are not known"))
      #expect(report.sources.map(\.gaps) == [[]])
      #expect(report.sources.map(\.isWhole) == [true])
    }
  }

  @Test func `an account that the source does not return is logged for debugging`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock { $0.accountError = AdapterError(.unavailable, "no account") }
    try await Bench.with(source) { bench in
      let events = RecordedEvents()
      let report = try await bench.report(events: events)
      #expect(events.messages(.debug).contains("no account"))
      #expect(report.sources.map(\.archived) == [1])
    }
  }

  @Test func `a record of the account that the source does not return is a warning`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock {
      $0.accountRecord = .failure(AdapterError(.unavailable, "no answer"))
    }
    try await Bench.with(source) { bench in
      let events = RecordedEvents()
      _ = try await bench.report(events: events)
      let message = "what the account has beside items was not archived: no answer"
      #expect(events.messages(.warning).contains(message))
    }
  }

  @Test func `an outage is logged once, however many batches fail`() async throws {
    let source = ScriptedSource(count: 30)
    for number in 0..<30 {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "refused") }
    }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      bench.whenAsleep { pauses in
        guard pauses == 2 else { return }
        for number in 0..<30 { source.change("item\(number)") { $0.error = nil } }
        source.answersHead.withLock { $0 = true }
      }
      let events = RecordedEvents()
      let report = try await bench.report(events: events) { $0.patience = .seconds(60) }
      #expect(report.sources.map(\.failure?.message) == [nil])
      let waits = events.messages(.info).filter { $0.hasSuffix("until it answers again") }
      #expect(waits == ["refused; waiting until it answers again"])
    }
  }

  @Test(arguments: [(20, 1), (0, 0)])
  func `a listing logs that it waits for its source, unless it may not wait`(
    patience: Int, count: Int
  ) async throws {
    let source = ScriptedSource(count: 25)
    source.state.withLock { $0.pageErrors = [10: Self.broken] }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      bench.whenAsleep { _ in }
      let events = RecordedEvents()
      _ = try await bench.report(events: events) { $0.patience = .seconds(patience) }
      let message = "the list broke off; waiting until it answers again"
      #expect(events.messages(.info).count { $0 == message } == count)
      #expect(events.ends == ["the list broke off"])
    }
  }

  @Test(arguments: [nil, "refused"])
  func `a dry run reports the end of each source`(failure: String?) async {
    let scripted = ScriptedSource(count: 1)
    scripted.state.withLock {
      $0.listingError = failure.map { AdapterError(.unauthorized, $0) }
    }
    let source = RunSource(
      name: "scripted", adapter: ScriptedAdapter(source: scripted),
      client: HandlerHTTPClient(handlers: [:]), origin: nil)
    let events = RecordedEvents()
    let report = await DryRun(
      catalog: nil, sources: [source], options: RunOptions(dryRun: true), events: events
    ).run()
    #expect(report.sources.map(\.failure?.message) == [failure])
    #expect(events.ends == [failure])
  }
}
