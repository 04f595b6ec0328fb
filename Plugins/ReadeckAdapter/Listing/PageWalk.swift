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
  /// The number of bookmarks per request; smaller after one of them made the server fail.
  private var size = PageWalk.pageSize
  /// The number of consecutive bookmarks for which the server failed.
  private var failures = 0
  /// The number of bookmarks that were skipped. The first few have a gap each, the others share one.
  private var skipped = 0
  private static let mostNamed = 5
  /// The number of consecutive failures that end the list; the second number applies while nothing has been read.
  private static let (mostFailures, mostAtFirst) = (10, 3)
  /// Whether part of the list could not be read. There is no checkpoint then: the next listing would not
  /// return what was missed.
  private var hasGaps = false
  /// Gaps that other requests left, to be returned with the next page.
  private var waiting: [ListingGap] = []
  private var seen: Set<String> = []
  /// The number of entries of the list that could not be read.
  private var unreadable = 0
  /// The number of consecutive bookmarks that were returned before. Bookmarks added meanwhile move
  /// others to later pages; a server that ignores the offset repeats itself.
  private var repeated = 0
  private static let mostRepeated = 1_000
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

  /// Continues after a failed request: asks for a tenth as many bookmarks, down to single ones, skips the
  /// one that makes the server fail, or ends the list there.
  ///
  /// Returns the page that reports the gap; `nil` if nothing has been read, so that the failure is the
  /// source's.
  mutating func skip(_ error: AdapterError) -> ListingPage? {
    hasGaps = true
    if error.mayBeOneBookmark, size > 1 {
      size /= 10
      return ListingPage(total: firstTotal)
    }
    failures += 1
    var gaps: [ListingGap] = []
    let most = seen.isEmpty ? PageWalk.mostAtFirst : PageWalk.mostFailures
    if error.mayBeOneBookmark, failures <= most {
      offset += 1
      skipped += 1
      if skipped <= PageWalk.mostNamed {
        gaps = [PageWalk.gap("bookmark \(offset) of the list was left out: \(error.message)")]
      }
      isFinished = firstTotal.map { offset >= $0 } ?? false
    } else {
      guard !seen.isEmpty else { return nil }
      gaps = [PageWalk.gap("the list was not read beyond bookmark \(offset): \(error.message)")]
      isFinished = true
    }
    return ListingPage(
      deleted: isFinished ? deleted : [], total: firstTotal, gaps: takeGaps() + gaps)
  }

  private static func gap(_ message: String) -> ListingGap {
    ListingGap(message, isEssential: true)
  }

  /// Returns the gaps to be reported with a page, on the last one also those that were only counted.
  private mutating func takeGaps() -> [ListingGap] {
    defer { waiting = [] }
    let others = skipped - PageWalk.mostNamed
    guard isFinished, others > 0 else { return waiting }
    return waiting + [PageWalk.gap("\(others) more bookmarks of the list were left out")]
  }

  /// Adds a response and returns its bookmarks that are new to the walk.
  mutating func take(
    _ list: LenientArray<Bookmark>, _ headers: HTTPHeaders, settings: String
  ) -> ListingPage {
    let fresh = list.elements.filter { seen.insert($0.id).inserted }
    let total = headers["Total-Count"].flatMap { Int($0) }
    if offset == 0 {
      firstTotal = total
      let limit = ReadeckCheckpoint.limit(answered: headers.date, now: now)
      newestOnFirstPage =
        list.elements.compactMap(\.updated).filter { $0.instant <= limit }.max()
    }
    if !list.faults.isEmpty { hasGaps = true }
    unreadable += list.faults.count
    repeated = fresh.isEmpty && list.faults.isEmpty ? repeated + list.count : 0
    failures = 0
    offset += size
    while size < PageWalk.pageSize, offset.isMultiple(of: size * 10) { size *= 10 }
    isFinished = isLast(received: list.count, total: total, headers)
    if isFinished, let fault = fault(total: total, headers) { note([PageWalk.gap(fault)]) }
    var page = ListingPage(
      references: fresh.filter { highlighted?.contains($0.id) ?? true }.map(\.listReference),
      total: highlighted?.count ?? total, gaps: takeGaps() + ListingGap.entries(list.faults))
    if isFinished {
      page.deleted = deleted
      page.checkpoint = hasGaps ? nil : checkpoint(settings)
      page.isCompleteEnumeration =
        isWhole && !hasGaps && total == seen.count && total == firstTotal
    }
    return page
  }

  private func isLast(received: Int, total: Int?, _ headers: HTTPHeaders) -> Bool {
    if received == 0 { return true }
    if let total { return offset >= total || repeated >= PageWalk.mostRepeated }
    // Without a total, only a page without new bookmarks reveals that the server repeats itself.
    return !PageWalk.hasNext(headers) || repeated > 0
  }

  /// Returns why the list ended before it was complete; `nil` if it did not. A total that changed meanwhile proves
  /// nothing.
  private func fault(total: Int?, _ headers: HTTPHeaders) -> String? {
    guard let total else {
      return repeated > 0 && PageWalk.hasNext(headers)
        ? "the list repeats itself after \(seen.count) bookmarks" : nil
    }
    if repeated >= PageWalk.mostRepeated {
      return "the list repeats itself after \(seen.count) of \(total) bookmarks"
    }
    let listed = seen.count + unreadable + skipped
    guard total == firstTotal, listed < total else { return nil }
    return "the list has \(listed) bookmarks and declares \(total)"
  }

  private static func hasNext(_ headers: HTTPHeaders) -> Bool {
    headers.values("Link").contains { $0.contains("rel=\"next\"") }
  }

  // A change during the walk on a page already fetched is missed, so the checkpoint has a time from before the walk.
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
