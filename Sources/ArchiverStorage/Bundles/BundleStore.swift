import ArchiverCore

/// A store of bundles: a local directory here; an object store would be another.
///
/// Contract:
/// 1. A bundle is visible completely or not at all; the old one stays visible until it is replaced.
/// 2. `stage` may be called from many tasks concurrently and makes nothing visible.
/// 3. When `install` has returned, its bundles are durable.
/// 4. What is neither installed nor discarded is removed at the next start.
package protocol BundleStore: Sendable {
  /// Returns the directory for a new item; the same for the same item and title.
  ///
  /// `kindFolder` is the source's name. Once the item is in the catalog, the directory there
  /// counts, even if the title changes.
  func folder(for key: ItemKey, kindFolder: String, title: String) -> String

  /// Returns the versions that a bundle staged with these values will have, newest first, so that
  /// its pages can link to them.
  func plannedVersions(
    for key: ItemKey, folder: String, keepVersions: Int, makesVersion: Bool
  ) throws(StorageError) -> [String]

  /// Writes a bundle to staging.
  func stage(_ draft: BundleDraft) throws(StorageError) -> StagedBundle

  /// Removes a staged bundle, or the bundle that an installed one replaced.
  func discard(_ staged: StagedBundle)

  /// Makes everything staged, and the catalog, durable.
  func synchronise(_ staged: [StagedBundle]) throws(StorageError)

  /// Makes bundles visible; each replaces the one in its directory.
  func install(_ staged: [StagedBundle]) throws(StorageError)

  /// Returns a file of a visible bundle; `nil` if it does not exist.
  func read(_ path: String, of folder: String) throws(StorageError) -> [UInt8]?
}

/// A bundle that is written but not visible yet.
package struct StagedBundle: Sendable {
  let publication: Publication

  /// The item with `byteCount` and `versions` filled in.
  package var item: CatalogItem { publication.item }
}
