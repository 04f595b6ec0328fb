package import ArchiverCore
package import ArchiverSite
package import ArchiverStorage

/// Removes items by a policy, never pinned ones, and then unused objects of the pool.
///
/// The age is the date of addition to the source, not of archiving: a backlog is archived newest
/// first, so the items archived last may be the oldest.
package struct Retention: Sendable {
  package struct Item: Sendable, Hashable {
    package let key: ItemKey
    package let title: String
    /// When it was added to its source; if that is unknown, or only the age in the archive counts,
    /// when it was last archived.
    package let date: Date
    package let byteCount: Int
  }

  /// The items to remove, oldest first, and how many stay only because they are protected or
  /// pinned.
  package struct Plan: Sendable {
    package var items: [Item] = []
    package var treasured = 0
    /// The number of items that stay whatever `includesProtected` says.
    package var pinned = 0
    /// When the items that fill `keep` were added to their source, newest first; `.distantPast` if
    /// unknown. Empty without `keep`.
    var arrivals: [Date] = []

    package var byteCount: Int { items.reduce(0) { $0 + $1.byteCount } }
  }

  private let policy: RetentionPolicy

  package init(_ policy: RetentionPolicy) {
    self.policy = policy
  }

  /// Decides what to remove; writes nothing.
  package func plan(_ catalog: SQLiteCatalog) throws -> Plan {
    var plan = Plan()
    var kept = 0
    var keptBytes = 0
    // Newest first, so that everything beyond a limit is older than everything within.
    for candidate in try candidates(catalog) {
      let isBeyond =
        policy.keep.map { kept >= $0 } ?? false
        || policy.archivedBefore.map { candidate.archived < $0 } ?? false
        || policy.maxBytes.map { keptBytes + candidate.item.byteCount > $0 } ?? false
      let mayGo = !candidate.isPinned && (policy.includesProtected || !candidate.isProtected)
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
    /// `nil` if the source does not say.
    let arrival: Date?
    let archived: Date
    let isPinned: Bool
    let isProtected: Bool
  }

  /// Newest first; those without a date from the source come last.
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
          isProtected: item.isProtected))
      return true
    }
    // A stable sort: the catalog returns them last archived first.
    found.sort { ($0.arrival ?? .distantPast) > ($1.arrival ?? .distantPast) }
    return found
  }

  /// Removes what a plan names, updates the library and removes unused objects from the pool.
  /// Cancelling the task stops between two items; what was removed stays removed.
  ///
  /// A run passes its own `library`, which may have read ahead, and updates it afterwards itself.
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
  /// Whether it is a favourite or has highlights.
  var isProtected: Bool { metadata.isFavourite || !annotations.isEmpty }
}

extension ItemMetadata {
  /// When the item was added to its source, if known.
  var arrival: Date? { added ?? modified }
}
