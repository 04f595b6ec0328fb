import ArchiverCore
import ArchiverStorage

/// Keeps the search index of the catalog, by which `archiver search` finds what the library finds.
///
/// It is made of the same passages, terms and weights as the library's own, at the same time.
struct CatalogIndex {
  /// Part of every fingerprint; to be changed whenever the same item would give another entry.
  private static let format = "2"
  /// Items stored in one transaction.
  private static let batch = 500

  let catalog: any SearchCatalog
  let files: SiteFiles

  /// Brings the index up to date with all items of the archive.
  func update(_ rows: [LibraryRow], _ state: TextState) throws {
    if try catalog.isSearchWorn() { try catalog.clearSearch() }
    var known = try catalog.searchFingerprints()
    var entries: [SearchEntry] = []
    for row in rows {
      let fingerprint = CatalogIndex.fingerprint(row, state)
      if known.removeValue(forKey: row.key) == fingerprint { continue }
      entries.append(entry(row, fingerprint, state))
      if entries.count == CatalogIndex.batch {
        try catalog.storeSearch(entries, removing: [])
        entries = []
      }
    }
    try catalog.storeSearch(entries, removing: Array(known.keys))
  }

  private func entry(_ row: LibraryRow, _ fingerprint: String, _ state: TextState) -> SearchEntry {
    let count = state.entries[row.stateKey]?.passageCount ?? 1
    let passages = (0..<count).map { number in
      let path = SearchIndex.textPath(row.textName, number)
      let text = ScriptData.lastString(files.current(path) ?? []) ?? ""
      return PassageTerms.weighted(text, title: number == 0 ? row.searchedTitle : "")
    }
    let folding = Folding.shared
    return SearchEntry(
      key: row.key, fingerprint: fingerprint, archived: row.archived,
      saved: CatalogIndex.minute(row.saved), kind: row.kind.rawValue,
      site: [row.site, row.host].compactMap { $0.map(folding.fold) }.joined(separator: "\n"),
      labels: row.labels.map(folding.fold), passages: passages)
  }

  /// The library knows when an item was saved to the minute.
  private static func minute(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
  }

  private static func fingerprint(_ row: LibraryRow, _ state: TextState) -> String {
    var hash = Fingerprint.of(format)
    let text = state.entries[row.stateKey]?.fingerprint ?? ""
    let dates = "\(row.archived.timeIntervalSince1970) \(row.saved.timeIntervalSince1970)"
    let facts = [text, row.title, row.kind.rawValue, row.site ?? "", row.host ?? "", dates]
    for part in facts + row.authors + [""] + row.labels {
      hash = Fingerprint.of(part.utf8, from: hash)
      hash = Fingerprint.of([0], from: hash)
    }
    return Fingerprint.text(hash)
  }
}

extension LibraryRow {
  /// What counts as the title in search.
  var searchedTitle: String { ([title] + authors).joined(separator: " ") }
}
