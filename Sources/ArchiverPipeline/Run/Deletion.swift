import ArchiverCore
package import ArchiverSite
package import ArchiverStorage

/// Applies a policy to the deletions that a run found.
///
/// Sudden deletions are not carried out: they suggest another account, a reinstalled server or a folder
/// that is not mounted. They are held back until a person accepts them, or until most items are back.
package struct Deletion {
  /// The number of items from which on a loss of at least half of a source's counts as sudden. A loss
  /// of all items is sudden from two items on.
  private static let suddenLimit = 10

  let policy: DeletionPolicy
  let archive: Archive
  let source: String

  func carryOut(_ outcome: inout SourceRun.Outcome) throws(StorageError) {
    // The marks of the listing stay, whatever else went wrong, and no later run repeats this.
    let removable =
      policy == .remove
      ? try Deletion.removable(of: source, in: archive.catalog) : Removable()
    outcome.report.vanished = try vanished(outcome.report.plan.deleted, removable)
    guard outcome.error == nil, outcome.report.failure == nil else { return }
    switch policy {
    case .mark: return
    case .keep:
      try archive.catalog.unmarkDeleted(source: source)
      try note(held: 0)
    case .remove:
      for (key, note) in zip(removable.keys, removable.notes) {
        try archive.remove(key)
        outcome.report.hasChanged = true
        outcome.report.removed.append(note)
      }
    }
  }

  /// Returns the deletions of this run if they are sudden, or with `DeletionPolicy.remove` those that
  /// no run reported before as held back; otherwise `nil`. Records what is held back.
  private func vanished(
    _ deleted: Int, _ removable: Removable
  ) throws(StorageError) -> SourceReport.Vanished? {
    switch policy {
    case .keep: return nil
    case .mark:
      // Counting takes time in a large archive, and one deletion is never sudden.
      guard deleted > 1 else { return nil }
      let before = try archive.catalog.presentCount(source: source) + deleted
      guard Deletion.isSudden(deleted, of: before) else { return nil }
      return SourceReport.Vanished(count: deleted, total: before, wasRefused: false)
    case .remove:
      let wasHeld = try archive.catalog.discovery(source: source).deletionsHeld > 0
      guard let refusal = removable.refusal else {
        try note(held: 0)
        return nil
      }
      if wasHeld { return nil }
      try note(held: refusal.count)
      return refusal
    }
  }

  private func note(held count: Int) throws(StorageError) {
    guard try archive.catalog.discovery(source: source).deletionsHeld != count else { return }
    try archive.catalog.noteHeldDeletions(count, source: source)
  }

  private static func isSudden(_ gone: Int, of total: Int) -> Bool {
    gone >= suddenLimit && gone * 2 >= total || gone > 1 && gone == total
  }

  /// The items that `DeletionPolicy.remove` removes.
  struct Removable {
    var keys: [ItemKey] = []
    /// A note for each of them.
    var notes: [SourceReport.ItemNote] = []
    /// Why nothing is removed despite deletions.
    var refusal: SourceReport.Vanished?
  }

  /// Returns the deleted items of a source that may be removed, sorted by id. Deletions that were held
  /// back stay so while ten of them, or half, are still deleted, however many items were added since.
  static func removable(
    of source: String, in catalog: SQLiteCatalog
  ) throws(StorageError) -> Removable {
    let gone = try catalog.deletedItems(source: source)
    let total = try catalog.itemCount(source: source)
    let held = try catalog.discovery(source: source).deletionsHeld
    let staysHeld =
      held > 0 && !gone.isEmpty && (gone.count >= suddenLimit || gone.count * 2 >= held)
    if staysHeld || isSudden(gone.count, of: total) {
      return Removable(refusal: .init(count: gone.count, total: total, wasRefused: true))
    }
    return try noted(gone, in: catalog)
  }

  private static func noted(
    _ gone: [ItemKey], in catalog: SQLiteCatalog
  ) throws(StorageError) -> Removable {
    var removable = Removable()
    for key in gone {
      guard let item = try catalog.item(key) else { continue }
      removable.keys.append(key)
      removable.notes.append(SourceReport.ItemNote(gone: item))
    }
    return removable
  }

  /// Removes the deleted items of sources whose deletions are held back, and updates the library.
  /// Returns the number of items removed of each. An interruption leaves the rest held back.
  ///
  /// - Parameter sources: The sources to look at; empty for all.
  package static func acceptHeld(
    of sources: Set<String>, in archive: Archive, library: LibraryBuilder
  ) throws -> [(source: String, count: Int)] {
    let catalog = archive.catalog
    var accepted: [(source: String, count: Int)] = []
    for status in try catalog.sources() where status.discovery.deletionsHeld > 0 {
      let source = status.source
      guard sources.isEmpty || sources.contains(source) else { continue }
      let gone = try catalog.deletedItems(source: source)
      for key in gone {
        try Task.checkCancellation()
        try archive.remove(key)
      }
      try catalog.noteHeldDeletions(0, source: source)
      accepted.append((source, gone.count))
    }
    if !accepted.isEmpty {
      try LinkMender(archive: archive).mend()
      _ = try library.update(isChanged: true)
      _ = try archive.collectGarbage()
    }
    return accepted
  }
}

extension SourceReport.ItemNote {
  init(gone item: CatalogItem) {
    self.init(id: item.key.id, title: item.metadata.title, message: "deleted at the source")
  }
}
