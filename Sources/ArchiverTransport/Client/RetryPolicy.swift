import ArchiverCore

/// How often and how long a request is repeated.
package struct RetryPolicy: Sendable {
  /// The maximum number of attempts, including the first.
  package var attempts: Int
  /// The maximum time between the starts of the first and the last attempt.
  package var totalTime: Duration
  /// The maximum backoff before the second attempt; it doubles with each further one.
  package var firstDelay: Duration
  /// The upper limit of the backoff.
  package var longestDelay: Duration

  package init(
    attempts: Int = 4, totalTime: Duration = .seconds(120), firstDelay: Duration = .seconds(1),
    longestDelay: Duration = .seconds(30)
  ) {
    self.attempts = max(1, attempts)
    self.totalTime = totalTime
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
  }

  /// Statuses of transient failures.
  static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504, 529]

  /// Returns the maximum backoff after an attempt, counted from 1.
  func longestBackoff(after attempt: Int) -> Duration {
    min(firstDelay * (1 << min(attempt - 1, 20)), longestDelay)
  }
}
