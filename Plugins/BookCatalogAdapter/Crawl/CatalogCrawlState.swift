import ArchiverCore

/// The progress of a crawl.
package struct CatalogCrawlState: Sendable {
  struct Stop: Sendable {
    let url: WebURL
    let depth: Int
    /// The first page of the feed that this page belongs to.
    var start: WebURL?
    /// Whether the link declares a feed. If it does not, a document of another kind is not a gap.
    var isFeed = true
    /// Whether it failed before, for a reason that may have passed.
    var isRepeated = false
  }

  /// What was read of a paged feed.
  struct Chain: Sendable {
    /// The identities of books and the URLs of other feeds.
    var identities: Set<String> = []
    var pages: [String] = []
    var total = 0
    var wasRepeated = false
    /// Consecutive pages without a new entry.
    var unproductive = 0
  }

  var hasBegun = false
  var isFinished = false
  /// The pages to fetch. The next page of a feed is put first.
  var queue: [Stop] = []
  var visited: Set<String> = []
  /// The pages to fetch once more after all others, as they failed for a reason that may pass.
  var unreached: [Stop] = []
  /// Whether no page was read since one was put off, so that the server may be away.
  var isAway = false
  /// Whether a page was put off since the last pause, and none read.
  var isPauseDue = false
  /// The delay that the server asked for when a page was put off.
  var asked: Duration?
  var patience = CrawlPatience()
  /// The books listed so far by identity, each with a digest of its title and its files' URLs.
  var named: [String: BookMark] = [:]
  /// Ids that several books share.
  var shared: Set<String> = []
  /// The titles of entries that were left out because another one of their feed has the same id and title, by
  /// a digest of a file of theirs.
  var twins: [String: String] = [:]
  /// Messages about feeds that declare more books than they list, each with the declared number.
  var short: [(message: String, total: Int)] = []
  /// The titles of entries that are neither books nor lead to a feed.
  var idle: Set<String> = []
  /// The names of what entries of books have and what is not read.
  var unread: Set<String> = []
  var documents = 0
  /// Whether a feed could not be read, so that books that were not listed may still exist.
  var hasGaps = false
  /// The gaps to report with the next page.
  var gaps: [ListingGap] = []
  /// URLs that were not followed, by reason.
  var skipped: [String: Set<String>] = [:]
  /// The number of consecutive feeds that failed with errors that may concern the whole source.
  var failures = 0
  var total: Int?
  /// Paged feeds by the URLs of their first pages.
  var chains: [String: Chain] = [:]
  /// The paged feeds of calibre, identified by their libraries, paths and parameters.
  var beginnings: Set<String> = []

  /// What earlier crawls recorded about feeds; updated after the last page.
  var memory = FeedMemory()
  /// Whose files this crawl asks about; `nil` if no turn is due.
  var turn: FileTurn?
  /// The books whose turn it is, to report with the next page.
  var revisited: Set<String> = []
  /// Keys (`FeedMemory.key`) of feeds that had entries in this crawl.
  var productive: Set<String> = []
  /// Absent feeds of this crawl, each with its message.
  var absent: [String: String] = [:]

  /// Returns the next page to fetch: that of the feed that is being read, else the next feed, finally those
  /// that failed before.
  mutating func nextStop() -> Stop? {
    if queue.isEmpty { swap(&queue, &unreached) }
    return queue.isEmpty ? nil : queue.removeFirst()
  }

  /// Puts a page off until all others are read.
  mutating func putOff(_ stop: Stop) {
    var again = stop
    again.isRepeated = true
    unreached.append(again)
    visited.remove(stop.url.withoutFragment.absoluteString)
  }

  /// Returns the books whose turn it is, to report them once.
  mutating func takeRevisited() -> Set<String> {
    defer { revisited = [] }
    return revisited
  }

  /// Records a gap: books may be missing from the listing.
  mutating func miss(_ message: String, isEssential: Bool = true) {
    hasGaps = true
    gaps.append(ListingGap(message, isEssential: isEssential))
  }
}

/// Distinguishes two books with the same id from one book in two feeds.
struct BookMark: Sendable, Hashable {
  let title: String
  let files: Set<String>

  init(_ entry: CatalogEntry) {
    title = entry.title
    files = Set(entry.ownLinks.map { Fingerprint.text($0.address) })
  }

  func isOfAnotherBook(than other: BookMark) -> Bool {
    title != other.title && !files.isEmpty && !other.files.isEmpty
      && files.isDisjoint(with: other.files)
  }
}
