import ArchiverCore
import ArchiverPipeline
import Testing

@testable import ArchiverCLI

@Suite struct EventFeedTests {
  /// Records what another reporter shows.
  private struct Witness: RunReporter {
    let shown: @Sendable (Event) -> Bool
    var events: [Event] = []

    init(_ shown: @escaping @Sendable (Event) -> Bool) { self.shown = shown }

    func shows(_ event: Event) -> Bool { shown(event) }
    mutating func show(_ event: Event, at now: Date) { events.append(event) }
    mutating func end(_ report: RunReport, isDryRun: Bool, at now: Date) {}
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
    let feed = EventFeed(reporter, clock: .system)
    for event in events { feed.send(event) }
    return words((await feed.finish() as? Witness)?.events ?? [])
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
    let detail = EventText.Detail(isQuiet: isQuiet, verbosity: verbosity, listsItems: !isQuiet)
    let log = LogReporter(output: output, verbosity: verbosity, isQuiet: isQuiet)
    for reporter in [LineReporter(output: output, detail: detail), log] as [any RunReporter] {
      var reporter = reporter
      for event in Self.events {
        let before = output.text
        reporter.show(event, at: Desk.now)
        #expect(reporter.shows(event) == (output.text != before), "\(event)")
      }
      #expect(Self.events.contains { reporter.shows($0) })
      #expect(Self.events.contains { !reporter.shows($0) })
    }
  }

  @Test func `a group shows an event if one of its reporters does`() {
    let group = ReporterGroup([
      Witness { if case .listed = $0 { true } else { false } },
      Witness { if case .planned = $0 { true } else { false } },
    ])
    #expect(
      Self.words(Self.events.filter { group.shows($0) }) == Self.words(Self.events.prefix(2)))
  }
}
