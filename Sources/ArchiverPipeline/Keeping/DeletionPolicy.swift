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
  /// Most items that are removed when they are more than half of a source's: losing so many at
  /// once is a sign of another account or a server that was set up anew.
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
      let gone = try archive.catalog.deletedItems(source: source)
      let total = try archive.catalog.itemCount(source: source)
      if Deletion.isSudden(gone.count, of: total) {
        outcome.report.kept.append(
          SourceReport.ItemNote(
            id: "", title: "\(gone.count) items",
            message: "gone from the source all at once (of \(total)), so nothing was removed"))
        return
      }
      for key in gone {
        let item = try archive.catalog.item(key)
        try archive.remove(key)
        outcome.hasChanged = true
        if let item { outcome.report.removed.append(SourceReport.ItemNote(gone: item)) }
      }
    }
  }

  static func isSudden(_ count: Int, of total: Int) -> Bool {
    count > suddenLimit && count * 2 > total
  }
}

extension SourceReport.ItemNote {
  init(gone item: CatalogItem) {
    self.init(id: item.key.id, title: item.metadata.title, message: "gone from the source")
  }
}
