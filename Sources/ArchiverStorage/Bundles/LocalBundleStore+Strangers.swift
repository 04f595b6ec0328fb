import ArchiverCore

// Bundles that the catalog does not know as they are: it is older than they, was rebuilt, or they
// were put there by hand. What is at an item's place is kept as a version of it.
extension LocalBundleStore {
  /// Whether an item's directory holds anything but what the catalog records of the item. False if
  /// the directory does not exist.
  package func isStranger(_ key: ItemKey, folder: String) throws(StorageError) -> Bool {
    guard let bundle = try root.descend(folder) else { return false }
    return try isStranger(bundle, at: folder, to: try archivedItem(key))
  }

  /// A known bundle whose checksums or record cannot be read is damaged, and no stranger.
  func isStranger(
    _ bundle: Folder, at folder: String, to known: CatalogItem?
  ) throws(StorageError) -> Bool {
    guard let known, known.folder == folder else { return true }
    if let manifest = known.manifest {
      guard try ChecksumList(ifReadableIn: bundle) != nil,
        let bytes = try read(ChecksumList.fileName, of: folder)
      else { return false }
      return Digest.sha256Hex(bytes) != manifest
    }
    // An earlier version archived it.
    guard let record = try ItemRecord(ifReadableIn: bundle) else { return false }
    return record.key != known.key || record.contentHash != known.contentHash
      || abs(record.lastArchived.timeIntervalSince(known.lastArchived)) >= 1
  }
}
