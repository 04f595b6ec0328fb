import ArchiverCore

@testable import ArchiverStorage

/// Values that tests need and whose details do not matter to them.
enum Sample {
  static let now = Date(timeIntervalSince1970: 1_750_000_000)

  static func reference(
    _ id: String, revision: String = "r1", date: Double? = nil, payload: String? = nil
  ) -> ItemReference {
    ItemReference(
      id: id, revision: revision, title: "Title of \(id)",
      date: date.map { Date(timeIntervalSince1970: $0) }, payload: payload)
  }

  static func page(
    _ references: ItemReference..., deleted: [String] = [], checkpoint: String? = nil
  ) -> ListingPage {
    ListingPage(
      references: references, deleted: deleted, checkpoint: checkpoint.map { Checkpoint($0) })
  }

  static func item(
    _ id: String, source: String = "readeck", revision: String = "r1", archived: Double = 0
  ) -> CatalogItem {
    var metadata = ItemMetadata(kind: .article, title: "Title of \(id)")
    metadata.labels = ["one", "two"]
    metadata.published = now
    let key = ItemKey(source: source, id: id)
    return CatalogItem(
      key: key, revision: revision,
      folder: FolderName.folder(for: key, sourceFolder: source, title: "Title of \(id)"),
      metadata: metadata, firstArchived: now, lastArchived: now + archived, contentHash: "c\(id)",
      annotations: [Annotation(id: "a1", text: "marked", color: "yellow", created: now)])
  }

  static func publication(
    _ item: CatalogItem, assets: [CachedAsset] = [], retryImagesAt: Date? = nil
  ) -> Publication {
    Publication(
      item: item, assets: assets, objects: assets.map(\.object), retryImagesAt: retryImagesAt,
      manifest: "m", staged: "s1")
  }

  static func record(_ item: CatalogItem, assets: [ItemRecord.Asset] = []) -> ItemRecord {
    ItemRecord(item, kind: "readeck", assets: assets, generator: "archiver test")
  }

  static func draft(
    _ item: CatalogItem, page: String = "<p>page</p>", images: [StoredObject] = [],
    keepVersions: Int = 3, makesVersion: Bool = true, retryImagesAt: Date? = nil
  ) throws -> BundleDraft {
    let assets = images.map { object in
      CachedAsset(
        url: "https://example.org/\(object.sha256)", object: object, mediaType: "image/png")
    }
    let paths = images.map { "assets/\($0.sha256.prefix(16)).png" }
    let record = record(item, assets: zip(paths, assets).map { .init(path: $0, asset: $1) })
    var files = [
      BundleDraft.File(path: "index.html", content: .bytes(Array(page.utf8))),
      BundleDraft.File(path: "item.json", content: .bytes(try record.json())),
    ]
    files += zip(paths, images).map { .init(path: $0, content: .object($1)) }
    return BundleDraft(
      item: item, files: files, assets: assets, keepVersions: keepVersions,
      makesVersion: makesVersion, retryImagesAt: retryImagesAt)
  }
}
