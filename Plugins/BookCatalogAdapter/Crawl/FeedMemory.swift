import ArchiverCore

/// What earlier crawls of a catalog know of its feeds, kept as the listing's checkpoint.
///
/// A feed that answers 404 or 410 may be an empty set (calibre answers so) or broken for a night, so
/// that what it does not name counts as there. For ever that would hide every removal: a feed that
/// was absent for 14 days, or at the end of 7 crawls that read everything else, is taken for gone.
struct FeedMemory: Codable, Sendable, Equatable {
  /// How long a feed has been absent.
  struct Absence: Codable, Sendable, Equatable {
    /// When it first was.
    var since: Date
    /// Crawls at whose end it was absent and nothing else was missing.
    var crawls: Int
  }

  /// Days after which an absent feed is taken for gone.
  static let days = 14
  /// Whole crawls after which an absent feed is taken for gone.
  static let crawls = 7
  private static let currentFormat = 1
  /// Feeds that are remembered; a catalog has a feed for each of its authors.
  private static let mostFeeds = 50_000

  var format = FeedMemory.currentFormat
  /// Feeds that named something, by a digest of their addresses: those may contain keys.
  var named: Set<String> = []
  var absent: [String: Absence] = [:]

  init() {}

  /// Reads a checkpoint; empty for one of another version.
  init(_ checkpoint: Checkpoint?) {
    self.init()
    guard let text = checkpoint?.value,
      // A checkpoint that cannot be read is one of another version.
      let read = try? JSONDecoder().decode(FeedMemory.self, from: Data(text.utf8)),
      read.format == FeedMemory.currentFormat
    else { return }
    self = read
  }

  /// The checkpoint that `init(_:)` reads.
  var checkpoint: Checkpoint? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Texts, dates and numbers always encode.
    return (try? encoder.encode(self)).map { Checkpoint(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns what a feed is remembered by.
  static func key(_ url: WebURL) -> String { Fingerprint.text(url.withoutFragment.absoluteString) }

  /// Returns whether a feed that is absent now may still have what it named.
  func mayReturn(_ key: String, at now: Date) -> Bool {
    guard let absence = absent[key] else { return true }
    return absence.crawls < FeedMemory.crawls
      && now.timeIntervalSince(absence.since) < Double(FeedMemory.days) * 86_400
  }

  /// Takes in what a crawl met with, at its end.
  ///
  /// - Parameters:
  ///   - read: the feeds that named something.
  ///   - gone: the feeds that were absent.
  ///   - isWhole: whether everything else could be read.
  mutating func learn(read: Set<String>, gone: Set<String>, isWhole: Bool, at now: Date) {
    for key in gone {
      var absence = absent[key] ?? Absence(since: now, crawls: 0)
      // A clock that was ahead would keep the feed from ever being taken for gone.
      absence.since = min(absence.since, now)
      if isWhole, absence.crawls < FeedMemory.crawls { absence.crawls += 1 }
      absent[key] = absence
    }
    if isWhole {
      // What nothing leads to any more is no feed of the catalog.
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
