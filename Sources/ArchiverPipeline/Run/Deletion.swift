import ArchiverCore
import ArchiverStorage

/// Applies a policy to the deletions that a run found.
struct Deletion {
  /// The number of items from which on a loss of at least half of a source's counts as sudden: it
  /// suggests another account or a reinstalled server, so it is reported, and nothing is removed.
  private static let suddenLimit = 10

  let policy: DeletionPolicy
  let archive: Archive
  let source: String

  func carryOut(_ outcome: inout SourceRun.Outcome) throws(StorageError) {
    // The marks of the listing stay, whatever else went wrong, and no later run repeats this.
    outcome.report.vanished = try vanished(outcome.report.plan.deleted)
    guard outcome.error == nil, outcome.report.failure == nil else { return }
    switch policy {
    case .mark: return
    case .keep: try archive.catalog.unmarkDeleted(source: source)
    case .remove:
      let removable = try Deletion.removable(of: source, in: archive.catalog)
      for (key, note) in zip(removable.keys, removable.notes) {
        try archive.remove(key)
        outcome.hasChanged = true
        outcome.report.removed.append(note)
      }
    }
  }

  /// Returns the deletions of this run if they are sudden; `nil` if they are not, or if the policy
  /// is to ignore deletions.
  private func vanished(_ deleted: Int) throws(StorageError) -> SourceReport.Vanished? {
    guard deleted > 0, policy != .keep else { return nil }
    if policy == .remove {
      return try Deletion.removable(of: source, in: archive.catalog).refusal
    }
    let before = try archive.catalog.presentCount(source: source) + deleted
    guard deleted >= Deletion.suddenLimit, deleted * 2 >= before else { return nil }
    return SourceReport.Vanished(count: deleted, total: before, wasRefused: false)
  }

  /// The items that `DeletionPolicy.remove` removes.
  struct Removable {
    var keys: [ItemKey] = []
    /// A note for each of them.
    var notes: [SourceReport.ItemNote] = []
    /// Why nothing is removed despite deletions.
    var refusal: SourceReport.Vanished?
  }

  /// Returns the deleted items of a source that may be removed, sorted by id.
  static func removable(
    of source: String, in catalog: SQLiteCatalog
  ) throws(StorageError) -> Removable {
    var removable = Removable()
    let gone = try catalog.deletedItems(source: source)
    let total = try catalog.itemCount(source: source)
    if gone.count >= suddenLimit, gone.count * 2 >= total {
      removable.refusal = .init(count: gone.count, total: total, wasRefused: true)
      return removable
    }
    for key in gone {
      guard let item = try catalog.item(key) else { continue }
      removable.keys.append(key)
      removable.notes.append(SourceReport.ItemNote(gone: item))
    }
    return removable
  }
}

extension SourceReport.ItemNote {
  init(gone item: CatalogItem) {
    self.init(id: item.key.id, title: item.metadata.title, message: "deleted at the source")
  }
}
