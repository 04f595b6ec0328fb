import ArchiverCore
import ArchiverStorage

/// Decides when to do a full listing although there is a checkpoint.
///
/// A checkpoint is a time of some clock, and clocks can be wrong: what it skips by mistake would
/// never be seen. So it is trusted for a week at most, and not after this machine's clock went
/// back.
enum WholeListing {
  /// The maximum interval between two full listings in seconds. Half a day less than a week, as
  /// nightly runs do not start on the second.
  static let interval: Double = 6.5 * 86_400
  /// The tolerated clock difference in seconds.
  static let tolerance: Double = 300

  /// Returns whether the next listing must be full.
  static func isDue(_ known: Discovery, previousRun: Date?, now: Date) -> Bool {
    guard let last = known.wholeListed else { return true }
    let age = now.timeIntervalSince(last)
    if age >= interval || age < -tolerance { return true }
    guard let previousRun else { return false }
    return previousRun.timeIntervalSince(now) > tolerance
  }
}
