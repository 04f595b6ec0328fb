import ArchiverCore
import ArchiverStorage

/// What happens to archived items that were deleted at the source.
package enum DeletionPolicy: String, Sendable, CaseIterable {
  /// The bundle stays, without a mark.
  case keep
  /// The bundle stays; lists and the library show that it was deleted at the source.
  case mark
  /// The bundle is removed, with its earlier versions.
  case remove
}

/// Applies a policy to the deletions that a run found.
struct Deletion {
  /// The maximum number of items that are removed if they are more than half of a source's: losing
  /// so many at once suggests another account or a reinstalled server.
  private static let suddenLimit = 10

  let policy: DeletionPolicy
  let archive: Archive
  let source: String

  func carryOut(_ outcome: inout SourceRun.Outcome) throws(StorageError) {
    guard outcome.error == nil, outcome.report.failure == nil else { return }
    switch policy {
    case .mark: return
    case .keep: try archive.catalog.unmarkDeleted(source: source)
    case .remove:
      let removable = try Deletion.removable(of: source, in: archive.catalog)
      if let refusal = removable.refusal { outcome.report.kept.append(refusal) }
      for (key, note) in zip(removable.keys, removable.notes) {
        try archive.remove(key)
        outcome.hasChanged = true
        outcome.report.removed.append(note)
      }
    }
  }

  /// The items that `DeletionPolicy.remove` removes.
  struct Removable {
    var keys: [ItemKey] = []
    /// A note for each of them.
    var notes: [SourceReport.ItemNote] = []
    /// Why nothing is removed despite deletions.
    var refusal: SourceReport.ItemNote?
  }

  /// Returns the deleted items of a source that may be removed, sorted by id.
  static func removable(
    of source: String, in catalog: SQLiteCatalog
  ) throws(StorageError) -> Removable {
    var removable = Removable()
    let gone = try catalog.deletedItems(source: source)
    let total = try catalog.itemCount(source: source)
    if gone.count > suddenLimit, gone.count * 2 > total {
      removable.refusal = SourceReport.ItemNote(
        id: "", title: "\(gone.count) items",
        message: "deleted at the source all at once (of \(total)), so nothing was removed")
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
