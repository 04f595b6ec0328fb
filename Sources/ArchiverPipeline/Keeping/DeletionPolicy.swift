import ArchiverCore
import ArchiverStorage

/// What becomes of archived items that their source no longer has.
package enum DeletionPolicy: String, Sendable, CaseIterable {
  /// Nothing: the bundle stays and nothing tells.
  case keep
  /// The bundle stays; lists and the library say that it is gone from the source.
  case mark
  /// The bundle is removed, its earlier versions with it.
  case remove
}

/// Applies a policy to what a run found to be gone.
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

  /// What `DeletionPolicy.remove` takes away.
  struct Removable {
    var keys: [ItemKey] = []
    /// Of each of them.
    var notes: [SourceReport.ItemNote] = []
    /// Why nothing is removed although something is gone.
    var refusal: SourceReport.ItemNote?
  }

  /// Returns what is gone from a source and may go from the archive, by id.
  static func removable(
    of source: String, in catalog: SQLiteCatalog
  ) throws(StorageError) -> Removable {
    var removable = Removable()
    let gone = try catalog.deletedItems(source: source)
    let total = try catalog.itemCount(source: source)
    if gone.count > suddenLimit, gone.count * 2 > total {
      removable.refusal = SourceReport.ItemNote(
        id: "", title: "\(gone.count) items",
        message: "gone from the source all at once (of \(total)), so nothing was removed")
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
    self.init(id: item.key.id, title: item.metadata.title, message: "gone from the source")
  }
}
