import Synchronization

/// A database of derived data, such as the library's. Thread-safe.
///
/// All changes are one transaction: `commit` keeps them, and the end of the connection or of the
/// process undoes them. Nothing is flushed, so a power cut may damage the file: the caller must
/// detect that and rebuild it.
package final class DerivedDatabase: Sendable {
  private let connection: Mutex<Connection>

  /// Opens or creates the file at `path`, after undoing the changes of a process that was killed.
  package init(path: String) throws(StorageError) {
    let connection = try Connection(path: path, mode: .readWrite)
    // The first read undoes the changes. Temporary data stay in memory, as the directory for files
    // may be full. Pages have four times the usual size: most statements read whole tables or
    // indexes.
    try connection.execute(
      """
      PRAGMA page_size = 16384;
      PRAGMA journal_mode = DELETE;
      PRAGMA synchronous = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -1024;
      PRAGMA secure_delete = ON;
      SELECT count(*) FROM sqlite_master;
      """)
    self.connection = Mutex(connection)
  }

  /// Opens the file at `path` for reading. Reading waits for a process that is writing, for ten seconds.
  package init(reading path: String) throws(StorageError) {
    let connection = try Connection(path: path, mode: .readOnly)
    try connection.execute("SELECT count(*) FROM sqlite_master")
    self.connection = Mutex(connection)
  }

  /// Begins the transaction, and creates the tables if there are none yet.
  package func begin(_ schema: String) throws(StorageError) {
    try connection.withLock { (connection) throws(StorageError) in
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute(schema)
    }
  }

  /// Keeps all changes; returns whether there are any.
  package func commit() throws(StorageError) -> Bool {
    try connection.withLock { (connection) throws(StorageError) -> Bool in
      try connection.execute("COMMIT")
      return connection.totalChanges > 0
    }
  }

  /// Calls `body`, which must not use the database, for each row of a statement's result.
  package func rows(
    _ sql: String, _ values: [any SQLValue] = [],
    _ body: (Statement) throws(StorageError) -> Void
  ) throws(StorageError) {
    try connection.withLock { (connection) throws(StorageError) in
      try connection.rows(sql, values, body)
    }
  }

  /// Calls `body`, which must not use the database, for each row that a statement with one parameter
  /// gives for each of the values, in their order.
  package func rows(
    _ sql: String, each values: some Sequence<any SQLValue>,
    _ body: (Statement) throws(StorageError) -> Void
  ) throws(StorageError) {
    try connection.withLock { (connection) throws(StorageError) in
      let statement = try connection.prepare(sql)
      defer { statement.reset() }
      for value in values {
        statement.reset()
        try statement.bind([value])
        while try statement.step() { try body(statement) }
      }
    }
  }

  /// Runs a statement without a result, and returns the number of rows that it changed.
  @discardableResult
  package func run(_ sql: String, _ values: [any SQLValue] = []) throws(StorageError) -> Int {
    try connection.withLock { (connection) throws(StorageError) -> Int in
      try connection.rows(sql, values) { _ in }
      return connection.changes
    }
  }
}
