import ArchiverCore
import ArchiverStorage

extension KeptItem {
  /// Collects the archived data of a bundle's item.
  init(_ files: BundleFiles) {
    let roles = Dictionary(
      (files.record?.delivered?.files ?? []).compactMap { file in
        (file.sha256 ?? file.url).map { ($0, file.role) }
      }, uniquingKeysWith: { one, _ in one })
    let assets = (files.record?.assets ?? []).filter { files.byteCount($0.path) != nil }
    let kept = assets.flatMap { asset in
      asset.addresses.map { url in
        KeptItem.File(
          role: (url == asset.url ? roles[asset.sha256] : nil) ?? roles[url], url: url,
          path: files.file(asset.path), mediaType: asset.mediaType, width: asset.width,
          height: asset.height)
      }
    }
    let packed = files.bytes(DeliveredContent.htmlFile)
    let known = Set(assets.flatMap { $0.addresses + [$0.sha256] })
    let delivered = files.record?.delivered?.files ?? []
    self.init(
      id: files.item.key.id,
      metadata: files.record?.delivered?.metadata ?? files.item.metadata,
      annotations: files.record?.delivered?.annotations ?? files.item.annotations,
      record: files.bytes("source.json"),
      html: packed.flatMap { try? GZip.expanded($0, limit: 256 << 20) }, files: kept)
    absent = delivered.count { file in
      (file.sha256 ?? file.url).map { !known.contains($0) } ?? false
    }
  }
}
