import ArchiverCore

// Bundles without a catalog: a copy without its hidden directory, or a file deleted by hand.
// Continuing would ignore these bundles and build a library of new items only.
extension ArchiveLayout {
  /// Fails with `.damaged` if there are bundles without their catalog. With `orReady`, a rebuilt
  /// catalog that has not been renamed yet suffices.
  static func requireCatalog(of root: Folder, orReady: Bool = false) throws(StorageError) {
    if orReady, let control = try root.folderIfPresent(control),
      try control.status(CatalogReplacement.ready) != nil
    {
      return
    }
    guard try !hasCatalog(root), let bundle = firstBundle(in: root) else { return }
    throw StorageError(
      .damaged,
      "\(root.path) contains bundles (\"\(bundle)\") but no catalog; \"archiver repair "
        + "--catalog\" rebuilds it"
    )
  }

  /// Returns the path of a bundle with a record, relative to the archive; `nil` if there is none.
  ///
  /// Unreadable directories are ignored: they may belong to another user.
  static func firstBundle(in root: Folder) -> String? {
    for source in visibleFolders(of: root) where source != "library" {
      guard let folder = try? root.folder(source) else { continue }
      for name in visibleFolders(of: folder) {
        let bundle = try? folder.folder(name)
        let record = try? bundle?.status(ItemRecord.fileName)
        let checksums = try? bundle?.status(ChecksumList.fileName)
        if record != nil, checksums != nil { return "\(source)/\(name)" }
      }
    }
    return nil
  }

  private static func visibleFolders(of folder: Folder) -> [String] {
    let entries = (try? folder.entries()) ?? []
    return entries.filter { $0.kind == .folder && !$0.name.hasPrefix(".") }.map(\.name)
  }

  /// Whether there is a catalog, readable or not. Before SQLite's first checkpoint the file is
  /// empty and the WAL has everything.
  private static func hasCatalog(_ root: Folder) throws(StorageError) -> Bool {
    guard let control = try root.folderIfPresent(control),
      let file = try control.status(catalog)
    else { return false }
    if file.byteCount > 0 { return true }
    let log = try control.status(catalog + "-wal")
    return (log?.byteCount ?? 0) > 0
  }
}

extension Archive {
  /// Fails with `.damaged` if a directory has bundles and no catalog. Accepts anything else,
  /// including a directory that cannot be read.
  package static func requireCatalog(path: String) throws(StorageError) {
    guard let root = try? Folder.open(path: path) else { return }
    try ArchiveLayout.requireCatalog(of: root)
  }
}
