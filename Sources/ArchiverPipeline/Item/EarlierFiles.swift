import ArchiverCore
import ArchiverStorage

/// The files of the item's archived bundle, which replace what its source no longer delivers,
/// whatever the URL was then.
struct EarlierFiles: Sendable {
  /// The digests of its highlights and comments; `nil` in bundles of earlier versions of the
  /// program.
  let remarks: [String]?
  private let assets: [ItemRecord.Asset]
  private let pool: ObjectPool
  private let catalog: SQLiteCatalog

  /// Reads the record of a bundle; empty if there is none or it is unreadable.
  init(of item: CatalogItem, in archive: Archive) throws(StorageError) {
    pool = archive.objects
    catalog = archive.catalog
    let record = try archive.bundles.record(of: item.folder)
    assets = record?.assets ?? []
    remarks = record?.words == nil ? nil : record?.remarks ?? []
  }

  init(_ record: ItemRecord, in archive: Archive) {
    assets = record.assets
    remarks = record.remarks
    pool = archive.objects
    catalog = archive.catalog
  }

  /// The paths relative to the bundle, without files that a server sent instead of others.
  var paths: Set<String> {
    Set(assets.map(\.path).filter { !$0.hasPrefix(ItemAssets.LocalFile.unexpectedFolder) })
  }

  /// Returns the file of a URL: of the same one, or of the only one with the same path and query at
  /// another host; `nil` if the pool has none.
  func file(for address: String) -> CachedAsset? {
    let own = assets.first { $0.addresses.contains(address) } ?? asSeen(address)
    let found =
      own
      ?? only(assets.filter { EarlierFiles.path($0.url) == EarlierFiles.path(address) })
    guard let found, !address.isEmpty else { return nil }
    let asset = CachedAsset(
      url: own == nil ? found.url : address,
      object: StoredObject(sha256: found.sha256, byteCount: found.byteCount),
      mediaType: found.mediaType, width: found.width, height: found.height)
    // An object that cannot be checked counts as missing.
    return (try? pool.contains(asset.object)) == true ? asset : nil
  }

  /// Returns the size in bytes of the file of exactly this URL; `nil` if the bundle has none.
  func byteCount(of address: String) -> Int? {
    (assets.first { $0.addresses.contains(address) } ?? asSeen(address))?.byteCount
  }

  /// Returns the file that a URL returned by the catalog: records of earlier versions of the program have one
  /// URL of each file.
  private func asSeen(_ address: String) -> ItemRecord.Asset? {
    // A catalog that cannot be read is reported elsewhere.
    guard !assets.isEmpty, let seen = try? catalog.asset(url: address) else { return nil }
    return assets.first { $0.sha256 == seen.object.sha256 }
  }

  private func only(_ assets: [ItemRecord.Asset]) -> ItemRecord.Asset? {
    Set(assets.map(\.sha256)).count == 1 ? assets.first : nil
  }

  /// Returns path and query of a URL, or the URL itself if it has no path.
  private static func path(_ address: String) -> String {
    guard let url = WebURL(address), url.path.utf8.count > 1 else { return address }
    return url.path + "?" + (url.query ?? "")
  }
}

extension ItemAssets {
  /// Returns the assets with missing ones filled in from the earlier files.
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
    var filled = self
    filled.slots = fill(slots, slotAddresses)
    filled.attachments = fill(attachments, attachmentAddresses)
    guard !stoodIn.isEmpty else { return self }
    filled.missing = missing.filter { !stoodIn.contains($0.address) || $0.kind == .mainFile }
    return filled
  }

  /// Returns the assets with what servers sent instead of files that are still missing.
  func withUnexpected() -> ItemAssets {
    var all = self
    all.attachments = attachments.map { outcome -> Outcome in
      guard case .failure(let failure) = outcome, let received = failure.received else {
        return outcome
      }
      return .success(LocalFile(unexpected: received))
    }
    return all
  }
}

extension ItemProcessor {
  /// Whether the server now has a file of another size than an archived one.
  func isReplaced(_ item: SourceItem, _ existing: CatalogItem) throws(StorageError) -> Bool {
    let asked = item.attachments.filter { $0.servedByteCount != nil }
    if asked.isEmpty { return false }
    let earlier = try EarlierFiles(of: existing, in: archive)
    return asked.contains { file in
      guard case .remote(let url) = file.location else { return false }
      let request = AssetRequest(
        url: url, content: .file(mediaType: nil), limits: options.limits, secrets: source.secrets)
      let archived = earlier.byteCount(of: request.cacheKey)
      return archived != nil && archived != file.servedByteCount
    }
  }
}
