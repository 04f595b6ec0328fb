import ArchiverCore
import CCurl

/// How often and how long a request is repeated.
package struct RetryPolicy: Sendable {
  /// Attempts in all, the first included.
  package var attempts: Int
  /// How long after the first attempt began the last one may begin.
  package var totalTime: Duration
  /// The backoff before the second attempt is at most this; it doubles with each further one.
  package var firstDelay: Duration
  /// The backoff never exceeds this.
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

  /// Statuses that may be gone the next time.
  static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504, 529]

  /// Returns the most that may be waited after an attempt, counted from 1.
  func longestBackoff(after attempt: Int) -> Duration {
    min(firstDelay * (1 << min(attempt - 1, 20)), longestDelay)
  }
}

/// When a server asks to be asked again (RFC 9110 section 10.2.3).
enum RetryAfter {
  /// Returns how long a `Retry-After` field asks to wait, from its seconds or its date; `nil`
  /// when it is neither. A date in the past asks for no wait.
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
