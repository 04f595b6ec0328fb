import ArchiverCore

/// A store of bundles as directories of a local file system.
///
/// Contract:
/// 1. A bundle is visible completely or not at all; the old one stays visible until it is replaced.
/// 2. `stage` may be called from many tasks concurrently and makes nothing visible.
/// 3. When `install` has returned, its bundles are durable.
/// 4. What is neither installed nor discarded is removed at the next start.
package final class LocalBundleStore: Sendable {
  let root: Folder
  let staging: Staging
  let fileSystem: FileSystem
  let objects: ObjectPool
  let archivedItem: @Sendable (ItemKey) throws(StorageError) -> CatalogItem?

  init(
    root: Folder, staging: Staging, objects: ObjectPool, fileSystem: FileSystem,
    archivedItem: @escaping @Sendable (ItemKey) throws(StorageError) -> CatalogItem?
  ) {
    self.root = root
    self.staging = staging
    self.objects = objects
    self.fileSystem = fileSystem
    self.archivedItem = archivedItem
  }

  /// Returns the directory for a new item; the same for the same item and title.
  ///
  /// `kindFolder` is the source's name. Once the item is in the catalog, the directory there
  /// counts, even if the title changes.
  package func folder(for key: ItemKey, kindFolder: String, title: String) -> String {
    FolderName.folder(for: key, sourceFolder: kindFolder, title: title)
  }

  /// Returns the versions that a bundle staged with these values will have, newest first, so that
  /// its pages can link to them.
  package func plannedVersions(
    for key: ItemKey, folder: String, keepVersions: Int, makesVersion: Bool
  ) throws(StorageError) -> [String] {
    try versionPlan(
      for: key, folder: folder, keepVersions: keepVersions, makesVersion: makesVersion
    ).names
  }

  func versionPlan(
    for key: ItemKey, folder: String, keepVersions: Int, makesVersion: Bool,
    keepsHeldBack: Bool = false
  ) throws(StorageError) -> VersionPlan {
    let known = try archivedItem(key)
    guard let previous = try root.descend(folder), try isStranger(previous, at: folder, to: known)
    else {
      return try VersionPlan(
        previous: try root.descend(folder), archived: known?.lastArchived,
        keepVersions: keepVersions, makesVersion: makesVersion, keepsHeldBack: keepsHeldBack)
    }
    return try VersionPlan(
      previous: previous, archived: try ItemRecord(ifReadableIn: previous)?.lastArchived,
      keepVersions: max(1, keepVersions), makesVersion: true)
  }

  /// Writes a bundle to staging.
  package func stage(_ draft: BundleDraft) throws(StorageError) -> StagedBundle {
    try BundlePath.check(draft)
    let name = staging.uniqueName()
    do throws(StorageError) {
      let plan = try versionPlan(
        for: draft.item.key, folder: draft.item.folder, keepVersions: draft.keepVersions,
        makesVersion: draft.makesVersion, keepsHeldBack: draft.keepsHeldBack)
      try fileSystem.makeFolder(name, in: staging.folder)
      let writer = BundleWriter(
        folder: try staging.folder.folder(name), objects: objects, fileSystem: fileSystem)
      try objects.space.require(draft.inlineByteCount, in: staging.folder)
      for file in draft.files { try writer.write(file) }
      try writer.writeVersions(plan, replacedPage: draft.replacedPage)
      let manifest = try writer.writeChecksums()
      var item = draft.item
      item.byteCount = writer.byteCount
      item.versions = plan.names
      item.manifest = manifest
      return StagedBundle(
        publication: Publication(
          item: item, assets: draft.assets, objects: draft.furtherObjects,
          retryImagesAt: draft.retryImagesAt, manifest: manifest, staged: name,
          links: draft.links))
    } catch {
      staging.discard(name)
      throw objects.space.explain(error, needed: draft.inlineByteCount, in: staging.folder)
    }
  }

  /// Removes a staged bundle, or the bundle that an installed one replaced.
  package func discard(_ staged: StagedBundle) {
    staging.discard(staged.publication.staged)
    staging.discard(staged.publication.replacedName)
  }

  /// Makes everything staged, and the catalog, durable.
  package func synchronise(_ staged: [StagedBundle]) throws(StorageError) {
    try fileSystem.synchroniseAll(
      staging.folder, trees: staged.map { $0.publication.staged })
  }

  /// Makes bundles visible; each replaces the one in its directory.
  package func install(_ staged: [StagedBundle]) throws(StorageError) {
    var parents: [String: Folder] = [:]
    for bundle in staged {
      let place = try BundlePlace(bundle.item.folder)
      let parent: Folder
      if let known = parents[place.parent] {
        parent = known
      } else {
        parent = try openOrCreate(place.parent)
        parents[place.parent] = parent
      }
      try put(bundle.publication, at: place.name, in: parent)
    }
    for parent in parents.values { try fileSystem.synchronise(parent) }
    try fileSystem.synchronise(staging.folder)
  }

  /// Returns a file of a visible bundle; `nil` if it does not exist.
  package func read(_ path: String, of folder: String) throws(StorageError) -> [UInt8]? {
    let place = try BundlePlace("\(folder)/\(path)")
    guard let parent = try root.descend(place.parent) else { return nil }
    guard try parent.status(place.name) != nil else { return nil }
    return try OpenFile.reading(place.name, in: parent).readAll()
  }

  /// Returns the record of a bundle or a version; `nil` if it is missing or cannot be parsed, which
  /// `verify` reports.
  package func record(of folder: String) throws(StorageError) -> ItemRecord? {
    guard let json = try read(ItemRecord.fileName, of: folder) else { return nil }
    return try? ItemRecord(json: json, path: folder)
  }

  private func openOrCreate(_ name: String) throws(StorageError) -> Folder {
    if let folder = try root.descend(name) { return folder }
    try fileSystem.makeFolder(name, in: root)
    try fileSystem.synchronise(root)
    return try root.folder(name)
  }

  private func put(
    _ publication: Publication, at name: String, in parent: Folder
  ) throws(StorageError) {
    let staged = publication.staged
    if try parent.status(name) != nil {
      if try fileSystem.exchange(staged, in: staging.folder, with: name, in: parent) { return }
      // The file system cannot exchange directories. Between the two renames, the intent tells the
      // next start where the replaced bundle is.
      try fileSystem.rename(
        name, in: parent, to: publication.replacedName, in: staging.folder)
    }
    try fileSystem.rename(staged, in: staging.folder, to: name, in: parent)
  }
}

/// A bundle that is written but not visible yet.
package struct StagedBundle: Sendable {
  let publication: Publication

  /// The item with `byteCount` and `versions` filled in.
  package var item: CatalogItem { publication.item }
}

extension Publication {
  /// The name in staging of the replaced bundle, on file systems that cannot exchange directories.
  var replacedName: String { staged + Self.replacedSuffix }

  static let replacedSuffix = ".replaced"
}
