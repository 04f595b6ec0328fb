import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// A bundle as the input of its page: the item as delivered, and its files.
struct KeptBundle: Sendable {
  /// The maximum size of delivered HTML in bytes; a source's HTML is never larger.
  private static let htmlLimit = 256 << 20

  let record: ItemRecord
  private(set) var item: SourceItem
  /// The source's own origin at that time.
  var origin: Origin? { record.delivered?.origin.flatMap { WebURL($0) }?.origin }
  private let files: EarlierFiles

  /// Reads a bundle; `nil` if it was made before the delivered content was stored. Fails with
  /// `.damaged` if it is unreadable.
  init?(_ existing: CatalogItem, in archive: Archive) throws(StorageError) {
    let bundles = archive.bundles
    guard let json = try bundles.read(ItemRecord.fileName, of: existing.folder) else { return nil }
    record = try ItemRecord(json: json, path: existing.folder)
    guard let delivered = record.delivered else { return nil }
    files = EarlierFiles(record, in: archive)
    var body = ItemBody.none(reason: delivered.noText ?? "")
    if delivered.noText == nil {
      guard let html = try bundles.read(DeliveredContent.htmlFile, of: existing.folder) else {
        throw StorageError(.damaged, "\(existing.folder)/\(DeliveredContent.htmlFile) is missing")
      }
      body = .html(
        try GZip.expanded(html, limit: KeptBundle.htmlLimit),
        baseURL: delivered.base.flatMap { WebURL($0) })
    }
    item = SourceItem(
      reference: ItemReference(id: record.id, revision: existing.revision),
      metadata: delivered.metadata ?? existing.metadata, body: body,
      attachments: try KeptBundle.attachments(delivered, record, existing.folder, bundles),
      annotations: delivered.annotations ?? record.annotations, links: record.links,
      addresses: record.addresses ?? [],
      record: try bundles.read("source.json", of: existing.folder), notes: delivered.notes,
      missing: delivered.missing)
    item.graph = record.graph
  }

  private static func attachments(
    _ delivered: DeliveredContent, _ record: ItemRecord, _ folder: String,
    _ bundles: LocalBundleStore
  ) throws(StorageError) -> [Attachment] {
    var attachments: [Attachment] = []
    for file in delivered.files {
      let location: Attachment.Location
      let url = file.url.flatMap { WebURL($0) }
      if let url, file.sha256 == nil {
        location = .remote(url)
      } else if let path = record.assets.first(where: { $0.sha256 == file.sha256 })?.path,
        let bytes = try bundles.read(path, of: folder)
      {
        location = .inline(bytes)
      } else {
        throw StorageError(
          .damaged, "\(folder) lacks the file \(file.name ?? file.url ?? "") that it was made from")
      }
      var attachment = Attachment(
        file.role, location, name: file.name, mediaType: file.mediaType, caption: file.caption,
        width: file.width, height: file.height, revision: file.revision)
      attachment.byteCount = file.byteCount
      if file.sha256 != nil { attachment.address = url }
      attachments.append(attachment)
    }
    return attachments
  }

  /// Returns the file that a URL returned when the bundle was made, or why there is none.
  func outcome(_ request: AssetRequest) -> AssetOutcome {
    let keys = [request.cacheKey, request.formerKey].compactMap(\.self)
    for key in keys {
      if let asset = files.file(for: key) { return .stored(asset, bytes: 0) }
    }
    if keys.contains(where: { record.pixels?.contains($0) == true }) {
      return .failed(.placeholder)
    }
    let address = Redaction.text(request.url.absoluteString)
    let known = record.missing?.first { $0.name == address || keys.contains($0.name) }
    guard let known else {
      return .failed(
        AssetFailure("it is not among the files of the bundle", isTransient: true, cause: .leftOut))
    }
    return .failed(
      AssetFailure(
        known.reason, isTransient: !known.isPermanent, cause: known.isEssential ? .other : .leftOut)
    )
  }
}

extension DeliveredContent {
  /// Describes an item; `shown` is the item as its bundle shows it.
  init(_ item: SourceItem, shown: CatalogItem, source: RunSource) {
    var (base, noText): (String?, String?)
    switch item.body {
    case .html(_, let url): base = url.map { Redaction.text($0.absoluteString) }
    case .none(let reason): noText = reason
    }
    self.init(
      base: base.map(source.secrets.hidden), noText: noText,
      files: item.attachments.map { attachment in
        let url = attachment.url.map {
          source.secrets.hidden(Redaction.text($0.absoluteString))
        }
        if case .inline(let bytes) = attachment.location {
          return File(attachment, url: url, sha256: Digest.sha256Hex(bytes))
        }
        return File(attachment, url: url, sha256: nil)
      },
      metadata: item.metadata == shown.metadata ? nil : item.metadata,
      annotations: item.annotations == shown.annotations ? nil : item.annotations,
      notes: item.notes, missing: item.missing, origin: source.origin.map { "\($0)" })
  }
}

extension SourceItem {
  /// Returns its HTML without secrets, compressed; `nil` if it has none.
  func keptHTML(_ secrets: AddressSecrets) throws(StorageError) -> [UInt8]? {
    guard case .html(let bytes, _) = body else { return nil }
    return try GZip.compressed(secrets.hidden(Redaction.html(bytes)))
  }
}
