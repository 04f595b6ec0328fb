import ArchiverCore
import ArchiverStorage

/// Brings the rows of the store up to date with the items of the catalog.
struct RowUpdate {
  private let store: LibraryStore
  /// The numbers of the rows whose items were not found yet, by fingerprint.
  private var others: [UInt64: Int] = [:]
  private var last = 0
  /// The status of each item that is not complete, by fingerprint.
  private(set) var statuses: [UInt64: ItemStatus] = [:]
  /// Whether rows were removed or replaced.
  private var hasRemoved = false

  init(_ store: LibraryStore) throws(StorageError) {
    self.store = store
    try store.rows("SELECT number, fingerprint FROM items") { row in
      others[row.number(1)] = row.int(0)
      last = max(last, row.int(0))
    }
  }

  /// Whether there is a row with an item's fingerprint; called once per item.
  mutating func find(_ fingerprint: UInt64) -> Bool {
    others.removeValue(forKey: fingerprint) != nil
  }

  /// Records the status of an item.
  mutating func note(_ status: ItemStatus, _ fingerprint: UInt64) {
    if status != .complete { statuses[fingerprint] = status }
  }

  /// Stores the row of an item that `find` did not find, in place of an earlier row of the item.
  mutating func add(_ row: LibraryRow) throws(StorageError) {
    var number = 0
    try store.rows("SELECT number FROM items WHERE key = ?", row.marks.key) { known in
      number = known.int(0)
    }
    if number > 0 {
      hasRemoved = true
      try removeNames(number)
    } else {
      last += 1
      number = last
    }
    let values = row.values(
      origin: try shared(row.origin), labels: try shared(row.labels))
    try store.run(
      RowUpdate.insertion,
      list: [
        number, row.traits, row.source, NaturalOrder(row.title).data, WordForms.whole([row.title]),
        WordForms.ending(row.folder),
      ] + values)
    for name in row.labels { try store.run("INSERT INTO labels VALUES (?, ?)", name, number) }
    for name in Set(row.authors) {
      try store.run("INSERT INTO authors VALUES (?, ?)", name, number)
    }
  }

  private static let insertion = {
    let columns = ["number", "traits", "source", "sort", "whole", "ending"] + LibraryRow.columns
    return """
      INSERT INTO items (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (number) DO UPDATE SET
      \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
  }()

  /// Returns the number under which shared attributes are stored; stores new ones.
  private func shared(_ value: some Encodable) throws(StorageError) -> Int {
    let text = StoredJSON.text(value)
    try store.run("INSERT OR IGNORE INTO shared (value) VALUES (?)", text)
    return try store.all("SELECT number FROM shared WHERE value = ?", text) { $0.int(0) }.first ?? 0
  }

  private func removeNames(_ number: Int) throws(StorageError) {
    for table in ["labels", "authors"] {
      try store.run("DELETE FROM \(table) WHERE number = ?", number)
    }
  }

  /// Removes the rows whose items were not found.
  mutating func finish() throws(StorageError) {
    for (fingerprint, number) in others {
      // A row that was replaced has another fingerprint.
      let row = "WHERE number = ? AND fingerprint = ?"
      try store.run(
        "DELETE FROM relations WHERE key IN (SELECT key FROM items \(row))", number, fingerprint)
      guard try store.run("DELETE FROM items \(row)", number, fingerprint) > 0 else { continue }
      hasRemoved = true
      try removeNames(number)
    }
    others = [:]
    guard hasRemoved else { return }
    try store.run(
      """
      DELETE FROM shared WHERE number NOT IN (
        SELECT origin FROM items UNION SELECT labels FROM items)
      """)
  }
}
