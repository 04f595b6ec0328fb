import ArchiverCore

/// The schedule of retries.
enum RetrySchedule {
  private static let longest: Double = 7 * 86_400

  /// Returns the time of the next attempt after `attempts` failed ones: the one that the source
  /// asked for, within 7 days, otherwise after 1 h, 2 h, 4 h … 7 days.
  static func next(attempts: Int, now: Date, retryAfter: Duration? = nil) -> Date {
    if let retryAfter {
      return now.addingTimeInterval(min(max(retryAfter / .seconds(1), 0), longest))
    }
    let hours = min(1 << min(max(attempts, 1) - 1, 8), 7 * 24)
    return now.addingTimeInterval(Double(hours) * 3_600)
  }

  /// Returns the number of attempts after which an item is abandoned until it changes or the user
  /// asks for it.
  static func limit(isRetryable: Bool, options: Limits) -> Int {
    isRetryable ? options[.attempts] : min(3, options[.attempts])
  }
}
