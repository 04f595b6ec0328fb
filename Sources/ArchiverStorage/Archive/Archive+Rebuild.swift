package import ArchiverCore

extension Archive {
  /// Builds a new catalog from the bundles alone, if the old one is lost or damaged.
  ///
  /// Items, assets, versions and pins are restored. Lost are checkpoints, so the next run does a
  /// full listing and finds everything unchanged; runs; which items were deleted at the source; and
  /// the queue, except incomplete items, which are due. If all of `.archiver` is gone, pins are
  /// lost too; the object pool is refilled from the bundles.
  ///
  /// The new catalog is built beside the old one and replaces it at the end. Interrupted at any
  /// step, one of them is complete (see `CatalogReplacement`). Returns the items found and the
  /// bundles with unreadable records.
  package static func rebuildCatalog(
    path: String, clock: ArchiverClock = .system, options: ArchiveOptions = ArchiveOptions()
  ) throws(StorageError) -> (items: Int, unreadable: [String]) {
    let fileSystem = FileSystem(faults: options.faults)
    let root = try Folder.open(path: path)
    if try root.status(ArchiveLayout.control) == nil, ArchiveLayout.firstBundle(in: root) == nil {
      throw StorageError(.notFound, "there is no archive at \(path)")
    }
    let control = try ArchiveLayout.prepareControl(of: root, fileSystem)
    let lock = try ArchiveLock(in: control, of: path, holder: "repair", now: clock.now())
    try ArchiveLayout.checkFormat(control, fileSystem, isReadOnly: false)
    let replacement = CatalogReplacement(control: control, fileSystem: fileSystem)
    try replacement.finish()
    try settleOld(path, root, lock, options)
    try replacement.discard()
    do throws(StorageError) {
      let found = try fillNew(path, root, lock, options, now: clock.now())
      try replacement.carryOut()
      return found
    } catch {
      try? replacement.discard()  // else the next attempt does
      throw error
    }
  }

  /// Resolves the intents of the old catalog, and writes the list of pins if an archive predates
  /// it. Ignores a catalog that cannot be read: that is what is being repaired.
  private static func settleOld(
    _ path: String, _ root: Folder, _ lock: ArchiveLock, _ options: ArchiveOptions
  ) throws(StorageError) {
    let control = try root.folder(ArchiveLayout.control)
    do throws(StorageError) {
      // An empty file records nothing; opening it would discard its WAL.
      guard let file = try control.status(ArchiveLayout.catalog), file.kind == .file,
        file.byteCount > 0, try SQLiteCatalog.isWhole(control.at(ArchiveLayout.catalog))
      else { return try putBackReplaced(root, FileSystem(faults: options.faults)) }
      let archive = try Archive(
        path: path, root: root, isReadOnly: false, lock: lock, options: options)
      try archive.settle()
      if try control.status(ArchiveLayout.pins) == nil,
        try !archive.catalog.pins(source: nil).isEmpty
      {
        try archive.savePins()
      }
      archive.catalog.emptyLog()
    } catch {
      if error.code == .full { throw error }
      try putBackReplaced(root, FileSystem(faults: options.faults))
    }
  }

  /// Moves back bundles whose replacement was interrupted between its two steps: they are in
  /// staging, and no catalog records that.
  private static func putBackReplaced(
    _ root: Folder, _ fileSystem: FileSystem
  ) throws(StorageError) {
    let staging = try root.folder(ArchiveLayout.control).folder(ArchiveLayout.staging)
    for entry in try staging.entries()
    where entry.kind == .folder && entry.name.hasSuffix(Publication.replacedSuffix) {
      guard let record = try ItemRecord(ifReadableIn: try staging.folder(entry.name)),
        record.folder.pathComponents.count == 2, let place = try? BundlePlace(record.folder),
        let parent = try root.descend(place.parent), try parent.status(place.name) == nil
      else { continue }
      try fileSystem.rename(entry.name, in: staging, to: place.name, in: parent)
      try fileSystem.synchronise(parent)
    }
  }

  /// Builds the new catalog under a temporary name; it is closed when this returns.
  private static func fillNew(
    _ path: String, _ root: Folder, _ lock: ArchiveLock, _ options: ArchiveOptions, now: Date
  ) throws(StorageError) -> (items: Int, unreadable: [String]) {
    let archive = try Archive(
      path: path, root: root, isReadOnly: false, lock: lock, options: options,
      catalogName: CatalogReplacement.new)
    try archive.fileSystem.empty(archive.staging.folder)
    let found = try archive.adoptBundles(now: now)
    try archive.restorePins()
    archive.catalog.emptyLog()
    return found
  }

  /// Records every bundle with a readable record in the catalog.
  ///
  /// Incomplete items are due at once.
  private func adoptBundles(now: Date) throws(StorageError) -> (items: Int, unreadable: [String]) {
    var adopted = 0
    var unreadable: [String] = []
    for folder in try bundleFolders() {
      guard var publication = try publicationIfReadable(of: folder) else {
        unreadable.append(folder)
        continue
      }
      if publication.item.completeness != .complete { publication.retryImagesAt = now }
      try catalog.record([.publish(publication)])
      adopted += 1
    }
    return (adopted, unreadable)
  }

  /// One unreadable bundle must not keep those after it out of the catalog.
  func publicationIfReadable(of folder: String) throws(StorageError) -> Publication? {
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
    let record = try ItemRecord(json: json, path: "\(folder)/\(ItemRecord.fileName)")
    try adoptFiles(record, of: bundle)
    var item = record.catalogItem(
      folder: folder, byteCount: try byteCount(of: bundle),
      versions: try VersionPlan.versions(of: bundle))
    let sum = Digest.sha256Hex(manifest)
    item.manifest = sum
    return Publication(
      item: item, assets: record.cachedAssets, objects: [], retryImagesAt: nil, manifest: sum,
      staged: "")
  }

  /// Restores missing objects of the pool by hard links to a bundle's files.
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

  /// Returns the bytes of a bundle's files, without its versions.
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
