import ArchiverCore

/// How far a crawl has come.
package struct CatalogCrawlState: Sendable {
  struct Stop: Sendable {
    let url: WebURL
    let depth: Int
    /// The first page of the feed that this is a page of.
    var start: WebURL?
    /// Whether what names it says that it is a feed; what else it turns out to be is no loss.
    var isFeed = true
  }

  /// What was read of a feed in pages.
  struct Chain: Sendable {
    /// Books, and ways to other feeds.
    var identities: Set<String> = []
    var pages: [String] = []
    var total = 0
    var wasRepeated = false
    /// Pages in a row that named nothing new.
    var unproductive = 0
  }

  var hasBegun = false
  var isFinished = false
  /// What is still to be fetched; the next page of a feed goes first.
  var queue: [Stop] = []
  var visited: Set<String> = []
  /// The books named so far by identity, each with a mark of its title and the addresses of its files.
  var named: [String: BookMark] = [:]
  /// Ids that several books share.
  var shared: Set<String> = []
  var documents = 0
  /// Whether a feed could not be read, so that what was not named may still be there.
  var hasGaps = false
  /// The gaps to be reported with the next page.
  var gaps: [ListingGap] = []
  /// Addresses that were not followed, by reason.
  var skipped: [String: Set<String>] = [:]
  /// Feeds in a row that failed as they would if the whole source did.
  var failures = 0
  var total: Int?
  /// By the address of a feed's first page.
  var chains: [String: Chain] = [:]
  /// The beginnings of feeds in pages, by what they name and how many books they say they have.
  var beginnings: Set<String> = []

  /// What earlier crawls know of the feeds; after the last page what this one adds.
  var memory: FeedMemory
  /// Feeds that named something in this crawl, as `FeedMemory.key`.
  var productive: Set<String> = []
  /// Feeds that were not there in this crawl, each with what was said of it.
  var absent: [String: String] = [:]

  init(memory: FeedMemory = FeedMemory()) {
    self.memory = memory
  }

  /// Notes that books may be missing.
  mutating func miss(_ message: String, isEssential: Bool = true) {
    hasGaps = true
    gaps.append(ListingGap(message, isEssential: isEssential))
  }
}

/// What tells two books with one id from one book that is in two feeds.
struct BookMark: Sendable, Hashable {
  let title: String
  let files: Set<String>

  init(_ entry: CatalogEntry) {
    title = entry.title
    files = Set(entry.links.filter { $0.isDownload }.map { Fingerprint.text($0.address) })
  }

  func isOfAnotherBook(than other: BookMark) -> Bool {
    title != other.title && !files.isEmpty && !other.files.isEmpty
      && files.isDisjoint(with: other.files)
  }
}
