import ArchiverCore

/// What earlier crawls recorded about a catalog's feeds and files, stored as the listing's checkpoint.
///
/// A feed that answers 404 or 410 may be an empty set, as in calibre, or temporarily broken, so
/// that its books are not removed at once. An absence without limit would hide every removal: after
/// 14 days, or at the end of 7 otherwise complete crawls, the feed counts as removed.
struct FeedMemory: Codable, Sendable, Equatable {
  /// The duration of a feed's absence.
  struct Absence: Codable, Sendable, Equatable {
    /// When the feed was first absent.
    var since: Date
    /// The number of crawls at whose end it was absent and everything else was complete.
    var crawls: Int
  }

  /// The number of days after which an absent feed counts as removed.
  static let days = 14
  /// The number of complete crawls after which an absent feed counts as removed.
  static let crawls = 7
  private static let currentFormat = 1
  /// The maximum number of feeds recorded; a catalog has a feed for each of its authors.
  private static let mostFeeds = 50_000

  var format = FeedMemory.currentFormat
  /// Feeds that had entries, by a digest of their URLs, which may contain keys.
  var named: Set<String> = []
  var absent: [String: Absence] = [:]
  /// Whose files are asked about next; `nil` before the end of the first crawl.
  var turn: FileTurn?

  init() {}

  /// Reads a checkpoint; empty if another version wrote it.
  init(_ checkpoint: Checkpoint?) {
    self.init()
    guard let text = checkpoint?.value,
      // A checkpoint that cannot be read was written by another version.
      let read = try? JSONDecoder().decode(FeedMemory.self, from: Data(text.utf8)),
      read.format == FeedMemory.currentFormat
    else { return }
    self = read
  }

  /// The checkpoint that `init(_:)` reads.
  var checkpoint: Checkpoint? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Strings, dates and numbers can always be encoded.
    return (try? encoder.encode(self)).map { Checkpoint(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns the key under which a feed is recorded.
  static func key(_ url: WebURL) -> String { Fingerprint.text(url.withoutFragment.absoluteString) }

  /// Returns whether the books of an absent feed may still exist.
  func mayReturn(_ key: String, at now: Date) -> Bool {
    guard let absence = absent[key] else { return true }
    return absence.crawls < FeedMemory.crawls
      && now.timeIntervalSince(absence.since) < Double(FeedMemory.days) * 86_400
  }

  /// Records the result of a crawl at its end.
  ///
  /// - Parameters:
  ///   - read: The feeds that had entries.
  ///   - gone: The feeds that were absent.
  ///   - isWhole: Whether everything else could be read.
  mutating func learn(read: Set<String>, gone: Set<String>, isWhole: Bool, at now: Date) {
    for key in gone {
      var absence = absent[key] ?? Absence(since: now, crawls: 0)
      // A start in the future, from a wrong clock, would keep the feed from ever counting as
      // removed.
      absence.since = min(absence.since, now)
      if isWhole, absence.crawls < FeedMemory.crawls { absence.crawls += 1 }
      absent[key] = absence
    }
    if isWhole {
      // A feed that no link leads to any more is not part of the catalog.
      absent = absent.filter { gone.contains($0.key) }
      named = read.union(named.intersection(gone))
    } else {
      for key in read { absent[key] = nil }
      named.formUnion(read)
    }
    if named.count > FeedMemory.mostFeeds {
      named = Set(named.sorted().prefix(FeedMemory.mostFeeds))
    }
  }
}
