package import ArchiverCore

/// The key of an item in an archive: the source's name and the source's own id.
package struct ItemKey: Sendable, Hashable, Codable {
  package let source: String
  package let id: String

  package init(source: String, id: String) {
    self.source = source
    self.id = id
  }
}

/// The availability of an archived item at its source.
package enum ItemState: String, Sendable, Codable, CaseIterable {
  /// Available; the bundle is complete.
  case archived
  /// Deleted at the source; the bundle is kept.
  case deleted
  /// No longer readable at the source, which does not say that it was deleted. The bundle is kept,
  /// whatever the policy for deleted items.
  case withheld
}

/// An archived item as the catalog records it; everything that lists and the library show.
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
  /// The SHA-256 in hex of the input of the bundle's page; if it is equal, nothing has to be
  /// written.
  package var contentHash: String
  /// The path inside the bundle of an image for lists, with its size in pixels.
  package var thumbnail: Thumbnail?
  /// The bytes of all files of the bundle, without earlier versions.
  package var byteCount: Int
  package var imageCount: Int
  /// The number of missing images.
  package var missingImages: Int
  /// The missing parts; `nil` for an item archived by an earlier version of the program.
  package var losses: Losses?
  /// The number of words of its page as counted here, whatever the source says; `nil` as for
  /// `losses`.
  package var words: Int?
  /// The SHA-256 of the bundle's SHA256SUMS; `nil` as for `losses`.
  package var manifest: String?
  /// The revision and language of the renderer that made its page, as one number; `nil` as for
  /// `losses`.
  package var pageRevision: Int?
  /// The number of times that links on its page were given new titles since it was rendered; `nil`
  /// for never.
  package var titleUpdates: Int?
  /// Passages that the user highlighted.
  package var annotations: [Annotation]
  /// The names of earlier versions, which are times, newest first; each is a directory name under `versions/`.
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
  /// The completeness of the item. Of an item archived by an earlier version only its kind and the
  /// number of missing images are known; a book's file counted as one of them.
  package var completeness: Completeness {
    if let losses { return losses.completeness }
    let isBook = [.book, .periodical, .comic].contains(metadata.kind)
    return isBook && missingImages > 0 ? .failed : .complete
  }
}
