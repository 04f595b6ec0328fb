import ArchiverCore

/// A token bucket: tokens are added at a steady rate and taken in order of arrival.
///
/// Waiting tasks form a queue; only the first sleeps, until the next token, and then resumes the
/// one behind it. So a cancelled wait loses no token.
actor TokenBucket {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let interval: Double
  private let burst: Double
  private let clock: ArchiverClock
  private var tokens: Double
  private var filled: Date
  private var isTaken = false
  private var queue: [Waiter] = []
  private var nextNumber = 0

  /// A rate of zero or less sets no limit.
  init(rate: Double, burst: Int, clock: ArchiverClock) {
    interval = rate > 0 ? 1 / rate : 0
    self.burst = Double(max(1, burst))
    self.clock = clock
    tokens = self.burst
    filled = clock.now()
  }

  /// Waits for a token and takes it. Throws `CancellationError`.
  func take() async throws {
    try await waitForTurn()
    defer { passTurn() }
    while true {
      try Task.checkCancellation()
      refill()
      if tokens >= 1 || interval == 0 { break }
      try await clock.sleep(.seconds((1 - tokens) * interval))
    }
    tokens -= 1
  }

  /// The number of waiting tasks, including the one whose turn it is.
  var standing: Int { queue.count + (isTaken ? 1 : 0) }

  private func refill() {
    let now = clock.now()
    // If the clock is set back, only the time that passed before is lost.
    let passed = max(0, now.timeIntervalSince(filled))
    filled = now
    // A rounding error of the division must not cost a token and another sleep.
    tokens = interval == 0 ? burst : min(burst, tokens + passed / interval + 1e-9)
  }

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
