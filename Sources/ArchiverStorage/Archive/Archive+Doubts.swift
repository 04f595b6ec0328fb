import ArchiverCore

// A catalog that is older than its bundles, as after `.archiver` was restored from a backup, believes
// of some items that a state is archived which the disk has no more. Where the source is at that very
// state again nothing would ever be fetched.
extension Archive {
  /// Seconds after which all bundles are compared with the catalog again; less than a week by half a
  /// day, as nightly runs do not begin on the second.
  private static let comparisonInterval = 6.5 * 86_400
  private static let comparedAtOnce = 200

  /// Whether bundles are to be compared with the catalog.
  func isComparisonDue(_ state: HousekeepingState, now: Date) -> Bool {
    guard let compared = state.compared else { return true }
    // A clock that went back makes it due.
    return compared > now || now >= compared + Self.comparisonInterval
  }

  /// Compares each bundle with what the catalog has of it, in the order of their folders from the one
  /// after `state.bundle` on, and has the items of those that differ fetched again. Returns false when
  /// the time was up before the last one.
  func distrustStrangers(
    _ state: inout HousekeepingState, until end: ContinuousClock.Instant,
    _ report: inout HousekeepingReport
  ) throws(StorageError) -> Bool {
    while true {
      let places = try catalog.folders(after: state.bundle ?? "", limit: Self.comparedAtOnce)
      if places.isEmpty { break }
      for (key, folder) in places {
        guard ContinuousClock.now < end else { return false }
        // What cannot be read is damaged, which is for `verify` to tell.
        if (try? bundles.isStranger(key, folder: folder)) == true {
          try catalog.distrust(key)
          report.distrusted += 1
        }
        state.bundle = folder
      }
    }
    state.bundle = nil
    return true
  }
}
