package import ArchiverCore

/// A bundle about to become visible, as the catalog will know it.
package struct Publication: Sendable, Hashable, Codable {
  package var item: CatalogItem
  /// What the addresses of its files gave. Not stored with an intent: the bundle's own record tells
  /// all of it that matters, and bundles have dozens.
  package var assets: [CachedAsset] = []
  /// Objects of the pool that the bundle uses, beside those of `assets`.
  package var objects: [StoredObject]
  /// Keeps the item in the queue as `.incomplete` until then; `nil` takes it out.
  package var retryImagesAt: Date?
  /// SHA-256 of the bundle's SHA256SUMS: tells the new bundle from the one it replaces.
  package var manifest: String
  /// The bundle's name in staging.
  package var staged: String
  /// What it links to and what leads to it; `nil` leaves what is known as it is.
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

/// A change to the archive's folders that the catalog has announced and not yet recorded.
package enum Intent: Sendable, Hashable, Codable {
  case publish(Publication)
  /// The item's bundle is about to be removed from `folder`.
  case remove(ItemKey, folder: String)
  /// The intent to replace a bundle by the same one with its page rewritten: with `links` if it was
  /// rebuilt from what was delivered, without if only other pages changed.
  case mend(Publication)

  package var key: ItemKey {
    switch self {
    case .publish(let publication), .mend(let publication): publication.item.key
    case .remove(let key, _): key
    }
  }

  /// What the catalog will know of the item; `nil` when it leaves.
  package var item: CatalogItem? {
    switch self {
    case .publish(let publication), .mend(let publication): publication.item
    case .remove: nil
    }
  }
}

/// A catalog that bundles can be published into; see `Archive.publish` for the order of steps.
///
/// Contract:
/// 1. `announce` and `record` are each one transaction.
/// 2. An announced intent is found by `intents` until it is recorded or abandoned, without `assets`.
/// 3. `record` stores items, assets and objects, and takes each item out of the queue or, with
///    `retryImagesAt`, leaves it there as `.incomplete` with one attempt more than the last time.
/// 4. A recorded removal takes the item and its queue entry away.
/// 5. A recorded mending changes the item alone; its queue entry stays.
package protocol PublicationCatalog: Catalog {
  func announce(_ intents: [Intent]) throws(StorageError)
  func intents() throws(StorageError) -> [Intent]
  func record(_ intents: [Intent]) throws(StorageError)
  func abandon(_ keys: [ItemKey]) throws(StorageError)
}
