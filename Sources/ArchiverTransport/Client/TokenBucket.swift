import ArchiverCore

/// A token bucket for a single token: it is added at a steady rate and taken in order of arrival.
///
/// Waiting tasks form a queue; only the first sleeps, until the next token, and then resumes the
/// one behind it. So a cancelled wait loses no token.
actor TokenBucket {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let interval: Double
  private let clock: ArchiverClock
  /// When the next token is added.
  private var next: Date
  private var isTaken = false
  private var queue: [Waiter] = []
  private var nextNumber = 0

  /// A rate of zero or less sets no limit.
  init(rate: Double, clock: ArchiverClock) {
    interval = rate > 0 ? 1 / rate : 0
    self.clock = clock
    next = clock.now()
  }

  /// Waits for a token and takes it. Throws `CancellationError`.
  func take() async throws {
    try await waitForTurn()
    defer { passTurn() }
    while true {
      try Task.checkCancellation()
      let now = clock.now()
      // After the clock was set back, a token takes no longer than usual.
      next = min(next, now.addingTimeInterval(interval))
      let left = next.timeIntervalSince(now)
      // A rounding error must not cost another sleep.
      if left < 1e-6 {
        next = now.addingTimeInterval(interval)
        return
      }
      try await clock.sleep(.seconds(left))
    }
  }

  /// The number of waiting tasks, including the one whose turn it is.
  var standing: Int { queue.count + (isTaken ? 1 : 0) }

  private func waitForTurn() async throws {
    guard isTaken else {
      isTaken = true
      return
    }
    nextNumber += 1
    let number = nextNumber
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          queue.append(Waiter(number: number, continuation: continuation))
        }
      }
    } onCancel: {
      Task { await self.leave(number) }
    }
  }

  private func leave(_ number: Int) {
    guard let index = queue.firstIndex(where: { $0.number == number }) else { return }
    queue.remove(at: index).continuation.resume(throwing: CancellationError())
  }

  private func passTurn() {
    if queue.isEmpty {
      isTaken = false
    } else {
      queue.removeFirst().continuation.resume()
    }
  }
}
