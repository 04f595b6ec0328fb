package import ArchiverCore

/// A bundle to be published, as the catalog will record it.
package struct Publication: Sendable, Hashable, Codable {
  package var item: CatalogItem
  /// The assets that the URLs of its files returned. Not stored with an intent: the bundle's own
  /// record contains them, and bundles have dozens.
  package var assets: [CachedAsset] = []
  /// Further objects of the pool that the bundle uses.
  package var objects: [StoredObject]
  /// Keeps the item in the queue as `.incomplete` until then; `nil` removes it.
  package var retryImagesAt: Date?
  /// The SHA-256 of the bundle's SHA256SUMS, which distinguishes the new bundle from the one it
  /// replaces.
  package var manifest: String
  /// The bundle's name in staging.
  package var staged: String
  /// The addresses of the item and the links on its page; `nil` leaves the recorded ones unchanged.
  package var links: LinkRecord?

  private enum CodingKeys: CodingKey {
    case item, objects, retryImagesAt, manifest, staged, links
  }

  package init(
    item: CatalogItem, assets: [CachedAsset], objects: [StoredObject], retryImagesAt: Date?,
    manifest: String, staged: String, links: LinkRecord? = nil
  ) {
    self.item = item
    self.assets = assets
    self.objects = objects
    self.retryImagesAt = retryImagesAt
    self.manifest = manifest
    self.staged = staged
    self.links = links
  }
}

/// A logged change of the archive's directories that is not recorded yet.
package enum Intent: Sendable, Hashable, Codable {
  case publish(Publication)
  /// The intent to remove the item's bundle from `folder`.
  case remove(ItemKey, folder: String)
  /// The intent to replace a bundle by the same one with its page rewritten: with `links` if it was
  /// rebuilt from the delivered content, without if only other pages changed.
  case mend(Publication)

  package var key: ItemKey {
    switch self {
    case .publish(let publication), .mend(let publication): publication.item.key
    case .remove(let key, _): key
    }
  }

  /// The item as the catalog will record it; `nil` if it is removed.
  package var item: CatalogItem? {
    switch self {
    case .publish(let publication), .mend(let publication): publication.item
    case .remove: nil
    }
  }
}
