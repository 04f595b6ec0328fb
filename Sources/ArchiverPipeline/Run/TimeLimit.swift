import ArchiverCore
import Synchronization

/// The time that a run may take. Who cancels a run because it is over says so here first.
package final class TimeLimit: Sendable {
  package let duration: Duration
  /// What is said of a source whose listing had not ended by then.
  private let message: String
  private let over = Atomic(false)

  package init(_ duration: Duration, lateListing message: String) {
    self.duration = duration
    self.message = message
  }

  package var isOver: Bool { over.load(ordering: .acquiring) }

  package func end() { over.store(true, ordering: .releasing) }

  /// Returns the failure of a source whose listing ended with `error` because the time was over;
  /// `nil` when it ended for another reason.
  func failure(ofListing error: any Error) -> AdapterError? {
    let isCancelled =
      error is CancellationError || (error as? AdapterError)?.code == .cancelled
    return isOver && isCancelled ? AdapterError(.unavailable, message, underlying: error) : nil
  }
}
