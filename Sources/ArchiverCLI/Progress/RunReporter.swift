import ArchiverCore
import ArchiverPipeline

/// Shows a run: live on a terminal, as plain lines, as JSON, or only what went wrong.
///
/// Values arrive in order and never concurrently.
protocol RunReporter: Sendable {
  /// Whether `show` does anything with an event; the same for equal events. Called from any thread.
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

/// Takes events from any thread and passes them to a reporter sequentially.
///
/// Sending never waits for the terminal. It is a no-op for events that the reporter does not show:
/// a nightly run sends thousands of them.
final class EventFeed: EventSink {
  private enum Input: Sendable {
    case begin(archive: String, sources: [String], Date)
    case event(Event, Date)
    case tick(Date)
  }

  private let inputs: AsyncStream<Input>.Continuation
  private let clock: ArchiverClock
  private let isShown: @Sendable (Event) -> Bool
  private let consumer: Task<any RunReporter, Never>
  private let ticker: Task<Void, Never>

  init(_ reporter: any RunReporter, clock: ArchiverClock) {
    let (stream, inputs) = AsyncStream.makeStream(of: Input.self)
    self.inputs = inputs
    self.clock = clock
    isShown = { reporter.shows($0) }
    consumer = Task {
      var reporter = reporter
      for await input in stream {
        switch input {
        case .begin(let archive, let sources, let date):
          reporter.begin(archive: archive, sources: sources, at: date)
        case .event(let event, let date): reporter.show(event, at: date)
        case .tick(let date): reporter.tick(at: date)
        }
      }
      return reporter
    }
    ticker = Task {
      while !Task.isCancelled {
        // Ends with the task; there is nothing else to learn from the failure.
        try? await Task.sleep(for: .milliseconds(100))
        inputs.yield(.tick(clock.now()))
      }
    }
  }

  /// Says that the run begins.
  func begin(archive: String, sources: [String]) {
    inputs.yield(.begin(archive: archive, sources: sources, clock.now()))
  }

  func send(_ event: Event) {
    guard isShown(event) else { return }
    inputs.yield(.event(event, clock.now()))
  }

  /// Waits until all that was sent is shown and returns the reporter.
  func finish() async -> any RunReporter {
    ticker.cancel()
    inputs.finish()
    return await consumer.value
  }
}
