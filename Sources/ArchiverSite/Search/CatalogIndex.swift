import ArchiverCore
import ArchiverStorage

/// Maintains the catalog's search index, with which `archiver search` gives the same results as the
/// library.
///
/// It has the same passages, terms and weights as the library's index, and is updated together with
/// it.
final class CatalogIndex {
  /// Part of every fingerprint; must be changed whenever the same item gives another entry.
  private static let format: UInt64 = 10
  /// The number of passages stored in one transaction, which are in memory until then. An article has one,
  /// a book a hundred.
  private static let batch = 500

  private let catalog: SQLiteCatalog
  /// The fingerprints of the entries of items that were not put yet, by the items' keys; `nil` if
  /// those in `TextState` are known to match.
  private var known: [UInt64: UInt64]?
  private var waiting: [SearchEntry] = []
  private var waitingPassages = 0

  init(_ catalog: SQLiteCatalog) {
    self.catalog = catalog
  }

  /// Begins an update.
  ///
  /// - Parameter lastMark: The mark of the index after the last update, if all items of that update still
  ///   exist; otherwise `nil`.
  func begin(_ lastMark: UInt64?) throws {
    if try catalog.isSearchWorn() { try catalog.clearSearch() }
    if try catalog.searchMark() == lastMark { return }
    var known: [UInt64: UInt64] = [:]
    known.reserveCapacity(try catalog.searchableCount())
    try catalog.forEachSearchFingerprint { key, fingerprint in
      // An invalid fingerprint matches no entry.
      known[LibraryRow.mark(key)] = UInt64(fingerprint, radix: 16) ?? 0
    }
    self.known = known
  }

  /// Returns the fingerprint of an item's entry, mixed like that of its text; `nil` without one.
  func fingerprint(of row: LibraryRow, _ entry: TextState?) -> UInt64? {
    guard let known else { return entry.map { Fingerprint.mixed($0.cataloged) } }
    return known[row.marks.key]
  }

  /// Whether an item's entry has a fingerprint.
  func isCurrent(_ entry: TextState, _ fingerprint: UInt64) -> Bool {
    guard let known else { return entry.cataloged == fingerprint }
    return known[entry.key] == Fingerprint.mixed(fingerprint)
  }

  /// Keeps the entry of an item, given by its mark; the item is not put any more.
  func keep(_ key: UInt64) { known?[key] = nil }

  /// Adds an item and stores its entry, unless the index has it already.
  func put(_ row: LibraryRow, _ entry: SearchEntry?) throws {
    keep(row.marks.key)
    guard let entry else { return }
    waiting.append(entry)
    waitingPassages += max(1, entry.passages.count)
    if waitingPassages >= CatalogIndex.batch {
      try catalog.storeSearch(waiting, removing: [])
      (waiting, waitingPassages) = ([], 0)
    }
  }

  /// Stores pending entries and removes those of items that were not put. Returns the mark of the
  /// index.
  func finish() throws -> UInt64 {
    var leftover: [ItemKey] = []
    if let known, !known.isEmpty {
      try catalog.forEachSearchFingerprint { key, _ in
        if known[LibraryRow.mark(key)] != nil { leftover.append(key) }
      }
    }
    try catalog.storeSearch(waiting, removing: leftover)
    (waiting, waitingPassages) = ([], 0)
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
      labels: row.labels.map(folding.fold), passages: passages.map(\.indexed))
  }

  /// Returns the entry of an item that is excluded from search; only the item's key is used.
  static func emptyEntry(_ row: LibraryRow, _ fingerprint: String) -> SearchEntry {
    SearchEntry(
      key: row.key, fingerprint: fingerprint, archived: row.archived, saved: minute(row.saved),
      kind: row.kind.rawValue, site: "", labels: [], passages: [])
  }

  /// The library stores times to the minute.
  private static func minute(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
  }

  /// Returns a fingerprint that distinguishes an item's entries.
  static func fingerprint(_ marks: LibraryRow.Marks, _ text: TextState) -> UInt64 {
    WordHash.add(text.fingerprint, to: WordHash.add(format, to: marks.cataloged))
  }
}
