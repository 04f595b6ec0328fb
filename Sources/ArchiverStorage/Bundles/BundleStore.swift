import ArchiverCore

/// Where bundles live: a local folder here, an object store elsewhere.
///
/// Contract:
/// 1. A bundle is visible whole or not at all; replacing shows the old one until the new one.
/// 2. `stage` may be called from many tasks at once and shows nothing.
/// 3. What `install` returned from survives a power cut.
/// 4. What is neither installed nor discarded is gone after the next start.
package protocol BundleStore: Sendable {
  /// Returns the folder for a new item; the same item and title always give the same.
  ///
  /// `kindFolder` is the source instance's name. Once the item is in the catalog, the folder
  /// there counts, whatever becomes of the title.
  func folder(for key: ItemKey, kindFolder: String, title: String) -> String

  /// Returns the versions a bundle will have after it was staged with these values, newest first,
  /// so that its pages can link to them.
  func plannedVersions(
    for key: ItemKey, folder: String, keepVersions: Int, makesVersion: Bool
  ) throws(StorageError) -> [String]

  /// Writes a bundle out of sight.
  func stage(_ draft: BundleDraft) throws(StorageError) -> StagedBundle

  /// Drops a staged bundle, or what an installed one replaced.
  func discard(_ staged: StagedBundle)

  /// Makes all that was staged, and the catalog, survive a power cut.
  func synchronise(_ staged: [StagedBundle]) throws(StorageError)

  /// Makes bundles visible, each replacing what is in its folder.
  func install(_ staged: [StagedBundle]) throws(StorageError)

  /// Returns a file of a visible bundle, or `nil` when it is not there.
  func read(_ path: String, of folder: String) throws(StorageError) -> [UInt8]?
}

/// A bundle that is written and not yet visible.
package struct StagedBundle: Sendable {
  let publication: Publication

  /// The item with `byteCount` and `versions` filled in.
  package var item: CatalogItem { publication.item }
}
