import ArchiverCore

/// The tables that pages show inside them, and the state of their rows: a part of those pages'
/// revisions, since the stamp of a page stays when rows of a table in it change.
///
/// Pages are named before the rows are known. So a page is named as the last listing left it, and
/// again at the end when its rows are others; until it is fetched, every listing names it like that.
struct ShownRows: Sendable {
  private let lastTables: [String: [String]]
  private let lastRows: [String: NotionCheckpoint.Rows]
  private var tables: [NotionID: Set<NotionID>] = [:]
  private var named: [NotionID: String] = [:]

  init(_ previous: NotionCheckpoint?) {
    lastTables = previous?.shown ?? [:]
    lastRows = previous?.rows ?? [:]
  }

  /// Notes that a page shows a table.
  mutating func insert(_ source: NotionID, on page: NotionID) {
    tables[page, default: []].insert(source)
  }

  /// Notes that these tables are shown where they were, as they were not asked for this time.
  mutating func keep(_ sources: Set<String>) {
    for (page, shown) in lastTables {
      guard let page = NotionID(page) else { continue }
      for source in shown where sources.contains(source) {
        if let source = NotionID(source) { insert(source, on: page) }
      }
    }
  }

  /// Returns what is added to the revision of a page that is named now.
  mutating func suffix(_ page: NotionID, _ rows: [String: NotionCheckpoint.Rows]) -> String {
    let known = tables[page].map { $0.map(\.hex) }
    let suffix = suffix(known ?? lastTables[page.hex] ?? [], rows)
    named[page] = suffix
    return suffix
  }

  /// Returns the pages that were named with other rows than they show now that all are known.
  func outdated(_ rows: [String: NotionCheckpoint.Rows]) -> [NotionID] {
    named.filter { page, suffix in
      suffix != self.suffix(tables[page].map { $0.map(\.hex) } ?? [], rows)
    }.keys.sorted()
  }

  /// Forgets what only the last listing knew: nothing of it holds when all tables were met.
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
  /// Splits the revision of a page into its own and what `ShownRows` added.
  static func parts(_ revision: String) -> (own: Substring, rows: Substring) {
    let end = revision.firstIndex(of: " ") ?? revision.endIndex
    return (revision[..<end], revision[end...])
  }
}
