import ArchiverCore

extension CatalogFeed {
  /// Forgets when books changed where that is when the feed was asked for, as in Kavita.
  ///
  /// A time is taken for that when it is the feed's own or that of every book, and when it is now in
  /// any time zone, for such servers give local time for UTC. What is forgotten by mistake costs one
  /// fetch of the book later on; what changed is seen by the rest of the entry.
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

  /// Seconds in which a server writes a feed.
  private static let writing = 5.0
  /// Seconds by which the clocks of both sides may differ.
  private static let drift = 90.0

  private static func areClose(_ one: Date?, _ other: Date?, within seconds: Double) -> Bool {
    guard let one, let other else { return false }
    return abs(one.timeIntervalSince(other)) <= seconds
  }

  /// Whether a time is now; zones are quarters of an hour apart and at most 14 hours away.
  private static func isNow(_ time: Date, _ now: Date) -> Bool {
    let distance = abs(time.timeIntervalSince(now))
    let rest = distance.truncatingRemainder(dividingBy: 900)
    return distance <= 14 * 3_600 + drift && min(rest, 900 - rest) <= drift
  }
}
