package import ArchiverCore

extension Archive {
  /// Makes a new catalog from the bundles alone, when the old one is lost or damaged.
  ///
  /// Items, their assets, their versions and pins come back; the checkpoints do not, so that the next
  /// run lists everything once, and finds it unchanged. Nor do the queue, the runs and which
  /// items were deleted at the source. With the whole `.archiver` gone the pins are gone as well; the pool of files gets its own back
  /// from the bundles. The old catalog is kept beside the new one as
  /// `catalog.sqlite.old`, those of later times as `catalog.sqlite.old2` and so on. Returns the items found and the bundles whose record cannot be read.
  package static func rebuildCatalog(
    path: String, clock: ArchiverClock = .system, options: ArchiveOptions = ArchiveOptions()
  ) throws(StorageError) -> (items: Int, unreadable: [String]) {
    if let control = try Folder.open(path: path).folderIfPresent(ArchiveLayout.control) {
      rescuePins(path: path, control)
    }
    try setCatalogAside(path, clock, options)
    let archive = try openForWriting(path, "repair", clock, options, isRebuilding: true)
    let found = try archive.adoptBundles()
    try archive.restorePins()
    return found
  }

  private static func setCatalogAside(
    _ path: String, _ clock: ArchiverClock, _ options: ArchiveOptions
  ) throws(StorageError) {
    let fileSystem = FileSystem(faults: options.faults)
    let root = try Folder.open(path: path)
    if try root.status(ArchiveLayout.control) == nil {
      guard ArchiveLayout.firstBundle(in: root) != nil else {
        throw StorageError(.notFound, "there is no archive at \(path)")
      }
      try fileSystem.makeFolder(ArchiveLayout.control, in: root, mode: 0o700)
    }
    let control = try root.folder(ArchiveLayout.control)
    let lock = try ArchiveLock(in: control, of: path, holder: "repair", now: clock.now())
    defer { withExtendedLifetime(lock) {} }
    let place = try placeAside(in: control)
    // The log last: with it the old catalog is as it was, without it only older.
    for suffix in ["-shm", "", "-wal"] {
      let name = ArchiveLayout.catalog + suffix
      guard try control.status(name) != nil else { continue }
      try fileSystem.rename(
        name, in: control, to: place + suffix, in: control)
    }
  }

  /// The name for the old catalog: one that is not taken, as what was set aside first may be the only
  /// one with the queue and the runs.
  private static func placeAside(in control: Folder) throws(StorageError) -> String {
    var number = 1
    func name(_ number: Int) -> String {
      "\(ArchiveLayout.catalog).old" + (number == 1 ? "" : String(number))
    }
    while try control.status(name(number)) != nil { number += 1 }
    // A catalog was set aside and its log was not: there it belongs.
    if number > 1, try control.status(ArchiveLayout.catalog) == nil { number -= 1 }
    return name(number)
  }

  /// Takes every bundle whose record can be read into the catalog.
  func adoptBundles() throws(StorageError) -> (items: Int, unreadable: [String]) {
    var adopted = 0
    var unreadable: [String] = []
    for folder in try bundleFolders() {
      guard let publication = try publicationIfReadable(of: folder) else {
        unreadable.append(folder)
        continue
      }
      try catalog.record([.publish(publication)])
      adopted += 1
    }
    return (adopted, unreadable)
  }

  /// One bundle that cannot be read must not leave all after it out of the catalog.
  private func publicationIfReadable(of folder: String) throws(StorageError) -> Publication? {
    do throws(StorageError) {
      return try publication(of: folder)
    } catch {
      guard error.isOfOneBundle else { throw error }
      return nil
    }
  }

  private func publication(of folder: String) throws(StorageError) -> Publication? {
    guard let bundle = try root.descend(folder),
      let manifest = try bundles.read(ChecksumList.fileName, of: folder),
      let json = try bundles.read(ItemRecord.fileName, of: folder)
    else { return nil }
    let record: ItemRecord
    do throws(StorageError) {
      record = try ItemRecord(json: json, path: "\(folder)/\(ItemRecord.fileName)")
    } catch {
      if error.code == .damaged { return nil }
      throw error
    }
    try adoptFiles(record, of: bundle)
    let item = record.catalogItem(
      folder: folder, byteCount: try byteCount(of: bundle),
      versions: try VersionPlan.versions(of: bundle))
    return Publication(
      item: item, assets: record.cachedAssets, objects: [], retryImagesAt: nil,
      manifest: Digest.sha256Hex(manifest), staged: "")
  }

  /// Gives the pool what it lost of a bundle's files, by a second name of each.
  private func adoptFiles(_ record: ItemRecord, of bundle: Folder) throws(StorageError) {
    for asset in record.assets
    where Digest.isSHA256(asset.sha256) && BundlePath.isAllowed(asset.path)
      && asset.path.contains("/")
    {
      let place = try BundlePlace(asset.path)
      guard let folder = try bundle.descend(place.parent) else { continue }
      let object = StoredObject(sha256: asset.sha256, byteCount: asset.byteCount)
      try objects.adopt(place.name, in: folder, as: object)
    }
  }

  /// Bytes of a bundle's files, versions aside.
  private func byteCount(of folder: Folder) throws(StorageError) -> Int {
    var sum = 0
    for entry in try folder.entries() where entry.name != BundlePath.versions {
      switch entry.kind {
      case .file: sum += try folder.status(entry.name)?.byteCount ?? 0
      case .folder: sum += try byteCount(of: try folder.folder(entry.name))
      case .link, .other: continue
      }
    }
    return sum
  }
}
