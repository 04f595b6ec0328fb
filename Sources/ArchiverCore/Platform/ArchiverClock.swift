/// A clock; tests replace it so that nothing really waits.
public struct ArchiverClock: Sendable {
  /// Returns the current date.
  public var now: @Sendable () -> Date
  /// Suspends for a duration; throws `CancellationError` if the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  public init(
    now: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The system's clock.
  public static let system = ArchiverClock(
    now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
