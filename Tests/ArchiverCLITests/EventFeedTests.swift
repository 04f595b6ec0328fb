import ArchiverCore
import ArchiverPipeline
import Synchronization
import Testing

@testable import ArchiverCLI

@Suite struct EventFeedTests {
  /// Records the events and the end that a feed passes on.
  private final class Witness: RunReporter {
    private let received = Mutex<[Event]>([])
    private let ends = Mutex(0)

    var events: [Event] { received.withLock { $0 } }
    var endCount: Int { ends.withLock { $0 } }

    func show(_ event: Event, at now: Date) { received.withLock { $0.append(event) } }
    func end(_ report: RunReport, isDryRun: Bool, at now: Date) { ends.withLock { $0 += 1 } }
  }

  private static let events: [Event] =
    [
      .listed(source: "notes", count: 2, total: nil),
      .planned(source: "notes", plan: PlanSummary()),
      .itemStarted(source: "notes", id: "1", title: "One"),
      .itemFinished(source: "notes", id: "1", title: "One", outcome: .archived(imagesMissing: 0)),
      .sourceFinished(source: "notes", failure: nil),
    ] + (0..<1_000).map { .log(.info, source: nil, message: "\($0)") }

  private static func words(_ events: some Sequence<Event>) -> [String] {
    events.map { String(describing: $0) }
  }

  @Test func `all reporters get all events in order, and the end`() async {
    let witnesses = [Witness(), Witness()]
    let feed = EventFeed(witnesses, clock: .system)
    for event in Self.events { feed.send(event) }
    await feed.finish(RunReport())
    for witness in witnesses {
      #expect(Self.words(witness.events) == Self.words(Self.events))
      #expect(witness.endCount == 1)
    }
  }
}
