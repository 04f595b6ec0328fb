import ArchiverCore

// Bundles whose catalog is gone: a hidden folder left out of a copy, a file deleted by hand. Who went
// on from there would take them for nothing, and make a library of what comes from now on alone.
extension ArchiveLayout {
  /// Fails with `.damaged` where bundles stand without the catalog that knew them; `orReady` takes
  /// a rebuilt one that has not been renamed yet, too.
  static func requireCatalog(of root: Folder, orReady: Bool = false) throws(StorageError) {
    if orReady, let control = try root.folderIfPresent(control),
      try control.status(CatalogReplacement.ready) != nil
    {
      return
    }
    guard try !hasCatalog(root), let bundle = firstBundle(in: root) else { return }
    throw StorageError(
      .damaged,
      "\(root.path) has bundles (\"\(bundle)\") and no catalog; \"archiver repair --catalog\" makes it anew"
    )
  }

  /// Returns the path of a bundle with its record, relative to the archive; `nil` when there is none.
  ///
  /// What cannot be read is no bundle: the folder may be anybody's.
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

  /// Whether there is a catalog, readable or not. Until SQLite first empties its log into the
  /// catalog's file, that is empty and the log has everything.
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
  /// Fails with `.damaged` where a folder has bundles and no catalog; anything else is fine, a folder
  /// that cannot be read among it.
  package static func requireCatalog(path: String) throws(StorageError) {
    guard let root = try? Folder.open(path: path) else { return }
    try ArchiveLayout.requireCatalog(of: root)
  }
}
