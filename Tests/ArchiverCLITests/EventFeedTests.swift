import ArchiverCore
import ArchiverPipeline
import Synchronization
import Testing

@testable import ArchiverCLI

@Suite struct EventFeedTests {
  /// Records what another reporter shows.
  private final class Witness: RunReporter {
    private let shown: @Sendable (Event) -> Bool
    private let received = Mutex<[Event]>([])
    private let ends = Mutex(0)

    init(_ shown: @escaping @Sendable (Event) -> Bool) { self.shown = shown }

    var events: [Event] { received.withLock { $0 } }
    var endCount: Int { ends.withLock { $0 } }

    func shows(_ event: Event) -> Bool { shown(event) }
    func show(_ event: Event, at now: Date) { received.withLock { $0.append(event) } }
    func end(_ report: RunReport, isDryRun: Bool, at now: Date) { ends.withLock { $0 += 1 } }
  }

  /// One of each kind, with and without failures.
  private static let events: [Event] =
    [
      .listed(source: "notes", count: 2, total: nil),
      .planned(source: "notes", plan: PlanSummary()),
      .itemStarted(source: "notes", id: "1", title: "One"),
      .downloading(source: "notes", id: "1", bytes: 5, total: nil),
      .assetFinished(source: "notes", url: "u", bytes: 5, failure: nil),
      .assetFinished(source: "notes", url: "u", bytes: 0, failure: "404"),
      .retrying(url: "u", attempt: 2, delay: .seconds(1), reason: "503"),
      .itemFinished(source: "notes", id: "1", title: "One", outcome: .archived(imagesMissing: 0)),
      .itemFinished(source: "notes", id: "2", title: "Two", outcome: .failed(reason: "gone")),
      .sourceFinished(source: "notes", failure: nil),
    ] + [LogLevel.debug, .info, .warning, .error].map { .log($0, source: nil, message: "so") }

  private static func words(_ events: some Sequence<Event>) -> [String] {
    events.map { String(describing: $0) }
  }

  private static func delivered(_ reporter: Witness) async -> [String] {
    let feed = EventFeed([reporter], clock: .system)
    for event in events { feed.send(event) }
    await feed.finish()
    return words(reporter.events)
  }

  @Test func `events that no reporter shows are dropped, others stay in order`() async {
    #expect(await Self.delivered(Witness { _ in true }) == Self.words(Self.events))
    let isTold: @Sendable (Event) -> Bool = { if case .assetFinished = $0 { false } else { true } }
    let told = await Self.delivered(Witness(isTold))
    #expect(told == Self.words(Self.events.filter(isTold)))
    #expect(told.count == Self.events.count - 2)
  }

  @Test(arguments: [false, true], [0, 1, 2])
  func `lines and logs show exactly the events they declare`(isQuiet: Bool, verbosity: Int) {
    let output = MemoryOutput()
    for isLog in [false, true] {
      let reporter = LineReporter(
        output: output, verbosity: verbosity, isQuiet: isQuiet, isLog: isLog)
      for event in Self.events {
        let before = output.text
        reporter.show(event, at: Desk.now)
        #expect(reporter.shows(event) == (output.text != before), "\(event)")
      }
      #expect(Self.events.contains { reporter.shows($0) })
      #expect(Self.events.contains { !reporter.shows($0) })
    }
  }

  @Test func `all reporters get an event that one of them shows, and the end`() async {
    let witnesses = [
      Witness { if case .listed = $0 { true } else { false } },
      Witness { if case .planned = $0 { true } else { false } },
    ]
    let feed = EventFeed(witnesses, clock: .system)
    for event in Self.events { feed.send(event) }
    await feed.finish(RunReport())
    for witness in witnesses {
      #expect(Self.words(witness.events) == Self.words(Self.events.prefix(2)))
      #expect(witness.endCount == 1)
    }
  }
}
