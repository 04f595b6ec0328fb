package import ArchiverCore

/// A copy that is worse than the archived one: kept among the versions of the better one, as
/// `versions/20260131T023000Z-held`, until the source delivers a better one or it is accepted.
///
/// A bundle has at most one, the newest. It does not count as a version: the bundle that replaces
/// the better copy drops it.
package enum HeldBack {
  private static let suffix = "-held"

  /// Whether a version's name marks a copy held back.
  package static func isName(_ name: String) -> Bool { name.hasSuffix(suffix) }

  static func name(_ date: Date) -> String { VersionPlan.name(date, unlike: []) + suffix }
}

extension CatalogItem {
  /// The name of the version that is held back; `nil` if there is none.
  package var heldBack: String? { versions.first(where: HeldBack.isName) }
}

extension LocalBundleStore {
  /// Stages a copy of an item's bundle with another copy held back among its versions, or with
  /// none. Returns `nil` if the bundle is missing or differs from what the catalog records.
  ///
  /// - Parameter heldBack: The copy to hold back, and when it was delivered; replaces an earlier one.
  /// - Parameter item: The item as the catalog records it.
  /// - Parameter page: Returns the bundle's page with a list of these versions.
  package func stage(
    heldBack: (draft: BundleDraft, time: Date)?, of item: CatalogItem,
    page: ([String]) throws(StorageError) -> [UInt8]
  ) throws(StorageError) -> StagedBundle? {
    guard let (bundle, checksums) = try recorded(item) else { return nil }
    let draft = heldBack?.draft
    if let draft { try BundlePath.check(draft) }
    let own = try VersionPlan.versions(of: bundle).filter { !HeldBack.isName($0) }
    let versions = (heldBack.map { [HeldBack.name($0.time)] } ?? []) + own
    let page = try page(versions)
    var changed = item
    changed.versions = versions
    return try restage(
      changed, bundle, checksums, page: page, needed: page.count + (draft?.inlineByteCount ?? 0),
      others: [BundlePath.versions], referring: draft?.furtherObjects ?? []
    ) { (target) throws(StorageError) in
      try write(versions, heldBack: draft, of: bundle, to: target)
    }
  }

  private func write(
    _ versions: [String], heldBack: BundleDraft?, of bundle: Folder, to target: Folder
  ) throws(StorageError) {
    guard !versions.isEmpty else { return }
    try fileSystem.makeFolder(BundlePath.versions, in: target)
    let folder = try target.folder(BundlePath.versions)
    for version in versions {
      try fileSystem.makeFolder(version, in: folder)
      let place = try folder.folder(version)
      if HeldBack.isName(version), let heldBack {
        let writer = BundleWriter(folder: place, objects: objects, fileSystem: fileSystem)
        for file in heldBack.files { try writer.write(file) }
        _ = try writer.writeChecksums()
      } else if let old = try bundle.descend("\(BundlePath.versions)/\(version)") {
        try TreeLinker(fileSystem: fileSystem).linkTree(old, into: place)
      }
    }
  }
}
