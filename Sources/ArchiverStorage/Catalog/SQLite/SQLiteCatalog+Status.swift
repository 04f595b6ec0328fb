import ArchiverCore

extension SQLiteCatalog {
  /// Returns the queue's state of an item; `nil` if it has no entry.
  package func queueState(_ key: ItemKey) throws(StorageError) -> QueueState? {
    try read { (db) throws(StorageError) in
      try db.first(
        "SELECT \(try stateColumns(db)) FROM queue WHERE source = ? AND id = ?",
        [key.source, key.id]
      ) { SQLiteCatalog.state($0) }
    }
  }

  package func statesOfArchived() throws(StorageError) -> [ItemKey: QueueState] {
    try read { (db) throws(StorageError) in
      var found: [ItemKey: QueueState] = [:]
      try db.rows(
        """
        SELECT source, id, \(try stateColumns(db)) FROM queue WHERE EXISTS (
          SELECT 1 FROM items WHERE items.source = queue.source AND items.id = queue.id)
        """, []
      ) { (row) throws(StorageError) in
        found[SQLiteCatalog.key(row)] = SQLiteCatalog.state(row, from: 2)
      }
      return found
    }
  }

  /// Calls `body` with each tracked item that is not archived, newest first, until it returns
  /// false.
  package func forEachAbsent(
    source: String?, _ body: (AbsentItem) throws -> Bool
  ) throws {
    let db = try snapshot()
    let rows = try db.prepare(
      """
      SELECT source, id, title, date, \(try stateColumns(db)) FROM queue
      WHERE (?1 IS NULL OR source = ?1) AND NOT EXISTS (
        SELECT 1 FROM items WHERE items.source = queue.source AND items.id = queue.id)
      ORDER BY date DESC, id
      """)
    try rows.bind([source])
    while try rows.step() {
      let item = AbsentItem(
        key: SQLiteCatalog.key(rows), title: rows.text(2), date: rows.optionalDate(3),
        state: SQLiteCatalog.state(rows, from: 4))
      guard try body(item) else { return }
    }
  }

  /// Returns the keys of items, archived or not, with this id or this folder.
  package func keys(named name: String, source: String?) throws(StorageError) -> [ItemKey] {
    try all(
      """
      SELECT source, id FROM items WHERE (id = ?1 OR folder = ?1) AND (?2 IS NULL OR source = ?2)
      UNION SELECT source, id FROM queue WHERE id = ?1 AND (?2 IS NULL OR source = ?2)
      """, [name, source], SQLiteCatalog.key)
  }

  /// Returns the columns that `state` reads. The `fetching` flag of a killed run counts only while
  /// a process holds the lock.
  private func stateColumns(_ db: Connection) throws(StorageError) -> String {
    let isAtWork = try SQLiteCatalog.has("pins", db) && ArchiveLock.isHeld(besides: path)
    let fetching = isAtWork ? "fetching" : "0"
    return "reason, attempts, \(SQLiteCatalog.isLeftOut), \(fetching), failure, next_attempt"
  }

  /// Reads the columns of `stateColumns`, starting at this column.
  private static func state(_ row: Statement, from first: Int32 = 0) -> QueueState {
    QueueState(
      reason: WorkReason(rawValue: row.text(first)) ?? .changed, attempts: row.int(first + 1),
      isLeftOut: row.bool(first + 2), isFetching: row.bool(first + 3),
      message: row.optionalText(first + 4), nextAttempt: row.optionalDate(first + 5))
  }
}
