import ArchiverCore

/// Which books' files are asked about although the catalog lists them unchanged.
///
/// A file may be replaced without a sign in its feed: a server that has not read its folders again, as
/// Codex, or one that keeps metadata apart from files, as Calibre-Web, lists the same entry. Each book has
/// a turn in one of 14 nights. In a large catalog there are 28 turns, 56 and so on, so that about 250
/// books have one in a night.
struct FileTurn: Codable, Sendable, Equatable {
  private static let leastTurns: UInt64 = 14
  private static let mostBooks: UInt64 = 250
  private static let largestNumber = 1 << 24
  /// The minimum time between two turns in seconds.
  private static let interval = 20.0 * 3_600

  /// The number of turns taken before this one.
  var number: Int
  /// When the last one was taken.
  var since: Date
  /// The number of books of the catalog then.
  var books: Int

  func isDue(at now: Date) -> Bool {
    let time = now.timeIntervalSince(since)
    // A time in the future is that of a wrong clock.
    return time >= FileTurn.interval || time < 0
  }

  /// Whether it is the turn of a book with this identity.
  func takes(_ identity: String) -> Bool {
    var count = FileTurn.leastTurns
    let books = UInt64(min(max(books, 0), FileTurn.largestNumber))
    while books / count > FileTurn.mostBooks { count *= 2 }
    let place = UInt64(Fingerprint.text(identity), radix: 16) ?? 0
    return place % count == UInt64(min(max(number, 0), FileTurn.largestNumber)) % count
  }

  /// Returns the turn to record at the end of a crawl.
  ///
  /// - Parameters:
  ///   - known: The one that was recorded; `nil` at the first crawl.
  ///   - isTaken: Whether its books were asked about.
  static func after(_ known: FileTurn?, isTaken: Bool, books: Int, at now: Date) -> FileTurn {
    guard let known else { return FileTurn(number: 0, since: now, books: books) }
    guard isTaken else { return known }
    let next = min(max(known.number, 0), largestNumber) + 1
    return FileTurn(number: next % largestNumber, since: now, books: books)
  }
}

extension CatalogCrawl {
  /// Notes a listed book whose file is to be asked about in this crawl. calibre changes the entry with the
  /// file.
  func noteTurn(of entry: CatalogEntry, _ identity: String, _ state: inout CatalogCrawlState) {
    guard let turn = state.turn, turn.takes(identity), CalibreAddress(entry) == nil,
      !rules.files(of: entry).isEmpty
    else { return }
    state.revisited.insert(identity)
  }
}
