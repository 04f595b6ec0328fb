import ArchiverCore

/// When a failed item is tried again.
enum RetrySchedule {
  /// Returns the time of the next attempt after `attempts` failed ones: 1 h, 2 h, 4 h … 7 days.
  static func next(attempts: Int, now: Date) -> Date {
    let hours = min(1 << min(max(attempts, 1) - 1, 8), 7 * 24)
    return now.addingTimeInterval(Double(hours) * 3_600)
  }

  /// After how many attempts an item is left until it changes or someone asks for it.
  static func limit(isRetryable: Bool, options: Limits) -> Int {
    isRetryable ? options[.attempts] : min(3, options[.attempts])
  }
}
