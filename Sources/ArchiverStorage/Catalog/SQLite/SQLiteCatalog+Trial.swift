import ArchiverCore
import CSQLite

// An in-memory catalog for dry runs, which thereby take the steps of a real run.
extension SQLiteCatalog {
  /// The tables that a plan depends on; each has a column `source`.
  private static let planned = ["items", "queue", "checkpoints", "runs", "pins", "discovery"]

  /// Returns an in-memory catalog with another's items, queue, checkpoints, runs and pins of some
  /// sources. Takes about 2 KB of memory per item.
  ///
  /// - Parameter other: `nil` for an archive that does not exist yet.
  /// - Parameter sources: The names of the sources to plan.
  package static func trial(
    of other: SQLiteCatalog?, sources: [String]
  ) throws(StorageError) -> SQLiteCatalog {
    let connection = try Connection(path: ":memory:", mode: .readWrite)
    try Schema.migrate(connection)
    if let other { try other.copy(SQLiteCatalog.planned, of: sources, to: connection) }
    return SQLiteCatalog(inMemory: connection)
  }

  private func copy(
    _ tables: [String], of sources: [String], to target: Connection
  ) throws(StorageError) {
    try read { (db) throws(StorageError) in
      try db.execute("BEGIN")
      // Ending a read transaction cannot lose anything.
      defer { try? db.execute("COMMIT") }
      try target.transaction { () throws(StorageError) in
        for table in tables {
          // A catalog of an earlier version lacks some columns.
          let columns = try db.columns(of: table)
          guard !columns.isEmpty else { continue }
          for source in sources {
            try db.copyRows(of: table, columns, source: source, to: target)
          }
        }
      }
    }
  }
}

extension Connection {
  /// Returns the names of a table's columns; empty if there is no such table.
  fileprivate func columns(of table: String) throws(StorageError) -> [String] {
    try all("SELECT name FROM pragma_table_info(?)", [table]) { $0.text(0) }
  }

  fileprivate func copyRows(
    of table: String, _ columns: [String], source: String, to target: Connection
  ) throws(StorageError) {
    let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let insertion = try target.prepare("INSERT INTO \(table) (\(list)) VALUES (\(places))")
    defer { insertion.reset() }
    try rows("SELECT \(list) FROM \(table) WHERE source = ?", [source]) {
      (row) throws(StorageError) in
      insertion.reset()
      try insertion.bind(row: row, columns: columns.count)
      _ = try insertion.step()
    }
  }
}
