/// Waits for conditions of tests. A condition that never holds fails the test instead of stopping all.
package enum Condition {
  /// Waits until a condition holds, looking every few milliseconds; throws after `limit`.
  package static func wait(
    limit: Duration = .seconds(60), until holds: () throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while try !holds() {
      guard ContinuousClock.now < end else {
        throw ChildProcess.Failure("a condition did not hold within \(limit)")
      }
      try await Task.sleep(for: .milliseconds(3))
    }
  }
}
