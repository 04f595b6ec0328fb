import ArchiverCore
import ArchiverStorage

/// Keeps the search index of the catalog, by which `archiver search` finds what the library finds.
///
/// It is made of the same passages, terms and weights as the library's own, at the same time.
final class CatalogIndex {
  /// Part of every fingerprint; to be changed whenever the same item would give another entry.
  private static let format = "2"
  /// Items stored in one transaction.
  private static let batch = 500

  private let catalog: any SearchCatalog
  private let known: [ItemKey: String]
  /// Entries of items that nobody has named.
  private var leftover: [ItemKey: String]
  private var waiting: [SearchEntry] = []

  init(_ catalog: any SearchCatalog) throws {
    self.catalog = catalog
    if try catalog.isSearchWorn() { try catalog.clearSearch() }
    known = try catalog.searchFingerprints()
    leftover = known
  }

  /// Returns the fingerprint of an item's entry; `nil` when it has none.
  func fingerprint(of key: ItemKey) -> String? { known[key] }

  /// Whether an item's entry is what it would be if it were made now.
  func isCurrent(_ row: LibraryRow, _ state: TextState.Entry) -> Bool {
    known[row.key] == CatalogIndex.fingerprint(row, state)
  }

  /// Names an item of the archive and stores its entry, unless that is there already.
  func put(_ key: ItemKey, _ entry: SearchEntry?) throws {
    leftover[key] = nil
    guard let entry else { return }
    waiting.append(entry)
    if waiting.count == CatalogIndex.batch {
      try catalog.storeSearch(waiting, removing: [])
      waiting = []
    }
  }

  /// Stores what is left to store and removes the entries of items that were not named.
  func finish() throws {
    try catalog.storeSearch(waiting, removing: Array(leftover.keys))
    waiting = []
    leftover = [:]
  }

  static func entry(
    _ row: LibraryRow, _ fingerprint: String, _ passages: [PassageTerms]
  ) -> SearchEntry {
    let folding = Folding.shared
    return SearchEntry(
      key: row.key, fingerprint: fingerprint, archived: row.archived, saved: minute(row.saved),
      kind: row.kind.rawValue,
      site: [row.site, row.host].compactMap { $0.map(folding.fold) }.joined(separator: "\n"),
      labels: row.labels.map(folding.fold), passages: passages.map(\.entries))
  }

  /// The library knows when an item was saved to the minute.
  private static func minute(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
  }

  static func fingerprint(_ row: LibraryRow, _ state: TextState.Entry) -> String {
    var hash = Fingerprint.of(format)
    let dates = "\(row.archived.timeIntervalSince1970) \(row.saved.timeIntervalSince1970)"
    let facts = [
      state.fingerprint, row.title, row.kind.rawValue, row.site ?? "", row.host ?? "", dates,
    ]
    for part in facts + row.authors + [""] + row.labels {
      hash = Fingerprint.of(part.utf8, from: hash)
      hash = Fingerprint.of([0], from: hash)
    }
    return Fingerprint.text(hash)
  }
}
