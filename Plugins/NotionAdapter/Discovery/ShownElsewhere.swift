import ArchiverCore

/// Content that changes on a page without changing its edit time: originals of its synced blocks,
/// which are on other pages, and comments after its last edit. Both are part of the page's
/// revision.
///
/// As with `ShownRows`, a page is listed with its previous state, and listed again at the end if
/// the state turns out to be different.
struct ShownElsewhere: Sendable {
  /// The state for the next listing.
  struct Record: Codable, Sendable, Equatable {
    /// For each page with synced copies, the pages of their originals, with their edit times when
    /// the page was last listed.
    var originals: [String: [String: String]] = [:]
    /// For each page with a comment after its last edit, the time of the newest one.
    var comments: [String: UInt32] = [:]
    /// The start of the first listing with these records; `nil` if pages may have been archived
    /// before.
    var since: Date?
    /// The last page whose comments were requested.
    var place: String?
  }

  private let last: Record
  private var comments: [String: UInt32]
  /// For each walked page, the pages of its originals.
  private var originals: [NotionID: Set<NotionID>] = [:]
  private var named: [NotionID: String] = [:]
  /// Pages with changed originals that are deferred to a later listing.
  private var waiting: Set<String> = []
  /// Whether the deferred pages have been determined.
  private var isSettled = false

  init(_ record: Record?) {
    last = record ?? Record()
    comments = last.comments
  }

  /// The page at which the last listing stopped requesting comments.
  var place: String? { last.place }

  /// Sets the pages of all originals that a page shows.
  mutating func set(originals pages: Set<NotionID>, of page: NotionID) { originals[page] = pages }

  /// Records the newest comment of a page; returns whether the archived page may lack it.
  ///
  /// - Parameters:
  ///   - newest: The time of the newest comment in minutes; 0 for none.
  ///   - edited: The page's edit time in minutes.
  mutating func learn(newest: UInt32, of page: NotionID, edited: UInt32) -> Bool {
    let since = last.since.map { UInt32(clamping: Int($0.timeIntervalSince1970 / 60)) } ?? 0
    // Comments up to the minute of the last edit were fetched with it: a page is fetched once more
    // when that minute is over.
    guard newest > edited, newest >= since, newest > comments[page.hex] ?? 0 else {
      return false
    }
    comments[page.hex] = newest
    return true
  }

  /// Returns the suffix of a page's revision in this listing.
  ///
  /// - Parameter stamp: Returns the revision of a page as far as it is known.
  mutating func suffix(_ page: NotionID, _ stamp: (NotionID) -> String?) -> String {
    // The number of pages listed again because of changed originals is limited at the end.
    let suffix = text(page, last.originals[page.hex] == nil || isSettled ? stamp : { _ in nil })
    named[page] = suffix
    return suffix
  }

  /// Returns the pages that were listed with another suffix than they have now.
  ///
  /// - Parameter most: The maximum number of pages with a changed original: one shown on many pages would
  ///   have all of them fetched in one run. The others follow in later listings.
  mutating func outdated(most: Int, _ stamp: (NotionID) -> String?) -> [NotionID] {
    var outdated: [NotionID] = []
    var count = 0
    isSettled = true
    for page in named.keys.sorted() where text(page, stamp) != named[page] {
      let isNew = originals[page] != nil && last.originals[page.hex] == nil
      if !isNew, stamps(page, stamp) != last.originals[page.hex] ?? [:] {
        count += 1
        if count > most { waiting.insert(page.hex) }
      }
      if text(page, stamp) != named[page] { outdated.append(page) }
    }
    return outdated
  }

  /// Returns pages that show a changed original, sorted by id.
  func pagesWithChangedOriginals(_ stamp: (NotionID) -> String?) -> [NotionID] {
    last.originals.keys.compactMap { NotionID($0) }.sorted()
      .filter { stamps($0, stamp) != last.originals[$0.hex] }
  }

  /// Returns the state for the next listing.
  ///
  /// - Parameters:
  ///   - place: The last page whose comments were requested.
  ///   - started: When this listing began.
  ///   - isFirst: Whether it is the first listing.
  ///   - isKnown: Whether a page still exists.
  func record(
    place: String?, started: Date, isFirst: Bool, isKnown: (NotionID) -> Bool,
    _ stamp: (NotionID) -> String?
  ) -> Record? {
    var record = Record(
      comments: comments.filter { NotionID($0.key).map(isKnown) ?? false },
      since: last.since ?? (isFirst ? started : nil), place: place)
    let pages = Set(originals.keys).union(last.originals.keys.compactMap { NotionID($0) })
    for page in pages where isKnown(page) {
      let stamps = stamps(page, stamp)
      if !stamps.isEmpty { record.originals[page.hex] = stamps }
    }
    return record == Record() ? nil : record
  }

  private func text(_ page: NotionID, _ stamp: (NotionID) -> String?) -> String {
    var text = ""
    let stamps = stamps(page, stamp)
    if !stamps.isEmpty {
      var digest = SetDigest()
      for (original, edited) in stamps { digest.insert(original + edited) }
      text += " s\(digest.text)"
    }
    if let newest = comments[page.hex] { text += " c\(newest)" }
    return text
  }

  /// Returns the pages of a page's originals with their current edit times, or else those of the
  /// last listing.
  private func stamps(_ page: NotionID, _ stamp: (NotionID) -> String?) -> [String: String] {
    let old = last.originals[page.hex] ?? [:]
    if waiting.contains(page.hex) { return old }
    let pages = originals[page] ?? Set(old.keys.compactMap { NotionID($0) })
    var stamps: [String: String] = [:]
    for original in pages where original != page {
      stamps[original.hex] = stamp(original) ?? old[original.hex] ?? ""
    }
    return stamps
  }
}
