import ArchiverCore

extension ArchiveLayout {
  /// Opens the archive at a path for writing and creates what is missing. Fails with `.damaged` if
  /// there are bundles without a catalog.
  static func prepare(
    _ path: String, _ fileSystem: FileSystem
  ) throws(StorageError) -> Folder {
    try FolderPath.make(path)
    let root = try Folder.open(path: path)
    try requireCatalog(of: root, orReady: true)
    if try root.status(control) == nil {
      let foreign = try root.entries().first {
        !$0.name.hasPrefix(".") && $0.name != "lost+found"
      }
      if let foreign {
        throw StorageError(
          .notFound,
          "\(path) is not an archive and not empty (\"\(foreign.name)\"); choose an empty folder")
      }
    }
    _ = try prepareControl(of: root, fileSystem)
    return root
  }
}
