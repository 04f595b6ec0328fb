import ArchiverCore

// The index: a row of `passages` is a passage; its rowid combines the item's number in `searchable`
// and the passage's number. The table stores no text, so single rows cannot be deleted; they become
// unreachable and stay until `clearSearch`.
//
// Contract:
// 1. `storeSearch` and `clearSearch` are each one transaction.
// 2. An entry replaces the one of the same key. Removing an item from the catalog removes its entry.
// 3. `searching` sees one snapshot of the catalog however long it takes, also while a writer commits.
extension SQLiteCatalog {
  package var searchIndex: SQLiteCatalog? { self }

  /// Calls `body` with the key and the fingerprint of each entry, in no order.
  package func forEachSearchFingerprint(
    _ body: (ItemKey, String) -> Void
  ) throws(StorageError) {
    try read { (db) throws(StorageError) in
      try db.rows("SELECT source, id, fingerprint FROM searchable", []) { row in
        body(ItemKey(source: row.text(0), id: row.text(1)), row.text(2))
      }
    }
  }

  /// Counts the entries.
  package func searchableCount() throws(StorageError) -> Int {
    try read { (db) throws(StorageError) in
      try db.first("SELECT count(*) FROM searchable", []) { $0.int(0) } ?? 0
    }
  }

  /// Returns the generation of the index, which changes with every change of the entries.
  package func searchMark() throws(StorageError) -> UInt64 {
    // A new or replaced entry takes a new number; a removed one lowers the count.
    let (count, last) = (try searchableCount(), try lastSearchNumber())
    return WordHash.add(UInt64(last), to: WordHash.add(UInt64(count), to: 0))
  }

  /// Whether replaced and removed entries have left so many stale rows that the index should be
  /// cleared and rebuilt.
  package func isSearchWorn() throws(StorageError) -> Bool {
    let count = try searchableCount()
    return try lastSearchNumber() - count > max(500, count / 2)
  }

  /// Returns the highest number of any entry since `clearSearch`.
  private func lastSearchNumber() throws(StorageError) -> Int {
    try read { (db) throws(StorageError) in
      try db.first("SELECT seq FROM sqlite_sequence WHERE name = 'searchable'", []) { $0.int(0) }
        ?? 0
    }
  }

  package func storeSearch(
    _ entries: [SearchEntry], removing: [ItemKey]
  ) throws(StorageError) {
    guard !entries.isEmpty || !removing.isEmpty else { return }
    try write("store search") { (db) throws(StorageError) in
      for key in removing + entries.map(\.key) {
        try db.run("DELETE FROM searchable WHERE source = ? AND id = ?", key.source, key.id)
      }
      for entry in entries { try store(entry, db) }
    }
  }

  package func clearSearch() throws(StorageError) {
    try write("clear search") { (db) throws(StorageError) in
      try db.run("DELETE FROM searchable")
      try db.run("INSERT INTO passages (passages) VALUES ('delete-all')")
      // No row is left, so numbers may start over.
      try db.run("DELETE FROM sqlite_sequence WHERE name = 'searchable'")
    }
  }

  package func searching<Value>(_ body: (SearchSnapshot) throws -> Value) throws -> Value {
    let db = try snapshot()
    // Only a writer may migrate a catalog of an earlier version.
    guard try Schema.check(db) >= Schema.searchVersion else { return try body(SearchSnapshot(nil)) }
    // A temporary table, which only reads the index.
    try db.execute(
      """
      PRAGMA query_only = OFF;
      CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'passages', 'row');
      PRAGMA query_only = ON;
      BEGIN;
      """)
    defer { try? db.execute("COMMIT") }  // the connection closes with it either way
    return try body(SearchSnapshot(db))
  }

  private func store(_ entry: SearchEntry, _ db: Connection) throws(StorageError) {
    try db.run(
      """
      INSERT INTO searchable (source, id, fingerprint, archived, saved, kind, site, labels)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, entry.key.source, entry.key.id, entry.fingerprint, entry.archived, entry.saved,
      entry.kind, entry.site, entry.labels.map { "\n\($0)\n" }.joined())
    let number = db.lastInsertedRow
    for (index, terms) in entry.passages.enumerated() where !terms.isEmpty {
      try db.run(
        "INSERT INTO passages (rowid, terms) VALUES (?, ?)",
        PassageReference(item: number, passage: index).row, terms)
    }
  }
}

/// A snapshot of a catalog's search index.
package struct SearchSnapshot {
  /// An indexed item, in the order of archiving.
  package struct Item: Sendable, Hashable {
    package let number: Int
    package let passes: Bool
  }

  private let db: Connection?

  /// Without a connection, the empty index of a catalog that has none yet.
  init(_ db: Connection?) {
    self.db = db
  }

  /// Whether items are missing from the index, as before the first run of a version that has one.
  package func lacksItems() throws(StorageError) -> Bool {
    guard let db else { return true }
    return try db.first(
      "SELECT (SELECT count(*) FROM items) > (SELECT count(*) FROM searchable)", []
    ) { $0.bool(0) } ?? false
  }

  /// Returns the names of the sources.
  package func sources() throws(StorageError) -> [String] {
    var names: [String] = []
    try db?.rows("SELECT DISTINCT source FROM searchable ORDER BY source", []) { row in
      names.append(row.text(0))
    }
    return names
  }

  /// Returns every item, with whether it passes a filter and matches nothing of an exclusion.
  package func items(
    _ filter: SearchFilter, except excluded: SearchFilter = SearchFilter()
  ) throws(StorageError) -> [Item] {
    guard let db else { return [] }
    let condition = SearchCondition(filter, except: excluded)
    var items: [Item] = []
    try db.rows(
      "SELECT number, \(condition.sql) FROM searchable ORDER BY archived, source, id",
      condition.values
    ) { row in
      items.append(Item(number: row.int(0), passes: row.bool(1)))
    }
    return items
  }

  /// Returns the numbers of the items that pass a filter and match nothing of an exclusion, last
  /// saved first.
  package func newest(
    _ filter: SearchFilter, except excluded: SearchFilter = SearchFilter()
  ) throws(StorageError) -> [Int] {
    guard let db else { return [] }
    let condition = SearchCondition(filter, except: excluded)
    var numbers: [Int] = []
    try db.rows(
      """
      SELECT number FROM searchable WHERE \(condition.sql)
      ORDER BY saved DESC, archived DESC, source DESC, id DESC
      """, condition.values
    ) { row in numbers.append(row.int(0)) }
    return numbers
  }

  /// Calls `body` with the passages that contain any of the terms, or a term with one of these
  /// prefixes, in order.
  package func passages(
    _ terms: [String], isPrefix: Bool, _ body: (PassageReference) -> Void
  ) throws(StorageError) {
    try passages(ofAll: [[Wanted(texts: terms, isPrefix: isPrefix)]], body)
  }

  /// Returns the terms with a prefix, in the order of their bytes; some may be of removed items only.
  package func terms(from prefix: String) throws(StorageError) -> [String] {
    var terms: [String] = []
    try db?.rows(
      "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ?",
      [prefix, prefix + "\u{10FFFF}"]
    ) { terms.append($0.text(0)) }
    return terms
  }

  /// A group of terms, any of which matches.
  package struct Wanted: Sendable, Hashable {
    let texts: [String]
    let isPrefix: Bool

    /// - Parameters:
    ///   - texts: The terms.
    ///   - isPrefix: Whether they are prefixes.
    package init(texts: [String], isPrefix: Bool) {
      self.texts = texts
      self.isPrefix = isPrefix
    }

    /// Inside quotes nothing is an operator of the query language.
    var query: String {
      texts.map { "\"\($0.filter { $0 != "\"" })\"\(isPrefix ? " *" : "")" }
        .joined(separator: " OR ")
    }
  }

  /// Calls `body` with the passages that match each group, in order.
  ///
  /// - Parameters:
  ///   - groups: The groups of terms; any term of each must match.
  ///   - body: Called once for each passage.
  package func passages(
    ofAll groups: [[Wanted]], _ body: (PassageReference) -> Void
  ) throws(StorageError) {
    guard let db, !groups.isEmpty else { return }
    let query = groups.map { "(\($0.map(\.query).joined(separator: " OR ")))" }
      .joined(separator: " AND ")
    try db.rows("SELECT rowid FROM passages WHERE passages MATCH ?", [query]) { row in
      body(PassageReference(row: row.int(0)))
    }
  }

  /// Returns the item with a number; `nil` if it was removed.
  package func item(_ number: Int) throws(StorageError) -> CatalogItem? {
    try db?.first(
      """
      SELECT \(SQLiteCatalog.itemColumns) FROM items
      WHERE (source, id) = (SELECT source, id FROM searchable WHERE number = ?)
      """, [number]
    ) { (row) throws(StorageError) in try SQLiteCatalog.item(row) }
  }
}

/// A filter as SQL.
private struct SearchCondition {
  private(set) var values: [any SQLValue] = []
  private var parts: [String] = []

  var sql: String { parts.isEmpty ? "1" : parts.joined(separator: " AND ") }

  init(_ filter: SearchFilter, except excluded: SearchFilter) {
    self.init(filter)
    guard !excluded.isEmpty else { return }
    let exception = SearchCondition(excluded)
    parts.append("NOT (\(exception.parts.joined(separator: " OR ")))")
    values += exception.values
  }

  private init(_ filter: SearchFilter) {
    for names in filter.labels {
      let named = names.filter { !$0.isEmpty }
      let none = named.count < names.count ? ["labels = ''"] : []
      let tests = named.map { _ in "instr(labels, ?) > 0" } + none
      parts.append("(\(tests.joined(separator: " OR ")))")
      values += named.map { "\n\($0)\n" }
    }
    if filter.isUnlabelled { parts.append("labels = ''") }
    any("instr(site, ?) > 0", filter.sites)
    any("source = ?", filter.sources)
    any("kind = ?", filter.kinds)
    for date in filter.before { all("saved < ?", date) }
    for date in filter.after { all("saved >= ?", date) }
    guard !filter.within.isEmpty else { return }
    parts.append(either("saved >= ? AND saved < ?", filter.within.count))
    values += filter.within.flatMap { [$0.lowerBound, $0.upperBound] }
  }

  private mutating func any(_ test: String, _ wanted: [String]) {
    guard !wanted.isEmpty else { return }
    parts.append(either(test, wanted.count))
    values += wanted
  }

  private mutating func all(_ test: String, _ date: Date) {
    parts.append(test)
    values.append(date)
  }

  private func either(_ test: String, _ count: Int) -> String {
    "(" + Array(repeating: test, count: count).joined(separator: " OR ") + ")"
  }
}
