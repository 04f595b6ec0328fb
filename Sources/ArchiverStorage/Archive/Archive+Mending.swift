import ArchiverCore

// Updating a page: a bundle's page is rewritten because an item that it links to, or that links to
// it, was added or removed, or because a newer program renders it better. No version is made and
// the item's queue entry stays. Steps and guarantees are those of publishing.
extension Archive {
  /// Returns a bundle's page if it is unchanged since it was written. Returns `nil` if it was
  /// edited or is damaged; it must then not be replaced.
  package func untouchedPage(of folder: String) throws(StorageError) -> [UInt8]? {
    guard let page = try bundles.read(BundlePath.page, of: folder),
      let sums = try bundles.read(ChecksumList.fileName, of: folder)
    else { return nil }
    let list: ChecksumList
    do throws(StorageError) {
      list = try ChecksumList(sums, path: "\(folder)/\(ChecksumList.fileName)")
    } catch {
      guard error.code == .damaged else { throw error }
      return nil
    }
    return list[BundlePath.page] == Digest.sha256Hex(page) ? page : nil
  }

  /// Publishes bundles with the same content as those they replace; otherwise like `publish`.
  package func mend(_ staged: [StagedBundle]) throws(StorageError) {
    if settling.isNeeded { try settle() }
    guard !staged.isEmpty else { return }
    try install(staged, staged.map { .mend($0.publication) })
  }
}

extension LocalBundleStore {
  /// Stages a copy of an item's bundle with another page. Returns `nil` if the bundle is missing or
  /// differs from what the catalog records.
  package func stage(
    page: [UInt8], of item: CatalogItem
  ) throws(StorageError) -> StagedBundle? {
    guard let (bundle, checksums) = try recorded(item) else { return nil }
    return try restage(item, bundle, checksums, page: page, needed: page.count)
  }

  /// Returns an item's bundle and its checksums; `nil` if the bundle is missing or differs from what
  /// the catalog records.
  func recorded(
    _ item: CatalogItem
  ) throws(StorageError) -> (bundle: Folder, checksums: ChecksumList)? {
    guard let bundle = try root.descend(item.folder),
      try !isStranger(bundle, at: item.folder, to: item),
      let sums = try read(ChecksumList.fileName, of: item.folder)
    else { return nil }
    let path = "\(item.folder)/\(ChecksumList.fileName)"
    return (bundle, try ChecksumList(sums, path: path))
  }

  /// Stages a copy of an item's bundle with another page, and with what `add` writes in place of the
  /// entries with the names `others`.
  func restage(
    _ item: CatalogItem, _ bundle: Folder, _ checksums: ChecksumList, page: [UInt8], needed: Int,
    others: Set<String> = [], referring references: [StoredObject] = [],
    add: (Folder) throws(StorageError) -> Void = { _ in }
  ) throws(StorageError) -> StagedBundle {
    var checksums = checksums
    checksums[BundlePath.page] = Digest.sha256Hex(page)
    let name = staging.uniqueName()
    do throws(StorageError) {
      try objects.space.require(needed, in: staging.folder)
      try fileSystem.makeFolder(name, in: staging.folder)
      let target = try staging.folder.folder(name)
      try TreeLinker(fileSystem: fileSystem).linkTree(
        bundle, into: target, skipping: others.union([BundlePath.page, ChecksumList.fileName]))
      try add(target)
      try fileSystem.writeFile(BundlePath.page, in: target, page)
      try fileSystem.writeFile(ChecksumList.fileName, in: target, checksums.bytes)
    } catch {
      staging.discard(name)
      throw objects.space.explain(error, needed: needed, in: staging.folder)
    }
    var changed = item
    let manifest = Digest.sha256Hex(checksums.bytes)
    changed.manifest = manifest
    let old = try bundle.status(BundlePath.page)?.byteCount ?? 0
    changed.byteCount = max(0, item.byteCount + page.count - old)
    return StagedBundle(
      publication: Publication(
        item: changed, assets: [], objects: references, retryImagesAt: nil, manifest: manifest,
        staged: name))
  }
}
