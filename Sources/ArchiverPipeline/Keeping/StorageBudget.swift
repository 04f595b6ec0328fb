import ArchiverCore
import ArchiverSite
import ArchiverStorage
import Synchronization

/// Limits the size of a source's bundles.
///
/// Eviction order: day of last access, unknown first; then date added to the source, oldest first.
/// Pinned items, items that their source labels "pinned", favourites and items with highlights are
/// never evicted. Evicted items stay tracked and are fetched again only when there is space.
///
/// What may cause evictions: a pinned item, an item requested by id, a new copy of an archived
/// item, and a new item added to its source later than those to be evicted. So a catalog larger
/// than the budget settles on its newest items and then causes no downloads.
///
/// Sizes are those of bundles as lists show them, without earlier versions. With a minimum of free
/// disk space, the space at the start of the run limits the bundles too; it is measured again
/// before each bundle is published, as other programs write to the disk.
///
/// An item that does not fit does not keep smaller ones after it from being archived.
final class StorageBudget: Sendable {
  /// A claim of an item for space.
  struct Claim: Sendable {
    let key: ItemKey
    /// When the item was added to its source.
    let date: Date?
    let isWanted: Bool
    /// The declared size of its files in bytes.
    let announced: Int
  }

  struct EvictionCandidate: Sendable {
    let item: CatalogItem
    let opened: Date?
  }

  private struct Expectation {
    var bytes: Int
    let isWanted: Bool
  }

  private struct State {
    /// Candidates for eviction in order; `nil` until first needed.
    var candidates: [EvictionCandidate]?
    /// The expected sizes of items in progress.
    var expected: [ItemKey: Expectation] = [:]
    /// The declared sizes of files so far; `taken` is the size of the bundles made from them.
    var announced = 0
    var taken = 0
    /// The bytes evicted in this run; the disk has them back at its end at the latest.
    var left = 0

    /// The size of a bundle per declared byte, at least one.
    var growth: Double {
      announced > 0 ? min(10, max(1, Double(taken) / Double(announced))) : 1
    }
  }

  /// The maximum size of all bundles of the source.
  let limit: Int
  let source: String
  private let room: DiskRoom?
  private let archive: Archive
  private let pins: Set<ItemKey>
  private let state = Mutex(State())

  init(
    limit: Int?, room: DiskRoom? = nil, source: String, archive: Archive
  ) throws(StorageError) {
    let used = try archive.catalog.byteCount(source: source)
    let byDisk = room?.left().map { max(0, used + $0) }
    self.limit = min(limit ?? .max, byDisk ?? .max)
    self.room = room
    self.source = source
    self.archive = archive
    pins = try archive.catalog.pins(source: source)
  }

  /// Returns the claim of a delivered item.
  func claim(_ work: WorkItem, _ item: SourceItem, isAskedFor: Bool) -> Claim {
    let key = ItemKey(source: source, id: work.reference.id)
    return Claim(
      key: key, date: item.metadata.arrival,
      isWanted: isAskedFor || work.reason != .new || item.metadata.staysBySource
        || pins.contains(key),
      announced: item.attachments.reduce(0) {
        min($0 + min(max(0, $1.byteCount ?? 0), StorageBudget.mostBytes), StorageBudget.mostBytes)
      })
  }

  /// More than any disk has and far below the range of integers: a source may declare any size.
  private static let mostBytes = 1 << 60

  /// Returns the current size of the bundles.
  func used() throws(StorageError) -> Int { try archive.catalog.byteCount(source: source) }

  /// Decides before anything is downloaded. Returns the bytes needed if the item cannot fit;
  /// otherwise `nil`, and reserves them until the item has been published.
  func refusal(_ claim: Claim) throws(StorageError) -> Int? {
    let growth = state.withLock { $0.growth }
    let needed = Int(min(Double(claim.announced) * growth, Double(StorageBudget.mostBytes)))
    guard try fits(claim, needed) else { return max(needed, 1) }
    state.withLock {
      $0.expected[claim.key] = Expectation(bytes: needed, isWanted: claim.isWanted)
    }
    return nil
  }

  /// Records the size of the bundle that was staged for a claim.
  func staged(_ claim: Claim, byteCount: Int) {
    state.withLock { state in
      state.expected[claim.key]?.bytes = byteCount
      guard claim.announced > 0 else { return }
      state.announced = min(state.announced + claim.announced, StorageBudget.mostBytes)
      state.taken = min(state.taken + byteCount, StorageBudget.mostBytes)
    }
  }

  /// Records that no bundle was staged for an item.
  func notStaged(_ key: ItemKey) { state.withLock { $0.expected[key] = nil } }

  /// Records that an item was published or refused.
  func settled(_ item: CatalogItem, isArchived: Bool) {
    let mayLeave = isArchived && !item.isProtected && !isPinned(item)
    state.withLock { state in
      state.expected[item.key] = nil
      state.candidates?.removeAll { $0.item.key == item.key }
      guard mayLeave, let candidates = state.candidates else { return }
      let leaving = EvictionCandidate(item: item, opened: nil)
      let place = candidates.firstIndex { StorageBudget.leavesEarlier(leaving, $0) }
      state.candidates?.insert(leaving, at: place ?? candidates.endIndex)
    }
  }

  private func isPinned(_ item: CatalogItem) -> Bool {
    pins.contains(item.key) || item.metadata.staysBySource
  }

  /// Returns the evictions for a bundle of this size; `nil` if they do not suffice.
  func leaving(for claim: Claim, _ size: Int) throws(StorageError) -> [EvictionCandidate]? {
    let old = try archive.catalog.item(claim.key)?.byteCount ?? 0
    return try leaving(claim, over: max(try used() - old + size - limit, shortage()))
  }

  /// Returns how many bytes are missing to the minimum of free space, counting bundles that wait to
  /// be published.
  private func shortage() -> Int {
    guard let left = room?.left() else { return 0 }
    return -left - state.withLock { $0.left }
  }

  /// Returns the evictions for a budget that has become smaller than the bundles.
  func evictionsOverLimit() throws(StorageError) -> [EvictionCandidate] {
    var over = try used() - limit
    return try candidates().prefix { leaving in
      guard over > 0 else { return false }
      over -= leaving.item.byteCount
      return true
    }.map { $0 }
  }

  /// Evicts an item; it stays tracked.
  func leave(_ leaving: EvictionCandidate) throws(StorageError) {
    let item = leaving.item
    try archive.remove(item.key)
    try archive.catalog.hold(
      item.key, title: item.metadata.title, revision: item.revision, needed: item.byteCount,
      message: "it was evicted to stay within the storage budget")
    state.withLock { state in
      state.left += item.byteCount
      state.candidates?.removeAll { $0.item.key == item.key }
    }
  }

  private func fits(_ claim: Claim, _ needed: Int) throws(StorageError) -> Bool {
    // Expected items that may not cause evictions yield as well, when it is their turn.
    let expected = state.withLock { state in
      state.expected.reduce(0) { sum, other in
        let counts = other.key != claim.key && (other.value.isWanted || !claim.isWanted)
        return counts ? sum + other.value.bytes : sum
      }
    }
    let old = try archive.catalog.item(claim.key)?.byteCount ?? 0
    let over = try used() - old + expected + max(needed, 1) - limit
    return try leaving(claim, over: over) != nil
  }

  private func leaving(_ claim: Claim, over: Int) throws(StorageError) -> [EvictionCandidate]? {
    var over = over
    guard over > 0 else { return [] }
    var chosen: [EvictionCandidate] = []
    for leaving in try candidates() where leaving.item.key != claim.key {
      guard claim.isWanted || isLater(claim, leaving.item) else { continue }
      chosen.append(leaving)
      over -= leaving.item.byteCount
      if over <= 0 { return chosen }
    }
    return nil
  }

  private func isLater(_ claim: Claim, _ item: CatalogItem) -> Bool {
    guard let date = claim.date, let other = item.metadata.arrival else { return false }
    return date > other
  }

  private func candidates() throws(StorageError) -> [EvictionCandidate] {
    if let known = state.withLock({ $0.candidates }) { return known }
    var items: [CatalogItem] = []
    do {
      try archive.catalog.forEachItem(source: source) { item in
        if !item.isProtected, !isPinned(item) { items.append(item) }
        return true
      }
    } catch {
      throw StorageError(other: error)
    }
    var found: [EvictionCandidate] = []
    for item in items {
      found.append(EvictionCandidate(item: item, opened: try archive.lastOpened(item)))
    }
    found.sort(by: StorageBudget.leavesEarlier)
    return state.withLock { state in
      state.candidates = found
      return found
    }
  }

  static func leavesEarlier(_ one: EvictionCandidate, _ other: EvictionCandidate) -> Bool {
    let days = [one, other].map { ($0.opened ?? .distantPast).timeIntervalSince1970 / 86_400 }
    if days[0].rounded(.down) != days[1].rounded(.down) { return days[0] < days[1] }
    let arrivals = [one, other].map { $0.item.metadata.arrival ?? .distantPast }
    return (arrivals[0], one.item.lastArchived, one.item.folder)
      < (arrivals[1], other.item.lastArchived, other.item.folder)
  }
}

extension ItemMetadata {
  /// Whether the source marks the item as pinned; for a book archived by an earlier version its
  /// tags decide.
  package var staysBySource: Bool {
    if let isPinned { return isPinned }
    return SeriesPlace.kinds.contains(kind) && labels.contains { $0.lowercased() == "pinned" }
  }
}
