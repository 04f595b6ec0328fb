import Synchronization

/// Brings a transfer and its task's cancellation together, whichever comes first.
final class TransferSlot: Sendable {
  private struct State {
    var transfer: Transfer?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Puts the transfer in; returns whether the task was cancelled before.
  func fill(_ transfer: Transfer) -> Bool {
    state.withLock {
      $0.transfer = transfer
      return $0.isCancelled
    }
  }

  /// Notes the cancellation; returns the transfer when it is there already.
  func cancel() -> Transfer? {
    state.withLock {
      $0.isCancelled = true
      return $0.transfer
    }
  }
}
