import ArchiverCore
import ArchiverPipeline

/// Shows a run: live on a terminal, as plain lines, as JSON, or only its failures.
///
/// Methods are called in order and never concurrently, except `shows`.
protocol RunReporter: Sendable {
  /// Whether `show` has an effect for an event; the same for equal events. Called from any thread.
  func shows(_ event: Event) -> Bool
  mutating func begin(archive: String, sources: [String], at now: Date)
  mutating func show(_ event: Event, at now: Date)
  /// Called ten times a second while nothing else happens.
  mutating func tick(at now: Date)
  mutating func end(_ report: RunReport, isDryRun: Bool, at now: Date)
}

extension RunReporter {
  func shows(_ event: Event) -> Bool { true }
  mutating func begin(archive: String, sources: [String], at now: Date) {}
  mutating func tick(at now: Date) {}
}

/// Takes events from any thread and passes them to reporters sequentially.
///
/// Sending never waits for the terminal. It is a no-op for events that no reporter shows: a nightly
/// run sends thousands of them.
final class EventFeed: EventSink {
  private enum Input: Sendable {
    case begin(archive: String, sources: [String], Date)
    case event(Event, Date)
    case tick(Date)
    case end(RunReport, isDryRun: Bool, Date)
  }

  private let inputs: AsyncStream<Input>.Continuation
  private let clock: ArchiverClock
  private let isShown: @Sendable (Event) -> Bool
  private let consumer: Task<Void, Never>
  private let ticker: Task<Void, Never>

  init(_ reporters: [any RunReporter], clock: ArchiverClock) {
    let (stream, inputs) = AsyncStream.makeStream(of: Input.self)
    self.inputs = inputs
    self.clock = clock
    isShown = { event in reporters.contains { $0.shows(event) } }
    consumer = Task {
      var reporters = reporters
      for await input in stream {
        for index in reporters.indices {
          switch input {
          case .begin(let archive, let sources, let date):
            reporters[index].begin(archive: archive, sources: sources, at: date)
          case .event(let event, let date): reporters[index].show(event, at: date)
          case .tick(let date): reporters[index].tick(at: date)
          case .end(let report, let isDryRun, let date):
            reporters[index].end(report, isDryRun: isDryRun, at: date)
          }
        }
      }
    }
    ticker = Task {
      while !Task.isCancelled {
        // Cancelled with the task; the failure has no other cause.
        try? await Task.sleep(for: .milliseconds(100))
        inputs.yield(.tick(clock.now()))
      }
    }
  }

  /// Reports the start of the run.
  func begin(archive: String, sources: [String]) {
    inputs.yield(.begin(archive: archive, sources: sources, clock.now()))
  }

  func send(_ event: Event) {
    guard isShown(event) else { return }
    inputs.yield(.event(event, clock.now()))
  }

  /// Reports the end of the run, if there is a report, and waits until everything sent is shown.
  func finish(_ report: RunReport? = nil, isDryRun: Bool = false) async {
    ticker.cancel()
    if let report { inputs.yield(.end(report, isDryRun: isDryRun, clock.now())) }
    inputs.finish()
    await consumer.value
  }
}
