package import ArchiverCore

/// The `item.json` of a bundle: everything about the item, without source and catalog.
///
/// Format 1: JSON in UTF-8 with sorted keys and an indentation of two spaces; equal values give
/// equal bytes. Dates are ISO 8601 in UTC, with milliseconds if not zero. Readers ignore unknown
/// keys; a later format that only adds keys stays format 1.
package struct ItemRecord: Sendable, Hashable, Codable {
  /// The highest format that this version reads.
  package static let currentFormat = 1
  package static let fileName = "item.json"

  /// Images of the content.
  package struct Images: Sendable, Hashable, Codable {
    /// The number of images in the bundle.
    package var count: Int
    package var missing: [MissingImage]

    package init(count: Int, missing: [MissingImage]) {
      self.count = count
      self.missing = missing
    }
  }

  /// An image that is missing.
  package struct MissingImage: Sendable, Hashable, Codable {
    package var url: String
    /// A sentence for people.
    package var reason: String

    package init(url: String, reason: String) {
      self.url = url
      self.reason = reason
    }
  }

  /// A file under `assets/` and its origin.
  package struct Asset: Sendable, Hashable, Codable {
    /// The URL without fragment and signature.
    package var url: String
    /// Further URLs that returned the same bytes, sorted; absent if there are none.
    package var urls: [String]?
    /// The path relative to the bundle.
    package var path: String
    package var sha256: String
    package var byteCount: Int
    package var mediaType: String
    package var width: Int?
    package var height: Int?

    /// All URLs that returned the file.
    package var addresses: [String] { [url] + (urls ?? []) }

    package init(path: String, asset: CachedAsset) {
      url = asset.url
      self.path = path
      sha256 = asset.object.sha256
      byteCount = asset.object.byteCount
      mediaType = asset.mediaType
      width = asset.width
      height = asset.height
    }
  }

  package var format: Int
  /// The source instance's name and its kind.
  package var source: String
  package var kind: String
  package var id: String
  package var revision: String
  /// The directory relative to the archive in which the bundle was first written.
  package var folder: String
  package var metadata: ItemMetadata
  package var firstArchived: Date
  package var lastArchived: Date
  package var contentHash: String
  package var thumbnail: CatalogItem.Thumbnail?
  package var images: Images
  package var assets: [Asset]
  package var annotations: [Annotation]
  package var links: [ItemLink]
  /// The item's relations as the source reported them; absent if they add nothing to `links`, and
  /// in bundles of earlier versions.
  package var graph: ItemGraph?
  /// Further addresses by which others link to the item; absent if there are none.
  package var addresses: [String]?
  /// Sentences about parts that were left out.
  package var notes: [String]
  /// The missing parts, including images; absent in bundles of earlier versions.
  package var missing: [MissingPart]?
  /// The parts of the source's HTML that the page lacks, counted by kind; absent if there are none.
  package var leftOut: [String: Int]?
  /// The URLs of images that were left out as tracking pixels; absent if there are none.
  package var pixels: [String]?
  /// The digests of its highlights and comments, sorted; absent if there are none. If one is lost, a version is made.
  package var remarks: [String]?
  /// Whether the page was edited by hand; present in earlier versions only.
  package var isEdited: Bool?
  /// The number of words of the page's text; absent as for `missing`.
  package var words: Int?
  /// The input that the page is made from; absent as for `missing`.
  package var delivered: DeliveredContent?
  /// The program that wrote the bundle: `archiver 1.0.0`.
  package var generator: String

  /// Describes an item. Byte count and versions are left out: they follow from the bundle on disk.
  package init(
    _ item: CatalogItem, kind: String, missing: [MissingImage] = [], assets: [Asset] = [],
    links: [ItemLink] = [], graph: ItemGraph? = nil, addresses: [String] = [],
    notes: [String] = [], parts: [MissingPart]? = nil, leftOut: [String: Int] = [:],
    delivered: DeliveredContent? = nil, generator: String
  ) {
    self.delivered = delivered
    self.leftOut = leftOut.isEmpty ? nil : leftOut
    self.missing = parts
    words = item.words
    format = ItemRecord.currentFormat
    source = item.key.source
    self.kind = kind
    id = item.key.id
    revision = item.revision
    folder = item.folder
    metadata = item.metadata
    firstArchived = item.firstArchived
    lastArchived = item.lastArchived
    contentHash = item.contentHash
    thumbnail = item.thumbnail
    images = Images(count: item.imageCount, missing: missing)
    self.assets = assets
    annotations = item.annotations
    self.links = links
    self.graph = graph
    self.addresses = addresses.isEmpty ? nil : addresses
    self.notes = notes
    self.generator = generator
  }

  package var key: ItemKey { ItemKey(source: source, id: id) }

  /// Returns the item as the catalog records it; values that only the disk has are given.
  package func catalogItem(folder: String, byteCount: Int, versions: [String]) -> CatalogItem {
    CatalogItem(
      key: key, revision: revision, folder: folder, metadata: metadata,
      firstArchived: firstArchived, lastArchived: lastArchived, contentHash: contentHash,
      thumbnail: thumbnail, byteCount: byteCount, imageCount: images.count,
      missingImages: images.missing.count, annotations: annotations, versions: versions,
      losses: missing.map { Losses($0) }, words: words)
  }

  /// Returns the URLs of the assets and the objects they returned.
  package var cachedAssets: [CachedAsset] {
    assets.flatMap { asset in
      asset.addresses.map { url in
        CachedAsset(
          url: url, object: StoredObject(sha256: asset.sha256, byteCount: asset.byteCount),
          mediaType: asset.mediaType, width: asset.width, height: asset.height)
      }
    }
  }
}
