import ArchiverCore

extension Archive {
  /// Returns the directories that the catalog names or that contain an item record, sorted by name.
  /// Other directories are the user's own.
  func bundleFolders() throws(StorageError) -> [String] {
    var found: [String] = []
    for source in try root.entries()
    where source.kind == .folder && !source.name.hasPrefix(".") && source.name != "library" {
      let folder = try root.folder(source.name)
      for entry in try folder.entries()
      where entry.kind == .folder && !entry.name.hasPrefix(".") {
        let path = "\(source.name)/\(entry.name)"
        let hasRecord = try folder.folder(entry.name).status(ItemRecord.fileName) != nil
        let isKnown = hasRecord ? true : try catalog.item(folder: path) != nil
        if isKnown { found.append(path) }
      }
    }
    return found
  }
}
