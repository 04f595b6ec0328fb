import ArchiverCore

/// What changes on a page without the page's stamp: the originals of its synced blocks, which are on
/// other pages, and comments that came after its last edit. Both are a part of its revision.
///
/// As with `ShownRows`, a page is named as the last listing left it, and again at the end when it
/// turned out to be otherwise.
struct ShownElsewhere: Sendable {
  /// The state for the next listing.
  struct Record: Codable, Sendable, Equatable {
    /// Of each page with synced copies the pages of their originals, with the stamps at which it was
    /// last named.
    var originals: [String: [String: String]] = [:]
    /// The time of the newest comment of each page that got one after its last edit.
    var comments: [String: UInt32] = [:]
    /// When the first listing that knows of this began; `nil` where pages may have been archived
    /// before.
    var since: Date?
    /// The page that was asked for comments last.
    var place: String?
  }

  private let last: Record
  private var comments: [String: UInt32]
  /// The pages of originals, of the pages that were walked.
  private var originals: [NotionID: Set<NotionID>] = [:]
  private var named: [NotionID: String] = [:]
  /// Pages whose originals changed and that wait for a later listing.
  private var waiting: Set<String> = []
  /// Whether it is decided which pages wait.
  private var isSettled = false

  init(_ record: Record?) {
    last = record ?? Record()
    comments = last.comments
  }

  /// Where the last listing stopped to ask for comments.
  var place: String? { last.place }

  /// Notes the pages of the originals that a page shows, all of them.
  mutating func set(originals pages: Set<NotionID>, of page: NotionID) { originals[page] = pages }

  /// Takes in the newest comment of a page; returns whether the archived page may lack it.
  ///
  /// - Parameters:
  ///   - newest: the minute of the newest comment; 0 for none.
  ///   - edited: the minute of the page's stamp.
  mutating func learn(newest: UInt32, of page: NotionID, edited: UInt32) -> Bool {
    let since = last.since.map { UInt32(clamping: Int($0.timeIntervalSince1970 / 60)) } ?? 0
    // What came before the page's last edit was fetched with it.
    guard newest > 0, newest >= max(edited, since), newest > comments[page.hex] ?? 0 else {
      return false
    }
    comments[page.hex] = newest
    return true
  }

  /// Returns what is added to the revision of a page that is named now.
  ///
  /// - Parameter stamp: returns the revision of a page as far as it is known now.
  mutating func suffix(_ page: NotionID, _ stamp: (NotionID) -> String?) -> String {
    // How many pages are named again because of a changed original is decided at the end.
    let suffix = text(page, last.originals[page.hex] == nil || isSettled ? stamp : { _ in nil })
    named[page] = suffix
    return suffix
  }

  /// Returns the pages that were named otherwise than they are now.
  ///
  /// - Parameter most: the most of them for a changed original: one that many pages show would have
  ///   all of them fetched in one night. The others follow in the next listings.
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

  /// Returns pages that show a changed original, in the order of their ids.
  func pagesWithChangedOriginals(_ stamp: (NotionID) -> String?) -> [NotionID] {
    last.originals.keys.compactMap { NotionID($0) }.sorted()
      .filter { stamps($0, stamp) != last.originals[$0.hex] }
  }

  /// Returns the state for the next listing.
  ///
  /// - Parameters:
  ///   - place: the page that was asked for comments last.
  ///   - started: when this listing began.
  ///   - isFirst: whether no listing was before it.
  ///   - isKnown: whether a page is still there.
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

  /// The originals' pages of a page with their stamps: those of now, else those of the last listing.
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
