import ArchiverCore
package import ArchiverStorage

/// Finds the items that a damaged archive must fetch again.
package struct Repair: Sendable {
  /// The ids to fetch, by source.
  package private(set) var wanted: [String: Set<String>] = [:]

  /// Removes damaged objects from the pool and collects the items whose bundles are damaged or whose pages have
  /// links to missing files, such as earlier versions that are gone.
  ///
  /// Extra files are not the archive's to remove, and bundles unknown to the catalog are found by
  /// rebuilding it; neither leads to a fetch. Nor does damage to an earlier version: sources
  /// deliver only the present one.
  package init(
    _ problems: [VerificationProblem], links: [LinkVerification.Finding], in archive: Archive
  ) throws(StorageError) {
    _ = try archive.discardDamage(problems)
    for link in links {
      // The page of a bundle that is unknown to the catalog is not checked.
      guard let item = try archive.catalog.item(inOrBelow: link.page) else { continue }
      wanted[item.key.source, default: []].insert(item.key.id)
    }
    for problem in problems {
      switch problem.kind {
      case .missing, .hashMismatch, .noChecksums, .noRecord, .bundleMissing, .catalogMismatch:
        guard !problem.folder.contains("/versions/"),
          let item = try archive.catalog.item(inOrBelow: problem.folder)
        else { continue }
        wanted[item.key.source, default: []].insert(item.key.id)
      case .extra, .notInCatalog, .objectMissing, .objectDamaged, .objectUnused: continue
      }
    }
  }

  /// Returns options for a run that fetches only a source's damaged items.
  package func options(for source: String, _ base: RunOptions) -> RunOptions? {
    guard let ids = wanted[source] else { return nil }
    var options = base
    options.only = ids.sorted()
    options.force = true
    options.maxItems = nil
    options.repairs = true
    return options
  }
}
