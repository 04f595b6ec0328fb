package import ArchiverCore
import ArchiverEPUB
package import ArchiverStorage

/// Exports items as one ZIP archive that a server of their kind imports.
package enum RestoreExport {
  package struct Outcome: Sendable {
    package var items = 0
    package var files = 0
    package var byteCount = 0
    /// The number of items skipped because their source is of another kind.
    package var others = 0
    /// The parts that the export cannot represent, with the number of occurrences.
    package var losses: [String: Int] = [:]
    /// Items that cannot be restored, and the reasons.
    package var failed: [(folder: String, reason: String)] = []
  }

  /// Writes the archive; without a path, only computes the outcome.
  ///
  /// - Parameters:
  ///   - root: The archive that has the items.
  ///   - kind: The kind of source whose items are exported.
  ///   - owner: The account that will own the items.
  package static func write(
    _ items: [CatalogItem], root: String, kind: String, restorer: any SourceRestorer,
    owner: RestoredOwner, to path: String?
  ) throws -> Outcome {
    var outcome = Outcome()
    // All entries have the same time, so that the same items give the same bytes.
    let modified = items.map(\.lastArchived).max() ?? Date(timeIntervalSince1970: 315_532_800)
    let zip = try path.map { (path) throws(EPUBError) in
      try ZipWriter(path: path, modified: modified)
    }
    var ids: [String] = []
    var taken: Set<String> = []
    for item in bySaving(items) {
      try Task.checkCancellation()
      let restored: RestoredItem
      do {
        let files = try BundleFiles(root: root, item: item)
        guard files.record?.kind ?? kind == kind else {
          outcome.others += 1
          continue
        }
        guard taken.insert(item.key.id).inserted else {
          throw ExportError(
            description: "an item of another source has the same id; restore each source by itself "
              + "(--source NAME)", isOfItem: true)
        }
        restored = try restorer.files(of: KeptItem(files))
      } catch let error as AdapterError {
        outcome.failed.append((item.folder, error.message))
        continue
      } catch let error as ExportError {
        outcome.failed.append((item.folder, error.description))
        continue
      }
      try add(restored.files, to: zip, &outcome)
      for loss in restored.losses { outcome.losses[loss, default: 0] += 1 }
      ids.append(item.key.id)
    }
    outcome.items = ids.count
    let index = try restorer.index(of: ids, owner: owner)
    for loss in index.losses { outcome.losses[loss, default: 0] += 1 }
    try add(index.files, to: zip, &outcome)
    try zip?.close()
    return outcome
  }

  /// Returns items in the order of saving, whatever the order of the selection.
  static func bySaving(_ items: [CatalogItem]) -> [CatalogItem] {
    items.sorted {
      ($0.metadata.added ?? $0.firstArchived, $0.folder) < (
        $1.metadata.added ?? $1.firstArchived, $1.folder
      )
    }
  }

  private static func add(
    _ files: [RestoredFile], to zip: ZipWriter?, _ outcome: inout Outcome
  ) throws {
    for file in files {
      outcome.files += 1
      switch file.content {
      case .bytes(let bytes):
        outcome.byteCount += bytes.count
        try zip?.add(file.name, bytes)
      case .file(let path):
        outcome.byteCount += FileSize.of(path) ?? 0
        try zip?.add(file.name, file: path)
      }
    }
  }
}
