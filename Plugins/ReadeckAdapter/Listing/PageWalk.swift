import ArchiverCore

/// Fetches the pages of `GET /api/bookmarks`, newest bookmark first.
///
/// Bookmarks added meanwhile move others to later pages, so that some occur twice. A removed
/// bookmark moves others to earlier pages, so that some are missed; the total reveals it.
struct PageWalk: Sendable {
  /// The server's maximum; a larger number is answered with 404.
  static let pageSize = 100

  var query: [ReadeckAPI.Field]
  /// Deletions to report with the last page.
  var deleted: [String] = []
  /// The newest time from another request before the walk began.
  var knownTime: Timestamp?
  /// Whether the walk, unless something is missed, lists every bookmark.
  var isWhole = false
  private(set) var isFinished = false

  private let since: ReadeckCheckpoint?
  private let now: Date
  private let highlighted: Set<String>?
  private var offset = 0
  /// The number of bookmarks per request; smaller where one of them makes the server fail.
  private var size = PageWalk.pageSize
  /// Failed requests in a row.
  private var failures = 0
  /// After so many the list ends.
  private static let mostFailures = 3
  /// Whether part of the list could not be read. There is no checkpoint then: the next listing would not
  /// return what was missed.
  private var hasGaps = false
  /// Gaps that other requests left, to be returned with the next page.
  private var waiting: [ListingGap] = []
  private var seen: Set<String> = []
  private var firstTotal: Int?
  private var newestOnFirstPage: Timestamp?

  init(
    filter: [ReadeckAPI.Field], since: ReadeckCheckpoint?, highlighted: Set<String>?, now: Date
  ) {
    query = filter
    self.since = since
    self.now = now
    self.highlighted = highlighted
  }

  /// Adds gaps that other requests of the listing left.
  mutating func note(_ gaps: [ListingGap]) {
    waiting += gaps
    if !gaps.isEmpty { hasGaps = true }
  }

  var nextQuery: [ReadeckAPI.Field] {
    [("limit", "\(size)"), ("offset", "\(offset)")] + query
  }

  /// Continues after a failed request: skips the bookmarks that make the server fail, a tenth of a page at
  /// a time, or ends the list there.
  ///
  /// Returns the page that reports the gap; `nil` if nothing has been read, so that the failure is the
  /// source's.
  mutating func skip(_ error: AdapterError) -> ListingPage? {
    hasGaps = true
    if error.mayBeOneBookmark, size == PageWalk.pageSize {
      size = PageWalk.pageSize / 10
      return ListingPage(total: firstTotal)
    }
    failures += 1
    let missing: String
    if error.mayBeOneBookmark, failures <= PageWalk.mostFailures {
      missing = "Bookmarks \(offset + 1) to \(offset + size) of the list were left out"
      offset += size
      isFinished = firstTotal.map { offset >= $0 } ?? false
    } else {
      guard !seen.isEmpty else { return nil }
      missing = "The list was not read beyond bookmark \(offset)"
      isFinished = true
    }
    defer { waiting = [] }
    return ListingPage(
      deleted: isFinished ? deleted : [], total: firstTotal,
      gaps: waiting + [ListingGap("\(missing): \(error.message)", isEssential: true)])
  }

  /// Adds a response and returns its bookmarks that are new to the walk.
  mutating func take(
    _ list: LenientArray<Bookmark>, _ headers: HTTPHeaders, settings: String
  ) -> ListingPage {
    let fresh = list.elements.filter { seen.insert($0.id).inserted }
    let received = list.elements.count + list.faults.count
    let total = headers["Total-Count"].flatMap { Int($0) }
    if offset == 0 {
      firstTotal = total
      let limit = ReadeckCheckpoint.limit(answered: headers.date, now: now)
      newestOnFirstPage =
        list.elements.compactMap(\.updated).filter { $0.instant <= limit }.max()
    }
    if !list.faults.isEmpty { hasGaps = true }
    failures = 0
    offset += size
    if offset.isMultiple(of: PageWalk.pageSize) { size = PageWalk.pageSize }
    isFinished = isLast(received: received, fresh: fresh.count, total: total, headers)
    var page = ListingPage(
      references: fresh.filter { highlighted?.contains($0.id) ?? true }.map(\.listReference),
      total: highlighted?.count ?? total, gaps: waiting + ListingGap.entries(list.faults))
    waiting = []
    if isFinished {
      page.deleted = deleted
      page.checkpoint = hasGaps ? nil : checkpoint(settings)
      page.isCompleteEnumeration =
        isWhole && !hasGaps && total == seen.count && total == firstTotal
    }
    return page
  }

  private func isLast(
    received: Int, fresh: Int, total: Int?, _ headers: HTTPHeaders
  ) -> Bool {
    if received == 0 { return true }
    if let total { return offset >= total }
    let hasNext = headers.values("Link").contains { $0.contains("rel=\"next\"") }
    // Without a total, only a page without new bookmarks reveals that the server repeats itself.
    return !hasNext || fresh == 0
  }

  // A change during the walk on a page already fetched is missed, so that the checkpoint has a time
  // from before the walk.
  private func checkpoint(_ settings: String) -> Checkpoint? {
    ReadeckCheckpoint.time(knownTime ?? newestOnFirstPage, since: since).map {
      ReadeckCheckpoint(time: $0, settings: settings).checkpoint
    }
  }
}

extension Bookmark {
  /// The bookmark's reference, equal to that from the sync API.
  fileprivate var listReference: ItemReference {
    ItemReference(
      id: id, revision: revision, title: title, date: updated?.date ?? created?.date)
  }
}
