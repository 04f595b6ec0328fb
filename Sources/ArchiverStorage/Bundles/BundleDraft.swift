package import ArchiverCore

/// The content of a bundle before it is written.
package struct BundleDraft: Sendable {
  /// A file of the bundle.
  package struct File: Sendable {
    package enum Content: Sendable {
      case bytes([UInt8])
      /// An object of the pool, hard-linked if the file system allows.
      case object(StoredObject)
    }

    /// The path relative to the bundle, with `/` between components, of the characters `a-z A-Z 0-9
    /// . _ -` only; no component starts with a dot.
    package let path: String
    package let content: Content

    package init(path: String, content: Content) {
      self.path = path
      self.content = content
    }
  }

  /// The item as the catalog will record it. `folder` is the catalog's or, for a new item, that of
  /// `LocalBundleStore.folder(for:)`; `stage` fills in `byteCount` and `versions`.
  package var item: CatalogItem
  /// All files except `SHA256SUMS`, which `stage` writes, and `versions/`.
  package var files: [File]
  /// URLs and the objects they returned, to be recorded with the item.
  package var assets: [CachedAsset]
  /// The number of earlier versions to keep.
  package var keepVersions: Int
  /// Whether the replaced bundle becomes a version. False if only labels or the like changed.
  package var makesVersion: Bool
  /// Whether the copy held back in the replaced bundle stays held back (`HeldBack`).
  package var keepsHeldBack = false
  /// Keeps the item in the queue as `.incomplete` until this time; `nil` removes it.
  package var retryImagesAt: Date?
  /// The addresses of the item and the links on its page.
  package var links: LinkRecord?
  /// The page that the replaced bundle has as a version, two directories deeper; `nil` leaves it
  /// unchanged.
  package var replacedPage: [UInt8]?

  package init(
    item: CatalogItem, files: [File], assets: [CachedAsset] = [], keepVersions: Int,
    makesVersion: Bool, retryImagesAt: Date? = nil
  ) {
    self.item = item
    self.files = files
    self.assets = assets
    self.keepVersions = keepVersions
    self.makesVersion = makesVersion
    self.retryImagesAt = retryImagesAt
  }
}
