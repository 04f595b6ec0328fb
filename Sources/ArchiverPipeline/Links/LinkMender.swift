import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Rewrites pages whose links or parents are items that were added, renamed or removed, or to which other
/// items began or ceased to link.
///
/// The catalog durably records which pages may be affected, so the next run continues what one does
/// not finish. Unchanged pages are not written.
struct LinkMender: Sendable {
  /// The number of pages published together.
  private static let batchSize = 64

  let archive: Archive

  /// Updates all affected pages. Cancelling the task stops between two batches. Returns how many
  /// pages were written.
  @discardableResult
  func mend() throws(StorageError) -> Int {
    try learnLinks()
    var written = 0
    let series = SeriesNeighbours(catalog: archive.catalog)
    while !Task.isCancelled {
      let keys = try archive.catalog.mendings(limit: LinkMender.batchSize)
      guard !keys.isEmpty else { break }
      var staged: [StagedBundle] = []
      var settled: [ItemKey] = []
      do throws(StorageError) {
        for key in keys {
          if let bundle = try mended(key, series) {
            staged.append(bundle)
          } else {
            settled.append(key)
          }
        }
      } catch {
        for bundle in staged { archive.bundles.discard(bundle) }
        throw error
      }
      try archive.mend(staged)
      try archive.catalog.settleMendings(settled)
      written += staged.count
    }
    return written
  }

  /// Returns the updated bundle; `nil` if it is up to date, or if its page must not be replaced.
  private func mended(
    _ key: ItemKey, _ series: SeriesNeighbours
  ) throws(StorageError) -> StagedBundle? {
    guard var item = try archive.catalog.item(key),
      let page = try ifReadable({ () throws(StorageError) in
        try archive.untouchedPage(of: item.folder)
      })
    else { return nil }
    let links = BundleLinks(
      key: key, folder: item.folder, addresses: try archive.catalog.linkAddresses(of: key),
      archive: archive)
    let body = ReadingPage.body(of: page).map { LinkRewriter.restored($0) }
    let current = try links.localised(body, links: [], renames: true)
    let new = ReadingPage.mended(
      page, body: current.body, parents: try links.parents(),
      backlinks: try links.backlinks(), series: try series.links(of: item))
    if new == page { return nil }
    // The library reads the page's text again.
    if current.isRetitled { item.titleUpdates = (item.titleUpdates ?? 0) + 1 }
    let changed = item
    return try ifReadable { () throws(StorageError) in
      try archive.bundles.stage(page: new, of: changed)
    }
  }

  /// Skips errors of a single bundle, which `verify` reports: its links break nothing, and other
  /// bundles and the library must not wait for it.
  private func ifReadable<Value>(
    _ body: () throws(StorageError) -> Value?
  ) throws(StorageError) -> Value? {
    do throws(StorageError) {
      return try body()
    } catch {
      guard error.isOfOneBundle else { throw error }
      return nil
    }
  }

  /// Reads the links of bundles for which the catalog has none: it was rebuilt, or is older than
  /// the recording of links.
  private func learnLinks() throws(StorageError) {
    while !Task.isCancelled {
      let keys = try archive.catalog.itemsWithoutLinks(limit: LinkMender.batchSize)
      guard !keys.isEmpty else { return }
      var records: [(item: CatalogItem, links: LinkRecord)] = []
      for key in keys {
        guard let item = try archive.catalog.item(key) else { continue }
        records.append((item, try linkRecord(item)))
      }
      try archive.catalog.storeLinks(records)
    }
  }

  private func linkRecord(_ item: CatalogItem) throws(StorageError) -> LinkRecord {
    // The links of the page count even if the record cannot be read.
    let record = try ifReadable { () throws(StorageError) in
      try archive.bundles.record(of: item.folder)
    }
    let links = BundleLinks(
      key: item.key, folder: item.folder,
      addresses: BundleLinks.addresses(
        of: item.key, item.metadata, further: record?.addresses ?? [], archive.linkForms),
      archive: archive)
    let page =
      try ifReadable { () throws(StorageError) in
        try archive.bundles.read("index.html", of: item.folder)
      } ?? []
    let body = ReadingPage.body(of: page).map { LinkRewriter.restored($0) }
    var found = try links.localised(body, links: record?.links ?? []).record
    // The page has no local links yet, or must be looked at anyway.
    found.targets = found.targets.mapValues { $0.subtracting(.local) }
    return found
  }
}
