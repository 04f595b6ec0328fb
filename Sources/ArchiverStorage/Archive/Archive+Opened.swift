package import ArchiverCore

extension Archive {
  /// Returns when an item's pages or files were last opened; `nil` if unknown.
  ///
  /// Uses the access times of the file system. Most mounts update them once a day (`relatime`) or
  /// never (`noatime`), and the archive itself reads what it just wrote, so the first day counts as
  /// unknown.
  package func lastOpened(_ item: CatalogItem) throws(StorageError) -> Date? {
    guard let folder = try root.descend(item.folder) else { return nil }
    var latest = 0
    for place in ["", "book/text", "assets"] {
      guard let folder = place.isEmpty ? folder : try folder.descend(place) else { continue }
      for entry in try folder.entries() where entry.kind == .file && !Self.isRecord(entry.name) {
        latest = max(latest, try folder.status(entry.name)?.accessed ?? 0)
      }
    }
    let date = Date(timeIntervalSince1970: Double(latest))
    return date.timeIntervalSince(item.lastArchived) > 86_400 ? date : nil
  }

  /// Whether a file is read by programs only.
  private static func isRecord(_ name: String) -> Bool {
    [ItemRecord.fileName, ChecksumList.fileName, "source.json"].contains(name)
  }
}
