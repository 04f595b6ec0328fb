import ArchiverCore
import ArchiverPipeline

/// Shows a run: live on a terminal, as plain lines, as JSON, or only its failures.
///
/// Methods are called in order and never concurrently.
protocol RunReporter: Sendable {
  mutating func begin(archive: String, sources: [String], at now: Date)
  mutating func show(_ event: Event, at now: Date)
  /// Called ten times a second while nothing else happens.
  mutating func tick(at now: Date)
  mutating func end(_ report: RunReport, isDryRun: Bool, at now: Date)
}

extension RunReporter {
  mutating func begin(archive: String, sources: [String], at now: Date) {}
  mutating func tick(at now: Date) {}
}

/// Takes events from any thread and passes them to reporters sequentially.
///
/// Sending never waits for the terminal.
final class EventFeed: EventSink {
  private typealias Step = @Sendable (inout any RunReporter) -> Void

  private let steps: AsyncStream<Step>.Continuation
  private let clock: ArchiverClock
  private let consumer: Task<Void, Never>
  private let ticker: Task<Void, Never>

  init(_ reporters: [any RunReporter], clock: ArchiverClock) {
    let (stream, steps) = AsyncStream.makeStream(of: Step.self)
    self.steps = steps
    self.clock = clock
    consumer = Task {
      var reporters = reporters
      for await step in stream {
        for index in reporters.indices { step(&reporters[index]) }
      }
    }
    ticker = Task {
      while !Task.isCancelled {
        // Cancelled with the task; the failure has no other cause.
        try? await Task.sleep(for: .milliseconds(100))
        let now = clock.now()
        steps.yield { $0.tick(at: now) }
      }
    }
  }

  /// Reports the start of the run.
  func begin(archive: String, sources: [String]) {
    let now = clock.now()
    steps.yield { $0.begin(archive: archive, sources: sources, at: now) }
  }

  func send(_ event: Event) {
    let now = clock.now()
    steps.yield { $0.show(event, at: now) }
  }

  /// Reports the end of the run, if there is a report, and waits until everything sent is shown.
  func finish(_ report: RunReport? = nil, isDryRun: Bool = false) async {
    ticker.cancel()
    if let report {
      let now = clock.now()
      steps.yield { $0.end(report, isDryRun: isDryRun, at: now) }
    }
    steps.finish()
    await consumer.value
  }
}
