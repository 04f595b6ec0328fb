package import ArchiverCore

/// An open archive: its directory, catalog, bundles and object pool.
///
/// A writer's lock is held until the value is released.
package final class Archive: Sendable {
  /// The path of the archive as it was given.
  package let path: String
  package let catalog: SQLiteCatalog
  package let objects: ObjectPool
  package let bundles: LocalBundleStore
  /// See `ArchiveOptions.linkForms`.
  package let linkForms: [AdapterProperties.LinkForm]
  /// See `ArchiveOptions.titleClasses`.
  package let titleClasses: Set<String>

  let root: Folder
  let control: Folder
  let staging: Staging
  let fileSystem: FileSystem
  let isReadOnly: Bool
  let settling = RecoveryFlag()
  private let lock: ArchiveLock?

  /// Free bytes on the archive's disk; `nil` if the file system does not report them.
  package var freeBytes: Int? { FreeSpace.free(in: root) }

  init(
    path: String, root: Folder, isReadOnly: Bool, lock: ArchiveLock?, options: ArchiveOptions,
    catalogName: String = ArchiveLayout.catalog
  ) throws(StorageError) {
    self.path = path
    self.root = root
    self.isReadOnly = isReadOnly
    self.lock = lock
    linkForms = options.linkForms
    titleClasses = options.titleClasses
    let fileSystem = FileSystem(faults: options.faults)
    let control = try root.folder(ArchiveLayout.control)
    let objectsFolder = try control.folder(ArchiveLayout.objects)
    let staging = Staging(
      folder: try control.folder(ArchiveLayout.staging), fileSystem: fileSystem)
    let catalog = try SQLiteCatalog(
      path: control.at(catalogName), isReadOnly: isReadOnly, fileSystem: fileSystem
    ) { object in
      let shard = String(object.sha256.prefix(2))
      // An asset that cannot be checked is fetched again.
      let status = try? objectsFolder.folderIfPresent(shard)?.status(object.sha256)
      return status?.byteCount == object.byteCount
    }
    let objects = ObjectPool(
      objects: objectsFolder, staging: staging, fileSystem: fileSystem,
      space: FreeSpace(of: root.path, reserve: options.reserve)
    ) { (digest) throws(StorageError) in try catalog.isCommitted(digest) }
    let bundles = LocalBundleStore(
      root: root, staging: staging, objects: objects, fileSystem: fileSystem
    ) { (key) throws(StorageError) in try catalog.item(key) }
    self.fileSystem = fileSystem
    self.control = control
    self.staging = staging
    self.catalog = catalog
    self.objects = objects
    self.bundles = bundles
  }

  /// Opens an archive.
  ///
  /// For writing, takes the lock or fails with `.locked` at once, creates what is missing, and
  /// resolves what an earlier process left unfinished. Fails with `.notFound` if there is no
  /// archive to read, or if the directory to write to holds other things. Fails with `.damaged` if
  /// there are bundles without a catalog, which `rebuildCatalog` restores.
  package static func open(
    path: String, mode: ArchiveMode, clock: ArchiverClock = .system,
    options: ArchiveOptions = ArchiveOptions()
  ) throws(StorageError) -> Archive {
    switch mode {
    case .readOnly: try openForReading(path, options)
    case .readWrite(let holder): try openForWriting(path, holder, clock, options)
    }
  }

  /// Opens an archive for writing, waiting up to `patience` for another holder to finish.
  ///
  /// Cancelling the task ends the wait with the `.locked` error.
  package static func open(
    path: String, holder: String, waiting patience: Duration, clock: ArchiverClock = .system,
    options: ArchiveOptions = ArchiveOptions()
  ) async throws(StorageError) -> Archive {
    let deadline = clock.now().addingTimeInterval(patience / .seconds(1))
    while true {
      do throws(StorageError) {
        return try openForWriting(path, holder, clock, options)
      } catch {
        guard error.code == .locked, clock.now() < deadline else { throw error }
        let slept: Void? = try? await clock.sleep(.milliseconds(250))  // fails when cancelled
        if slept == nil { throw error }
      }
    }
  }

  private static func openForReading(
    _ path: String, _ options: ArchiveOptions
  ) throws(StorageError) -> Archive {
    let root: Folder
    do throws(StorageError) {
      root = try Folder.open(path: path)
      try ArchiveLayout.requireCatalog(of: root)
      guard let control = try root.folderIfPresent(ArchiveLayout.control),
        try control.status(ArchiveLayout.catalog) != nil
      else { throw notAnArchive(path) }
      try ArchiveLayout.checkFormat(control, FileSystem(faults: nil), isReadOnly: true)
    } catch {
      throw error.code == .io ? notAnArchive(path) : error
    }
    return try Archive(path: path, root: root, isReadOnly: true, lock: nil, options: options)
  }

  static func openForWriting(
    _ path: String, _ holder: String, _ clock: ArchiverClock, _ options: ArchiveOptions
  ) throws(StorageError) -> Archive {
    let fileSystem = FileSystem(faults: options.faults)
    let root = try ArchiveLayout.prepare(path, fileSystem)
    let control = try root.folder(ArchiveLayout.control)
    let lock = try ArchiveLock(in: control, of: path, holder: holder, now: clock.now())
    try ArchiveLayout.checkFormat(control, fileSystem, isReadOnly: false)
    try CatalogReplacement(control: control, fileSystem: fileSystem).finish()
    let archive = try Archive(
      path: path, root: root, isReadOnly: false, lock: lock, options: options)
    try archive.settle()
    try fileSystem.empty(archive.staging.folder)
    return archive
  }

  private static func notAnArchive(_ path: String) -> StorageError {
    StorageError(.notFound, "there is no archive at \(path)")
  }
}

extension Archive {
  /// Replaces a JSON file atomically by a value.
  ///
  /// - Parameter what: The noun for the value in an error.
  func replace(
    _ name: String, in folder: Folder, by value: some Encodable,
    _ formatting: JSONEncoder.OutputFormatting, _ what: String
  ) throws(StorageError) {
    let bytes: [UInt8]
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = formatting
      bytes = [UInt8](try encoder.encode(value))
    } catch {
      throw StorageError(.io, "\(what) cannot be written", underlying: error)
    }
    let staged = staging.uniqueName()
    do throws(StorageError) {
      try fileSystem.writeFile(staged, in: staging.folder, bytes)
      try fileSystem.rename(staged, in: staging.folder, to: name, in: folder)
    } catch {
      staging.discard(staged)
      throw error
    }
  }
}
