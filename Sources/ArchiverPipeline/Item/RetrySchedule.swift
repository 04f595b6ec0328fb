import ArchiverCore

/// The schedule of retries.
enum RetrySchedule {
  private static let longest: Double = 7 * 86_400
  /// The time in seconds after which an item that is still put off has failed. A source is listed
  /// completely once a week: by then its listing has had the chance not to return the item.
  static let longestDeferral: Double = 8 * 86_400
  /// Ends the reason of such a failure.
  static let deferralNote = "; the source has listed it without delivering it for 8 days"

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
