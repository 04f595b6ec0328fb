import ArchiverCore
import ArchiverStorage

/// Holds back what a source lists under a new URL or credential until it names an item that is
/// archived: another server's items must not be mixed with those of the archive.
struct Admission {
  private let source: RunSource
  private let catalog: SQLiteCatalog
  /// The number of archived items that the source is not known to lack; 0 once its listing is
  /// accepted.
  private var archived: Int
  private var pages: [ListingPage] = []

  /// - Parameter accepts: Whether to accept any listing.
  init(_ source: RunSource, _ catalog: SQLiteCatalog, accepts: Bool) throws(StorageError) {
    self.source = source
    self.catalog = catalog
    archived = accepts ? 0 : try catalog.presentCount(source: source.name)
  }

  /// Whether the listing is accepted.
  var isOpen: Bool { archived == 0 }

  /// Returns the pages that may be queued now, in the order of the listing.
  mutating func admit(_ page: ListingPage) throws(StorageError) -> [ListingPage] {
    if isOpen { return [page] }
    pages.append(page)
    guard try isKnown(page) else { return [] }
    archived = 0
    defer { pages = [] }
    return pages
  }

  /// Fails if the listing has ended without an archived item. One with gaps may have missed them:
  /// it queues nothing, and the next one is judged again.
  func finish(hasGaps: Bool) throws(AdapterError) {
    if isOpen || hasGaps { return }
    throw AdapterError(
      .unauthorized,
      "the address or login is new, and the source returns \(listed) items, none of the "
        + "\(archived) archived ones; "
        + "configure a separate source, or run once with --new-account")
  }

  private var listed: Int { pages.reduce(0) { $0 + $1.references.count } }

  private func isKnown(_ page: ListingPage) throws(StorageError) -> Bool {
    for reference in page.references
    where try catalog.item(ItemKey(source: source.name, id: reference.id)) != nil {
      return true
    }
    return false
  }
}
