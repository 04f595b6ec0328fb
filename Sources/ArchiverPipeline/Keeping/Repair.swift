import ArchiverCore
package import ArchiverStorage

/// Finds which items a damaged archive must fetch again.
package struct Repair: Sendable {
  /// Ids to fetch, by source.
  package private(set) var wanted: [String: Set<String>] = [:]

  /// Takes damaged files out of the pool and notes the items whose bundles cannot be trusted.
  ///
  /// Extra files are not the archive's to remove, and bundles that the catalog does not know are
  /// found by rebuilding it; neither leads to a fetch. Nor does damage to an earlier version:
  /// sources give out the present one only.
  package init(_ problems: [VerificationProblem], in archive: Archive) throws(StorageError) {
    _ = try archive.discardDamage(problems)
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

  /// Options under which a run fetches a source's damaged items, and nothing else.
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
