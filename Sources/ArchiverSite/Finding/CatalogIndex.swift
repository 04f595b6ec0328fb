import ArchiverCore
import ArchiverStorage

/// Keeps the search index of the catalog, by which `archiver search` finds what the library finds.
///
/// It is made of the same passages, terms and weights as the library's own, at the same time.
final class CatalogIndex {
  /// Part of every fingerprint; to be changed whenever the same item would give another entry.
  private static let format: UInt64 = 7
  /// Items stored in one transaction.
  private static let batch = 500

  private let catalog: any SearchCatalog
  /// The fingerprints of the entries of items not put yet, by the items' keys; `nil` if those in
  /// `TextState` are known to match.
  private var known: [UInt64: UInt64]?
  private var waiting: [SearchEntry] = []

  init(_ catalog: any SearchCatalog) {
    self.catalog = catalog
  }

  /// Begins with the mark that the index had when the last update left it, all whose items are still
  /// there; `nil` when that is not known.
  func begin(_ lastMark: UInt64?) throws {
    if try catalog.isSearchWorn() { try catalog.clearSearch() }
    if try catalog.searchMark() == lastMark { return }
    var known: [UInt64: UInt64] = [:]
    known.reserveCapacity(try catalog.searchableCount())
    try catalog.forEachSearchFingerprint { key, fingerprint in
      // What is no number of ours is that of no entry.
      known[LibraryRow.mark(key)] = UInt64(fingerprint, radix: 16) ?? 0
    }
    self.known = known
  }

  /// Returns the fingerprint of an item's entry, mixed as its text is; `nil` when it has none.
  func fingerprint(of row: LibraryRow, _ entry: TextState.Entry?) -> UInt64? {
    guard let known else { return entry.map { Fingerprint.mixed($0.cataloged) } }
    return known[row.marks.key]
  }

  /// Whether an item's entry has a fingerprint.
  func isCurrent(_ row: LibraryRow, _ entry: TextState.Entry, _ fingerprint: UInt64) -> Bool {
    guard let known else { return entry.cataloged == fingerprint }
    return known[row.marks.key] == Fingerprint.mixed(fingerprint)
  }

  /// Says that the entry of an item, given by its mark, stays; it is not asked for any more.
  func keep(_ key: UInt64) { known?[key] = nil }

  /// Names an item of the archive and stores its entry, unless that is there already.
  func put(_ row: LibraryRow, _ entry: SearchEntry?) throws {
    keep(row.marks.key)
    guard let entry else { return }
    waiting.append(entry)
    if waiting.count == CatalogIndex.batch {
      try catalog.storeSearch(waiting, removing: [])
      waiting = []
    }
  }

  /// Stores what is left to store and removes the entries of items that were not named. Returns the
  /// mark of the index.
  func finish() throws -> UInt64 {
    var leftover: [ItemKey] = []
    if let known, !known.isEmpty {
      try catalog.forEachSearchFingerprint { key, _ in
        if known[LibraryRow.mark(key)] != nil { leftover.append(key) }
      }
    }
    try catalog.storeSearch(waiting, removing: leftover)
    waiting = []
    return try catalog.searchMark()
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

  /// The entry of an item that is left out of search; nothing of the item but its key is read for it.
  static func emptyEntry(_ row: LibraryRow, _ fingerprint: String) -> SearchEntry {
    SearchEntry(
      key: row.key, fingerprint: fingerprint, archived: row.archived, saved: minute(row.saved),
      kind: row.kind.rawValue, site: "", labels: [], passages: [])
  }

  /// The library knows when an item was saved to the minute.
  private static func minute(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
  }

  /// Returns what tells an item's entry from another.
  static func fingerprint(_ row: LibraryRow, _ text: TextState.Entry) -> UInt64 {
    WordHash.add(text.fingerprint, to: WordHash.add(format, to: row.marks.cataloged))
  }
}
