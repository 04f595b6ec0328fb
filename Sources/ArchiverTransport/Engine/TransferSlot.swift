import Synchronization

/// Pairs a transfer with the cancellation of its task, in either order.
final class TransferSlot: Sendable {
  private struct State {
    var transfer: Transfer?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Stores the transfer; returns whether the task has been cancelled already.
  func fill(_ transfer: Transfer) -> Bool {
    state.withLock {
      $0.transfer = transfer
      return $0.isCancelled
    }
  }

  /// Records the cancellation; returns the transfer if it is stored already.
  func cancel() -> Transfer? {
    state.withLock {
      $0.isCancelled = true
      return $0.transfer
    }
  }
}
