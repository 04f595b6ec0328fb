import ArchiverCore
import Synchronization

/// Keeps the events that it receives.
final class RecordedEvents: EventSink {
  private let sent = Mutex<[Event]>([])

  var all: [Event] { sent.withLock { $0 } }

  func send(_ event: Event) { sent.withLock { $0.append(event) } }

  /// Returns the messages of the log lines of a level, in order.
  func messages(_ level: LogLevel) -> [String] {
    var found: [String] = []
    for event in all {
      guard case .log(let severity, _, let message) = event, severity == level else { continue }
      found.append(message)
    }
    return found
  }

  /// The outcomes of items, in order.
  var outcomes: [ItemOutcome] {
    var found: [ItemOutcome] = []
    for event in all {
      guard case .itemFinished(_, _, _, let outcome) = event else { continue }
      found.append(outcome)
    }
    return found
  }

  /// The failures of sources whose run ended, in order.
  var ends: [String?] {
    var found: [String?] = []
    for event in all {
      guard case .sourceFinished(_, let failure) = event else { continue }
      found.append(failure)
    }
    return found
  }
}
