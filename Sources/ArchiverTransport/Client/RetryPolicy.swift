import ArchiverCore
import CCurl

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

/// The `Retry-After` field (RFC 9110 section 10.2.3).
enum RetryAfter {
  /// Returns the delay that a field asks for, in seconds or as a date; `nil` if it is neither. A
  /// date in the past means no delay.
  static func delay(_ field: String, now: Date) -> Duration? {
    let text = field.filter { $0 != " " && $0 != "\t" }
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      return .seconds(Int(text) ?? Int(Int32.max))
    }
    let seconds = curl_getdate(field, nil)
    guard seconds >= 0 else { return nil }
    let wait = Date(timeIntervalSince1970: Double(seconds)).timeIntervalSince(now)
    return .seconds(max(0, wait))
  }
}
