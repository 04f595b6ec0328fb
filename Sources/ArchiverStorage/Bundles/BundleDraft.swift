package import ArchiverCore

/// All that a bundle will consist of, before it is on disk.
package struct BundleDraft: Sendable {
  /// A file of the bundle.
  package struct File: Sendable {
    package enum Content: Sendable {
      case bytes([UInt8])
      /// An object of the pool, hard-linked where the file system allows.
      case object(StoredObject)
    }

    /// Relative to the bundle, `/`-separated, of the characters `a-z A-Z 0-9 . _ -` only, no
    /// component starting with a dot.
    package let path: String
    package let content: Content

    package init(path: String, content: Content) {
      self.path = path
      self.content = content
    }
  }

  /// The item as it will stand in the catalog. `folder` is what the catalog has or, for a new
  /// item, what `BundleStore.folder(for:)` returned; `byteCount` and `versions` are filled in by `stage`.
  package var item: CatalogItem
  /// Every file but `SHA256SUMS`, which `stage` writes, and `versions/`.
  package var files: [File]
  /// Addresses and what they gave, to be remembered with the item.
  package var assets: [CachedAsset]
  /// How many earlier versions to keep; 0 keeps none.
  package var keepVersions: Int
  /// Whether the bundle it replaces becomes a version. False when only labels or the like changed.
  package var makesVersion: Bool
  /// Whether what is held back of the bundle it replaces stays held back (`HeldBack`).
  package var keepsHeldBack = false
  /// Keeps the item in the queue as `.incomplete` until this time; `nil` takes it out.
  package var retryImagesAt: Date?
  /// What it links to and what leads to it.
  package var links: LinkRecord?
  /// What the page of the bundle it replaces becomes as an earlier version, two folders further
  /// down; `nil` keeps it as it is.
  package var replacedPage: [UInt8]?

  package init(
    item: CatalogItem, files: [File], assets: [CachedAsset] = [], keepVersions: Int = 3,
    makesVersion: Bool = true, retryImagesAt: Date? = nil
  ) {
    self.item = item
    self.files = files
    self.assets = assets
    self.keepVersions = keepVersions
    self.makesVersion = makesVersion
    self.retryImagesAt = retryImagesAt
  }
}
