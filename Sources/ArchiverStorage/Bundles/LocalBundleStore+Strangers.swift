import ArchiverCore

// Bundles that differ from the catalog: it is older than they are, or they were placed there by
// hand. Such a bundle is kept as a version of the item.
extension LocalBundleStore {
  /// Whether an item's directory holds anything but what the catalog records of the item. False if
  /// the directory does not exist.
  package func isStranger(_ key: ItemKey, folder: String) throws(StorageError) -> Bool {
    guard let bundle = try root.descend(folder) else { return false }
    return try isStranger(bundle, at: folder, to: try archivedItem(key))
  }

  /// Whether the bundle's list of checksums has the SHA-256 `manifest`, in hexadecimal. False if it
  /// cannot be read.
  func hasManifest(_ manifest: String, folder: String) -> Bool {
    guard let bytes = try? read(ChecksumList.fileName, of: folder) else { return false }
    return Digest.sha256Hex(bytes) == manifest
  }

  /// A known bundle with unreadable checksums or record is damaged, not foreign.
  func isStranger(
    _ bundle: Folder, at folder: String, to known: CatalogItem?
  ) throws(StorageError) -> Bool {
    guard let known, known.folder == folder else { return true }
    if let manifest = known.manifest {
      if hasManifest(manifest, folder: folder) { return false }
      return try ChecksumList(ifReadableIn: bundle) != nil
    }
    // An earlier version of the program archived it.
    guard let record = try ItemRecord(ifReadableIn: bundle) else { return false }
    return record.key != known.key || record.contentHash != known.contentHash
      || abs(record.lastArchived.timeIntervalSince(known.lastArchived)) >= 1
  }
}
