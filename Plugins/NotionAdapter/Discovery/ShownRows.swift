import ArchiverCore

/// The tables that pages show inline, with the state of their rows. It is part of those pages'
/// revisions, because a page's edit time does not change with the rows of an inline table.
///
/// Pages are listed before the rows are known. A page is therefore listed with its previous state,
/// and listed again at the end if its rows differ; until it is fetched, every listing repeats that.
struct ShownRows: Sendable {
  private let lastTables: [String: [String]]
  private let lastRows: [String: NotionCheckpoint.Rows]
  private var tables: [NotionID: Set<NotionID>] = [:]
  private var named: [NotionID: String] = [:]

  init(_ previous: NotionCheckpoint?) {
    lastTables = previous?.shown ?? [:]
    lastRows = previous?.rows ?? [:]
  }

  /// Records a table that a page shows.
  mutating func insert(_ source: NotionID, on page: NotionID) {
    tables[page, default: []].insert(source)
  }

  /// Keeps the previous records of tables that were not queried this time.
  mutating func keep(_ sources: Set<String>) {
    for (page, shown) in lastTables {
      guard let page = NotionID(page) else { continue }
      for source in shown where sources.contains(source) {
        if let source = NotionID(source) { insert(source, on: page) }
      }
    }
  }

  /// Returns the suffix of a page's revision in this listing.
  mutating func suffix(_ page: NotionID, _ rows: [String: NotionCheckpoint.Rows]) -> String {
    let known = tables[page].map { $0.map(\.hex) }
    let suffix = suffix(known ?? lastTables[page.hex] ?? [], rows)
    named[page] = suffix
    return suffix
  }

  /// Returns the pages that were listed with other rows than they show, once all rows are known.
  func outdated(_ rows: [String: NotionCheckpoint.Rows]) -> [NotionID] {
    named.filter { page, suffix in
      suffix != self.suffix(tables[page].map { $0.map(\.hex) } ?? [], rows)
    }.keys.sorted()
  }

  /// Drops the records of the last listing, which are obsolete once all tables were found.
  mutating func settle() {
    for page in named.keys where tables[page] == nil { tables[page] = [] }
  }

  /// The state for the next listing: the tables that each page shows.
  var checkpoint: [String: [String]]? {
    let shown = tables.filter { !$0.value.isEmpty }
    guard !shown.isEmpty else { return nil }
    return Dictionary(
      uniqueKeysWithValues: shown.map { ($0.key.hex, $0.value.map(\.hex).sorted()) })
  }

  private func suffix(_ sources: [String], _ rows: [String: NotionCheckpoint.Rows]) -> String {
    sources.sorted().compactMap { (rows[$0] ?? lastRows[$0])?.digest }.map { " \($0)" }.joined()
  }
}

extension NotionRevision {
  /// Splits the revision of a page into its own part and the suffix of `ShownRows`.
  static func parts(_ revision: String) -> (own: Substring, rows: Substring) {
    let end = revision.firstIndex(of: " ") ?? revision.endIndex
    return (revision[..<end], revision[end...])
  }
}
