package import ArchiverCore
package import ArchiverSite
package import ArchiverStorage

/// Which items an archive need not keep; the conditions given apply together, each on its own
/// being reason enough to go.
package struct RetentionPolicy: Sendable {
  /// Keep this many, those that came to their source last.
  package var keep: Int?
  /// Remove what was archived before.
  package var archivedBefore: Date?
  /// Remove those that came to their source first until the bundles' sizes add up to no more than this many bytes.
  package var maxBytes: Int?
  /// Only of these sources; empty means of all, each item counted once over all of them.
  package var sources: Set<String>
  /// Whether favourites and items with highlights may go too.
  package var includesTreasured: Bool

  package init(
    keep: Int? = nil, archivedBefore: Date? = nil, maxBytes: Int? = nil,
    sources: Set<String> = [], includesTreasured: Bool = false
  ) {
    self.keep = keep
    self.archivedBefore = archivedBefore
    self.maxBytes = maxBytes
    self.sources = sources
    self.includesTreasured = includesTreasured
  }
}

/// Removes items by a policy, pinned ones never, and what of the pool nothing uses any more.
///
/// Old is what came to its source long ago, not what was archived long ago: a backlog is archived from
/// its newest item on, so what comes into the archive last may be what was saved first.
package struct Retention: Sendable {
  package struct Item: Sendable, Hashable {
    package let key: ItemKey
    package let title: String
    /// When it came to its source or, where only the age in the archive counts or nothing else is
    /// known, when it was archived last.
    package let date: Date
    package let byteCount: Int
  }

  /// The items to remove, oldest first, and how many stay only because they are protected or
  /// pinned.
  package struct Plan: Sendable {
    package var items: [Item] = []
    package var treasured = 0
    /// Those that stay whatever the policy says of marked ones.
    package var pinned = 0
    /// When those that fill the number to keep came to their source, newest first; `.distantPast` where
    /// the source does not tell. Empty without such a number.
    var arrivals: [Date] = []

    package var byteCount: Int { items.reduce(0) { $0 + $1.byteCount } }
  }

  private let policy: RetentionPolicy

  package init(_ policy: RetentionPolicy) {
    self.policy = policy
  }

  /// Decides what goes; writes nothing.
  package func plan(_ catalog: SQLiteCatalog) throws -> Plan {
    var plan = Plan()
    var kept = 0
    var keptBytes = 0
    // Newest first, so that what is beyond a bound is older than all that is within.
    for candidate in try candidates(catalog) {
      let isBeyond =
        policy.keep.map { kept >= $0 } ?? false
        || policy.archivedBefore.map { candidate.archived < $0 } ?? false
        || policy.maxBytes.map { keptBytes + candidate.item.byteCount > $0 } ?? false
      let mayGo = !candidate.isPinned && (policy.includesTreasured || !candidate.isTreasured)
      if isBeyond, mayGo {
        plan.items.append(candidate.item)
      } else {
        if isBeyond, candidate.isPinned { plan.pinned += 1 }
        if isBeyond, !candidate.isPinned { plan.treasured += 1 }
        kept += 1
        if let keep = policy.keep, kept <= keep {
          plan.arrivals.append(candidate.arrival ?? .distantPast)
        }
        keptBytes += candidate.item.byteCount
      }
    }
    plan.items.reverse()
    return plan
  }

  private struct Candidate {
    let item: Item
    /// `nil` where the source does not tell.
    let arrival: Date?
    let archived: Date
    let isPinned: Bool
    let isTreasured: Bool
  }

  /// Newest first; those without a date of the source come last.
  private func candidates(_ catalog: SQLiteCatalog) throws -> [Candidate] {
    let pins = try catalog.pins(source: nil)
    let countsArrival = policy.keep != nil || policy.maxBytes != nil
    var found: [Candidate] = []
    try catalog.forEachItem(source: nil) { item in
      guard policy.sources.isEmpty || policy.sources.contains(item.key.source) else { return true }
      let arrival = countsArrival ? item.metadata.arrival : nil
      found.append(
        Candidate(
          item: Item(
            key: item.key, title: item.metadata.title, date: arrival ?? item.lastArchived,
            byteCount: item.byteCount),
          arrival: arrival, archived: item.lastArchived,
          isPinned: item.metadata.staysBySource || pins.contains(item.key),
          isTreasured: item.isTreasured))
      return true
    }
    // The sort is stable, and they come last archived first.
    found.sort { ($0.arrival ?? .distantPast) > ($1.arrival ?? .distantPast) }
    return found
  }

  /// Removes what a plan names, brings the library up to date and empties the pool of what nothing
  /// uses. Cancelling the task ends it between two items; what was removed stays removed.
  ///
  /// A run gives the `library` that it updates itself afterwards, which may have read ahead.
  package func carryOut(
    _ plan: Plan, in archive: Archive, library: LibraryBuilder
  ) throws -> GarbageReport {
    var hasChanged = false
    for item in plan.items {
      if Task.isCancelled { break }
      guard let known = try archive.catalog.item(item.key) else { continue }
      try archive.remove(item.key)
      try archive.catalog.retire(known)
      hasChanged = true
    }
    if hasChanged {
      try LinkMender(archive: archive).mend()
      _ = try library.update(isChanged: true)
    }
    return try archive.collectGarbage()
  }
}

extension CatalogItem {
  /// Whether the user marked the item or something in it.
  var isTreasured: Bool { metadata.isFavourite || !annotations.isEmpty }
}

extension ItemMetadata {
  /// When the item came to its source, as far as that is known.
  var arrival: Date? { added ?? modified }
}
