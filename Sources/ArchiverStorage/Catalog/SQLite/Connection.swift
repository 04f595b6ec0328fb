import ArchiverCore
import CSQLite

/// One SQLite connection with its prepared statements.
///
/// Unchecked: it is opened with `SQLITE_OPEN_NOMUTEX`, which allows use from any thread but from
/// one at a time (https://sqlite.org/threadsafe.html, "multi-thread"). Every use is inside the
/// catalog's `Mutex` or of a connection that never leaves a function.
final class Connection: @unchecked Sendable {
  let path: String
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// Interrupts steps that take too long. Only for readers: the data written must not depend on the
  /// speed of a disk.
  private let clock: StepClock?

  /// The busy timeout in milliseconds.
  private static let patience: Int32 = 10_000

  enum Mode {
    case readWrite
    case readOnly
    /// For a read-only medium: no lock, no shared memory, no WAL.
    case immutable
  }

  /// - Parameter stepLimit: The maximum time of one step of a reading statement.
  /// - Parameter vfs: The name of an SQLite VFS; `nil` for the default one.
  init(
    path: String, mode: Mode, stepLimit: Duration = .seconds(60), vfs: String? = nil
  ) throws(StorageError) {
    var opened: OpaquePointer?
    let shared = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
    let access =
      mode == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let name = Connection.uri(path) + (mode == .immutable ? "?immutable=1" : "")
    let result = sqlite3_open_v2(name, &opened, shared | access, vfs)
    guard result == SQLITE_OK, let opened else {
      let error = StorageError.sqlite(result, opened, path)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    self.path = path
    clock = mode == .readWrite ? nil : StepClock(limit: stepLimit)
    clock?.watch(opened)
    sqlite3_busy_timeout(opened, Connection.patience)
    Connection.distrust(opened)
  }

  /// Disables features that a malicious file could abuse: the catalog may be part of a foreign
  /// archive (https://sqlite.org/security.html). Options that an old SQLite lacks are skipped.
  private static func distrust(_ handle: OpaquePointer) {
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ] {
      _ = archiver_sqlite_set(handle, Int32(option), Int32(value))
    }
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Returns the cached prepared statement for a text, reset and ready to be bound.
  func prepare(_ sql: String) throws(StorageError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    let statement = try Statement(sql, handle, path: path, clock: clock)
    statements[sql] = statement
    return statement
  }

  /// Runs a statement to its end.
  func run(_ sql: String, _ values: any SQLValue...) throws(StorageError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Calls `body` for each row.
  func rows(
    _ sql: String, _ values: [any SQLValue], _ body: (Statement) throws(StorageError) -> Void
  ) throws(StorageError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { try body(statement) }
  }

  /// Returns the result of `body` for the first row; `nil` if there is none.
  func first<Value>(
    _ sql: String, _ values: [any SQLValue], _ body: (Statement) throws(StorageError) -> Value
  ) throws(StorageError) -> Value? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? try body(statement) : nil
  }

  /// Returns the results of `body` for all rows.
  func all<Value>(
    _ sql: String, _ values: [any SQLValue] = [],
    _ body: (Statement) throws(StorageError) -> Value
  ) throws(StorageError) -> [Value] {
    var found: [Value] = []
    try rows(sql, values) { (row) throws(StorageError) in found.append(try body(row)) }
    return found
  }

  /// Returns the number in the only row of an aggregate.
  func number(_ sql: String, _ values: [any SQLValue] = []) throws(StorageError) -> Int {
    try first(sql, values) { $0.int(0) } ?? 0
  }

  /// Whether there is a row.
  func has(_ sql: String, _ values: [any SQLValue] = []) throws(StorageError) -> Bool {
    try first(sql, values) { _ in true } ?? false
  }

  /// Runs several statements given in one text, without values.
  func execute(_ script: String) throws(StorageError) {
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw .sqlite(result, handle, path) }
  }

  /// Checkpoints and truncates the WAL. Does less, without blocking, if another connection reads
  /// what it needs (https://sqlite.org/c3ref/wal_checkpoint_v2.html).
  func emptyLog() {
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, Connection.patience) }
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Releases unneeded cache pages (https://sqlite.org/c3ref/db_release_memory.html).
  func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// The number of rows changed by the last statement.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The number of rows changed since the connection was opened.
  var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  /// The id of the row inserted last.
  var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Runs `body` in a transaction: all of it or nothing.
  func transaction<Value>(
    _ body: () throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try execute("BEGIN IMMEDIATE")
    do throws(StorageError) {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")  // fails only when SQLite has rolled back already
      throw error
    }
  }

  /// A path as a URI filename (https://sqlite.org/uri.html). By scalars: to Swift a question mark and a
  /// combining mark after it are one character.
  private static func uri(_ path: String) -> String {
    // If a path began with two slashes, the second would begin the name of a host.
    var escaped = path.hasPrefix("/") ? "file://" : "file:"
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "?": escaped += "%3f"
      case "#": escaped += "%23"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
