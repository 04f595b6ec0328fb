/// Waits for conditions of tests. A condition that never holds fails the test instead of stopping all.
///
/// Limits count sleeps, not the time: while other tests occupy the threads, a sleep of milliseconds can
/// last a minute, and what is waited for may have been there long before the sleep ends.
package enum Condition {
  /// Waits until a condition holds, looking every few milliseconds; throws after `limit`.
  package static func wait(
    limit: Duration = .seconds(60), until holds: () throws -> Bool
  ) async throws {
    guard
      try await value(every: .milliseconds(3), limit: limit, { try holds() ? true : nil }) != nil
    else { throw ChildProcess.Failure("a condition did not hold within \(limit)") }
  }

  /// Calls `attempt` until it returns a value, with a sleep of `interval` after each call without one.
  /// Returns `nil` once as many calls as intervals fit into `limit` returned none.
  package static func value<Value>(
    every interval: Duration, limit: Duration, _ attempt: () async throws -> Value?
  ) async throws -> Value? {
    for _ in 0..<max(1, Int(limit / interval)) {
      if let value = try await attempt() { return value }
      try await Task.sleep(for: interval)
    }
    return nil
  }
}
