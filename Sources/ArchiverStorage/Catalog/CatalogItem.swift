package import ArchiverCore

/// What identifies an item in an archive: the source instance's name and the source's own id.
package struct ItemKey: Sendable, Hashable, Codable {
  package let source: String
  package let id: String

  package init(source: String, id: String) {
    self.source = source
    self.id = id
  }
}

/// How an archived item stands.
package enum ItemState: String, Sendable, Codable, CaseIterable {
  /// The bundle is whole.
  case archived
  /// The source no longer has the item; the bundle is kept.
  case deleted
  /// The source no longer lets the item be read, and does not say that it is gone; the bundle is
  /// kept whatever becomes of deleted ones.
  case withheld
}

/// An archived item as the catalog knows it; everything a list or the library shows of it.
package struct CatalogItem: Sendable, Hashable, Codable {
  package var key: ItemKey
  /// The revision of the reference that the bundle was made from.
  package var revision: String
  /// The bundle's folder relative to the archive: `readeck/saving-the-web-4f2a9c1b`.
  package var folder: String
  package var state: ItemState
  package var metadata: ItemMetadata
  /// When the bundle was first and last written.
  package var firstArchived: Date
  package var lastArchived: Date
  /// SHA-256 in hex over what the bundle was rendered from; equal means nothing to write.
  package var contentHash: String
  /// A path inside the bundle to a picture for lists, and its pixels.
  package var thumbnail: Thumbnail?
  /// Bytes of all files of the bundle, earlier versions aside.
  package var byteCount: Int
  package var imageCount: Int
  /// The number of missing images.
  package var missingImages: Int
  /// What is missing of it; `nil` for one that an earlier version archived.
  package var losses: Losses?
  /// Words of its page's text as counted here, whatever the source says; `nil` as for `losses`.
  package var words: Int?
  /// SHA-256 of the bundle's SHA256SUMS; `nil` as for `losses`.
  package var manifest: String?
  /// What made its page: a number that grows with what pages look like; `nil` as for `losses`.
  package var pageRevision: Int?
  /// Passages the user marked.
  package var annotations: [Annotation]
  /// Times of earlier versions, newest first; each is a folder name under `versions/`.
  package var versions: [String]

  package struct Thumbnail: Sendable, Hashable, Codable {
    package var path: String
    package var width: Int?
    package var height: Int?

    package init(path: String, width: Int? = nil, height: Int? = nil) {
      self.path = path
      self.width = width
      self.height = height
    }
  }

  package init(
    key: ItemKey, revision: String, folder: String, state: ItemState = .archived,
    metadata: ItemMetadata, firstArchived: Date, lastArchived: Date, contentHash: String,
    thumbnail: Thumbnail? = nil, byteCount: Int = 0, imageCount: Int = 0, missingImages: Int = 0,
    annotations: [Annotation] = [], versions: [String] = [], losses: Losses? = nil,
    words: Int? = nil
  ) {
    self.words = words
    self.losses = losses
    self.key = key
    self.revision = revision
    self.folder = folder
    self.state = state
    self.metadata = metadata
    self.firstArchived = firstArchived
    self.lastArchived = lastArchived
    self.contentHash = contentHash
    self.thumbnail = thumbnail
    self.byteCount = byteCount
    self.imageCount = imageCount
    self.missingImages = missingImages
    self.annotations = annotations
    self.versions = versions
  }
}

extension CatalogItem {
  /// How whole it is. Of an item of an earlier version only what its kind and the number of missing
  /// pictures say is known: a book's file counted as one of them.
  package var completeness: Completeness {
    if let losses { return losses.completeness }
    let isBook = [.book, .periodical, .comic].contains(metadata.kind)
    return isBook && missingImages > 0 ? .failed : .complete
  }
}
