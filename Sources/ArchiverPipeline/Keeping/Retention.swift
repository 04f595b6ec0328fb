package import ArchiverCore
package import ArchiverSite
package import ArchiverStorage

/// Which items an archive need not keep; the conditions given apply together, each on its own
/// being reason enough to go.
package struct RetentionPolicy: Sendable {
  /// Keep this many, those archived last.
  package var keep: Int?
  /// Remove what was archived before.
  package var archivedBefore: Date?
  /// Remove the oldest until the bundles' sizes add up to no more than this many bytes.
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

/// Removes items by a policy, oldest archived first and pinned ones never, and what of the pool nothing uses any more.
package struct Retention: Sendable {
  package struct Item: Sendable, Hashable {
    package let key: ItemKey
    package let title: String
    package let archived: Date
    package let byteCount: Int
  }

  /// What goes, oldest first, and how many items stay only because someone marked or pinned them.
  package struct Plan: Sendable {
    package var items: [Item] = []
    package var treasured = 0
    /// Those that stay whatever the policy says of marked ones.
    package var pinned = 0

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
    let pins = try catalog.pins(source: nil)
    // Newest first, so that what is beyond a bound is older than all that is within.
    try catalog.forEachItem(source: nil) { item in
      guard policy.sources.isEmpty || policy.sources.contains(item.key.source) else { return true }
      let isBeyond =
        policy.keep.map { kept >= $0 } ?? false
        || policy.archivedBefore.map { item.lastArchived < $0 } ?? false
        || policy.maxBytes.map { keptBytes + item.byteCount > $0 } ?? false
      let isPinned = item.metadata.isLabelledPinned || pins.contains(item.key)
      let mayGo = !isPinned && (policy.includesTreasured || !item.isTreasured)
      if isBeyond, mayGo {
        plan.items.append(
          Item(
            key: item.key, title: item.metadata.title, archived: item.lastArchived,
            byteCount: item.byteCount))
      } else {
        if isBeyond, isPinned { plan.pinned += 1 }
        if isBeyond, !isPinned { plan.treasured += 1 }
        kept += 1
        keptBytes += item.byteCount
      }
      return true
    }
    plan.items.reverse()
    return plan
  }

  /// Removes what a plan names, brings the library up to date and empties the pool of what nothing
  /// uses. Cancelling the task ends it between two items; what was removed stays removed.
  ///
  /// A run gives the `library` that it updates itself afterwards, which may have read ahead.
  package func carryOut(
    _ plan: Plan, in archive: Archive, library: LibraryBuilder? = nil
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
      let library = library ?? LibraryBuilder(root: archive.path, catalog: archive.catalog)
      _ = try library.update(isChanged: true)
    }
    return try archive.collectGarbage()
  }
}

extension CatalogItem {
  /// Whether the user marked the item or something in it.
  var isTreasured: Bool { metadata.isFavourite || !annotations.isEmpty }
}
