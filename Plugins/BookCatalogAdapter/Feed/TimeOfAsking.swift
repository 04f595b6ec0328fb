import ArchiverCore

extension CatalogFeed {
  /// Removes modification times of books that are only the time of the request, as in Kavita.
  ///
  /// A time counts as such if it is the feed's own or that of every book, and if it is the current
  /// time in any time zone, because such servers send local time as UTC. A time removed by mistake
  /// costs one more fetch of the book; other changes are found by the rest of the entry.
  mutating func forgetTimeOfAsking(_ now: Date) {
    let times = publications.map { CatalogDate.date($0.updated) }
    let own = CatalogDate.date(updated)
    let first = times.compactMap(\.self).first
    let isShared =
      times.count > 1
      && times.allSatisfy { CatalogFeed.areClose($0, first, within: CatalogFeed.writing) }
    for index in publications.indices {
      guard let time = times[index], CatalogFeed.isNow(time, now),
        isShared || CatalogFeed.areClose(time, own, within: CatalogFeed.writing)
      else { continue }
      publications[index].updated = nil
    }
  }

  /// The maximum time in seconds in which a server writes a feed.
  private static let writing = 5.0
  /// The maximum difference of both clocks in seconds.
  private static let drift = 90.0

  private static func areClose(_ one: Date?, _ other: Date?, within seconds: Double) -> Bool {
    guard let one, let other else { return false }
    return abs(one.timeIntervalSince(other)) <= seconds
  }

  /// Whether a time is the current time in some time zone: offsets are multiples of 15 minutes, at
  /// most 14 hours.
  private static func isNow(_ time: Date, _ now: Date) -> Bool {
    let distance = abs(time.timeIntervalSince(now))
    let rest = distance.truncatingRemainder(dividingBy: 900)
    return distance <= 14 * 3_600 + drift && min(rest, 900 - rest) <= drift
  }
}
