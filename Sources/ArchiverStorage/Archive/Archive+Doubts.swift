import ArchiverCore

// A catalog older than its bundles, as after `.archiver` was restored from a backup, records states
// of some items that are no longer on disk. If the source has exactly such a state, nothing would
// ever be fetched.
extension Archive {
  /// The interval in seconds at which all bundles are compared with the catalog. Half a day less
  /// than a week, as nightly runs do not start on the second.
  private static let comparisonInterval = 6.5 * 86_400
  private static let comparedAtOnce = 200

  /// Whether bundles should be compared with the catalog.
  func isComparisonDue(_ state: HousekeepingState, now: Date) -> Bool {
    guard let compared = state.compared else { return true }
    // Also due if the clock went back.
    return compared > now || now >= compared + Self.comparisonInterval
  }

  /// Compares bundles with the catalog, in the order of their directories from the one after
  /// `state.bundle`. Of those that differ, requeues the items if the source still has them, and
  /// otherwise records what the bundles hold. Returns false if the time limit was reached before the
  /// last one.
  func distrustStrangers(
    _ state: inout HousekeepingState, until end: ContinuousClock.Instant,
    _ report: inout HousekeepingReport
  ) throws(StorageError) -> Bool {
    while true {
      let places = try catalog.folders(after: state.bundle ?? "", limit: Self.comparedAtOnce)
      if places.isEmpty { break }
      for (key, folder, manifest) in places {
        guard ContinuousClock.now < end else { return false }
        // An unreadable bundle is damaged, which `verify` reports.
        if bundles.hasManifest(manifest, folder: folder) {
          state.bundle = folder
          continue
        }
        if (try? bundles.isStranger(key, folder: folder)) == true {
          if try !adoptIfDeleted(key, folder: folder) { try catalog.distrust(key) }
          report.distrusted += 1
        }
        state.bundle = folder
      }
    }
    state.bundle = nil
    return true
  }

  /// Records the bundle of an item that is deleted or withheld at the source: it would never be
  /// fetched again. Returns false for any other item, and if the bundle has no readable record of
  /// the item.
  private func adoptIfDeleted(_ key: ItemKey, folder: String) throws(StorageError) -> Bool {
    guard let known = try catalog.item(key), known.state != .archived,
      var publication = try publicationIfReadable(of: folder), publication.item.key == key
    else { return false }
    publication.item.state = known.state
    try catalog.record([.publish(publication)])
    return true
  }
}
