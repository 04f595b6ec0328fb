import ArchiverCore
import ArchiverStorage

/// Decides when a source is listed from its beginning although there is a checkpoint.
///
/// A checkpoint is a time of some clock, and clocks are wrong at times: what it skips by mistake
/// would stay unseen for ever. So it is trusted for a week at most, and not at all after the
/// clock of this machine went back.
enum WholeListing {
  /// Most seconds between two whole listings; less than a week by half a day, as nightly runs do not
  /// begin on the second.
  static let interval: Double = 6.5 * 86_400
  /// Seconds by which a clock may differ without doubt.
  static let tolerance: Double = 300

  /// Returns whether the next listing has to be whole.
  static func isDue(_ known: Discovery, previousRun: Date?, now: Date) -> Bool {
    guard let last = known.wholeListed else { return true }
    let age = now.timeIntervalSince(last)
    if age >= interval || age < -tolerance { return true }
    guard let previousRun else { return false }
    return previousRun.timeIntervalSince(now) > tolerance
  }
}
