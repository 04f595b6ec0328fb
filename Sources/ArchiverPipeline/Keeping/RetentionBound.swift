import ArchiverCore
import ArchiverStorage

/// Decides which new items need not be downloaded because the retention policy would remove them
/// again after the run: those older than everything kept.
///
/// Needs the delivered item: a listing does not tell favourites and highlights, which stay whatever
/// their age.
struct RetentionBound {
  enum Verdict: Sendable {
    case take
    case leaveOut
    /// The items being processed decide whether it would be kept.
    case wait
  }

  private let policy: RetentionPolicy
  private let count: Int
  private let source: String
  /// `nil` if there is no archive yet.
  private let catalog: SQLiteCatalog?
  private let pins: Set<ItemKey>
  /// When the items that fill `keep` were added to their source, newest first; `nil` until first
  /// needed.
  private var arrivals: [Date]?

  /// Returns `nil` for a policy without `keep`, which excludes nothing.
  init?(_ policy: RetentionPolicy?, source: String, catalog: SQLiteCatalog?) throws(StorageError) {
    guard let policy, let count = policy.keep else { return nil }
    self.policy = policy
    self.count = count
    self.source = source
    self.catalog = catalog
    pins = try catalog?.pins(source: source) ?? []
  }

  /// Decides about a delivered item.
  ///
  /// - Parameter processing: The number of items being processed, each of which may be kept.
  mutating func verdict(
    _ work: WorkItem, _ item: SourceItem, processing: Int
  ) throws(StorageError) -> Verdict {
    guard work.reason == .new, let arrival = item.metadata.arrival, !item.metadata.isFavourite,
      !item.metadata.staysBySource, item.annotations.isEmpty,
      !pins.contains(ItemKey(source: source, id: work.reference.id))
    else { return .take }
    // An item of the same date keeps its place.
    let newer = RetentionBound.place(of: arrival, in: try known())
    if newer >= count { return .leaveOut }
    return processing > 0 && newer + processing >= count ? .wait : .take
  }

  /// Returns whether a listed item would be left out, by the date of the listing; otherwise counts
  /// it as kept.
  mutating func leavesOut(_ work: WorkItem) throws(StorageError) -> Bool {
    guard work.reason == .new, let date = work.reference.date else { return false }
    let isPinned = pins.contains(ItemKey(source: source, id: work.reference.id))
    let newer = RetentionBound.place(of: date, in: try known())
    if newer >= count, !isPinned { return true }
    add(date)
    return false
  }

  /// Records that an item is kept from now on.
  mutating func add(_ item: CatalogItem) { add(item.metadata.arrival ?? .distantPast) }

  private mutating func add(_ arrival: Date) {
    // Before the first verdict nothing is counted; the first one reads the catalog.
    guard var dates = arrivals else { return }
    dates.insert(arrival, at: RetentionBound.place(of: arrival, in: dates))
    arrivals = Array(dates.prefix(count))
  }

  /// Returns how many of the dates, sorted newest first, are later than another.
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
      found = try catalog.map { try Retention(policy).plan($0).arrivals } ?? []
    } catch {
      throw StorageError(other: error)
    }
    arrivals = found
    return found
  }
}
