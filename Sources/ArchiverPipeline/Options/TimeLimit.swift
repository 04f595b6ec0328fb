import ArchiverCore
import Synchronization

/// The time limit of a run. Mark it as over before cancelling the run because of it.
package final class TimeLimit: Sendable {
  package let duration: Duration
  /// The failure message of a source whose listing was not finished in time.
  private let message: String
  private let over = Atomic(false)

  package init(_ duration: Duration, lateListing message: String) {
    self.duration = duration
    self.message = message
  }

  package var isOver: Bool { over.load(ordering: .acquiring) }

  package func end() { over.store(true, ordering: .releasing) }

  /// Returns the failure of a source whose listing ended with `error` because of the time limit;
  /// `nil` if it ended for another reason.
  func failure(ofListing error: any Error) -> AdapterError? {
    let isCancelled =
      error is CancellationError || (error as? AdapterError)?.code == .cancelled
    return isOver && isCancelled ? AdapterError(.unavailable, message, underlying: error) : nil
  }
}
