import ArchiverCore
import ArchiverStorage

/// Tells which new items a run need not download, as the source's retention would take them out of
/// the archive again when the run ends: those that came to their source before all that are kept.
///
/// Only what the adapter delivered tells: a list does not know favourites and highlights, which stay
/// however old they are.
struct RetentionBound {
  enum Verdict: Sendable {
    case take
    case leaveOut
    /// Those that are being processed decide whether there is room for it.
    case wait
  }

  private let policy: RetentionPolicy
  private let count: Int
  private let source: String
  private let catalog: SQLiteCatalog
  private let pins: Set<ItemKey>
  /// When the items that fill the number came to their source, newest first; `nil` until the first new
  /// item asks for it.
  private var arrivals: [Date]?

  /// Returns `nil` without a number of items to keep, where everything may come.
  init?(_ policy: RetentionPolicy?, source: String, catalog: SQLiteCatalog) throws(StorageError) {
    guard let policy, let count = policy.keep else { return nil }
    self.policy = policy
    self.count = count
    self.source = source
    self.catalog = catalog
    pins = try catalog.pins(source: source)
  }

  /// Decides about an item that was delivered.
  ///
  /// - Parameter processing: how many items are being processed, each of which may take a place.
  mutating func verdict(
    _ work: WorkItem, _ item: SourceItem, processing: Int
  ) throws(StorageError) -> Verdict {
    guard work.reason == .new, let arrival = item.metadata.arrival, !item.metadata.isFavourite,
      !item.metadata.staysBySource, item.annotations.isEmpty,
      !pins.contains(ItemKey(source: source, id: work.reference.id))
    else { return .take }
    // The place of one that came at the same time is not taken from it.
    let newer = RetentionBound.place(of: arrival, in: try known())
    if newer >= count { return .leaveOut }
    return processing > 0 && newer + processing >= count ? .wait : .take
  }

  /// Notes that an item is kept from now on, as its bundle is made.
  mutating func add(_ item: CatalogItem) {
    // Before the first verdict there is no count; the first one reads it from the catalog.
    guard var dates = arrivals else { return }
    let arrival = item.metadata.arrival ?? .distantPast
    dates.insert(arrival, at: RetentionBound.place(of: arrival, in: dates))
    arrivals = Array(dates.prefix(count))
  }

  /// Returns how many of the dates, newest first, are later than another.
  private static func place(of date: Date, in dates: [Date]) -> Int {
    var (low, high) = (0, dates.count)
    while low < high {
      let middle = (low + high) / 2
      if dates[middle] > date { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func known() throws(StorageError) -> [Date] {
    if let arrivals { return arrivals }
    let found: [Date]
    do {
      found = try Retention(policy).plan(catalog).arrivals
    } catch {
      throw StorageError(other: error)
    }
    arrivals = found
    return found
  }
}
