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
  private var failures = 0
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

  var nextQuery: [ReadeckAPI.Field] {
    [("limit", "\(size)"), ("offset", "\(offset)")] + query
  }

  /// Skips bookmarks that make the server fail, a tenth of a page at a time.
  ///
  /// Returns a page that reports the gap; `nil` if the server fails for nearly everything.
  mutating func skip(_ error: AdapterError) -> ListingPage? {
    isWhole = false
    if size == PageWalk.pageSize {
      size = PageWalk.pageSize / 10
      return ListingPage(references: [], total: firstTotal)
    }
    failures += 1
    guard failures <= 3 else { return nil }
    let range = "\(offset + 1) to \(offset + size)"
    offset += size
    isFinished = firstTotal.map { offset >= $0 } ?? false
    return ListingPage(
      references: [], total: firstTotal,
      gaps: [
        ListingGap(
          "Bookmarks \(range) of the list were left out: \(error.message)", isEssential: true)
      ])
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
    if !list.faults.isEmpty { isWhole = false }
    failures = 0
    offset += size
    if offset.isMultiple(of: PageWalk.pageSize) { size = PageWalk.pageSize }
    isFinished = isLast(received: received, fresh: fresh.count, total: total, headers)
    var page = ListingPage(
      references: fresh.filter { highlighted?.contains($0.id) ?? true }.map(\.listReference),
      total: highlighted?.count ?? total, gaps: ListingGap.entries(list.faults))
    if isFinished {
      page.deleted = deleted
      page.checkpoint = checkpoint(settings)
      page.isCompleteEnumeration = isWhole && total == seen.count && total == firstTotal
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
