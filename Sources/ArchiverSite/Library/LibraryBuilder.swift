package import ArchiverStorage

/// Brings the library of an archive up to date: `index.html` and everything under `library/`.
///
/// The same catalog gives the same bytes, whatever was there before. Files whose bytes stay the
/// same are not touched. A run that changed no item writes `library/status.js` and nothing else.
package struct LibraryBuilder: Sendable {
  private let root: String
  private let catalog: any Catalog
  private let words: Words

  /// Builds the library of the archive at `root`, with plain pages in the language of `words`.
  package init(root: String, catalog: any Catalog, words: Words = .english) {
    self.root = root
    self.catalog = catalog
    self.words = words
  }

  /// Updates the library after items changed; `nil` when any may have, as after an interrupted
  /// run, and for `archiver site`.
  package func update(changed: [ItemKey]?) throws -> LibraryUpdate {
    let files = try SiteFiles(root: root)
    try files.put(StatusData.path, StatusData.script(catalog))
    if let changed, changed.isEmpty, files.exists(IndexPage.path) {
      return try files.commit(removesOthers: false)
    }
    try writePages(rows(), to: files)
    return try files.commit(last: [IndexPage.path], removesOthers: true)
  }

  private func rows() throws -> [LibraryRow] {
    var rows: [LibraryRow] = []
    try catalog.forEachItem(source: nil) { item in
      rows.append(LibraryRow(item, words: words))
      return true
    }
    return rows.sorted(by: LibraryRow.newestFirst)
  }

  private func writePages(_ rows: [LibraryRow], to files: SiteFiles) throws(StorageError) {
    for (name, bytes) in LibraryAssets.files { try files.put("library/\(name)", bytes) }
    let dates = DatePages(words: words)
    let parts = dates.parts(rows)
    for (index, part) in parts.enumerated() {
      try files.put(
        part.path,
        dates.page(
          part, newer: index > 0 ? parts[index - 1] : nil,
          older: index + 1 < parts.count ? parts[index + 1] : nil))
    }
    try files.put("library/dates.html", dates.overview(parts))
    try files.put(IndexPage.path, IndexPage(words: words).page(rows, months: parts))
  }
}
