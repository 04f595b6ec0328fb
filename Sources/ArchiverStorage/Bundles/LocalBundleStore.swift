import ArchiverCore

/// A store of bundles as directories of a local file system.
package final class LocalBundleStore: BundleStore {
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

  package func folder(for key: ItemKey, kindFolder: String, title: String) -> String {
    FolderName.folder(for: key, sourceFolder: kindFolder, title: title)
  }

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

  package func discard(_ staged: StagedBundle) {
    staging.discard(staged.publication.staged)
    staging.discard(staged.publication.replacedName)
  }

  package func synchronise(_ staged: [StagedBundle]) throws(StorageError) {
    try fileSystem.synchroniseAll(
      staging.folder, trees: staged.map { $0.publication.staged })
  }

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

  package func read(_ path: String, of folder: String) throws(StorageError) -> [UInt8]? {
    let place = try BundlePlace("\(folder)/\(path)")
    guard let parent = try root.descend(place.parent) else { return nil }
    guard try parent.status(place.name) != nil else { return nil }
    return try OpenFile.reading(place.name, in: parent).readAll()
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
      // Without an exchange: between the two renames the intent tells the next start where the
      // replaced bundle is.
      try fileSystem.rename(
        name, in: parent, to: publication.replacedName, in: staging.folder)
    }
    try fileSystem.rename(staged, in: staging.folder, to: name, in: parent)
  }
}

extension Publication {
  /// The name in staging of the replaced bundle, on file systems that cannot exchange directories.
  var replacedName: String { staged + Self.replacedSuffix }

  static let replacedSuffix = ".replaced"
}
