import ArchiverCore
import ArchiverStorage

/// The files of the bundle that an item has already: they stand in for what its source no longer
/// gives, whatever the address was then.
struct EarlierFiles: Sendable {
  /// Digests of its highlights and comments; `nil` in bundles of earlier versions of the program.
  let remarks: [String]?
  private let assets: [ItemRecord.Asset]
  private let pool: ObjectPool

  /// Reads the record of a bundle; has nothing when there is none or it cannot be read.
  init(of item: CatalogItem, in archive: Archive) throws(StorageError) {
    pool = archive.objects
    guard let bytes = try archive.bundles.read(ItemRecord.fileName, of: item.folder) else {
      assets = []
      remarks = nil
      return
    }
    // A record that was damaged is found by `verify`; nothing stands in then.
    let record = try? ItemRecord(json: bytes, path: item.folder)
    assets = record?.assets ?? []
    remarks = record?.words == nil ? nil : record?.remarks ?? []
  }

  init(_ record: ItemRecord, pool: ObjectPool) {
    assets = record.assets
    remarks = record.remarks
    self.pool = pool
  }

  /// Paths relative to the bundle.
  var paths: Set<String> { Set(assets.map(\.path)) }

  /// Returns the file that an address gave: the same one, else the only one with the same path and
  /// query at another host; `nil` when there is none in the pool.
  func file(for address: String) -> CachedAsset? {
    let found =
      assets.first { $0.url == address }
      ?? only(assets.filter { EarlierFiles.path($0.url) == EarlierFiles.path(address) })
    guard let found, !address.isEmpty else { return nil }
    let asset = CachedAsset(
      url: found.url, object: StoredObject(sha256: found.sha256, byteCount: found.byteCount),
      mediaType: found.mediaType, width: found.width, height: found.height)
    // What the pool cannot tell is not there.
    return (try? pool.contains(asset.object)) == true ? asset : nil
  }

  private func only(_ assets: [ItemRecord.Asset]) -> ItemRecord.Asset? {
    Set(assets.map(\.sha256)).count == 1 ? assets.first : nil
  }

  /// Path and query of an address; the address itself where it has no path of its own.
  private static func path(_ address: String) -> String {
    guard let url = WebURL(address), url.path.utf8.count > 1 else { return address }
    return url.path + "?" + (url.query ?? "")
  }
}

extension ItemAssets {
  /// Returns them with earlier files in place of what is missing.
  func filled(from earlier: EarlierFiles) -> ItemAssets {
    var stoodIn: Set<String> = []
    func fill(_ outcomes: [Outcome], _ addresses: [String]) -> [Outcome] {
      zip(outcomes, addresses).map { outcome, address in
        guard case .failure(let failure) = outcome, failure.storage == nil,
          failure.cause != .pixel, let asset = earlier.file(for: address)
        else { return outcome }
        stoodIn.insert(address)
        return .success(LocalFile(asset))
      }
    }
    var filled = ItemAssets(
      slots: fill(slots, slotAddresses), attachments: fill(attachments, attachmentAddresses))
    guard !stoodIn.isEmpty else { return self }
    filled.cached = cached
    filled.byteCount = byteCount
    filled.slotAddresses = slotAddresses
    filled.attachmentAddresses = attachmentAddresses
    filled.missing = missing.filter { !stoodIn.contains($0.address) || $0.kind == .mainFile }
    return filled
  }
}
