import ArchiverCore
import Synchronization

/// The catalog in `.archiver/catalog.sqlite`: the archived items, and the queue of items to fetch.
///
/// Contract, each sentence checked by the conformance suite:
/// 1. Every method is one transaction: after a crash it has happened completely or not at all.
/// 2. Methods may be called from any thread; calls are serialised.
/// 3. `enqueue` compares each reference with the archived revision: unknown ids become `.new`,
///    differing revisions `.changed`, equal ones leave the queue unless they are `.incomplete`.
/// 4. A reference delivered again replaces its queue entry; attempts start over if the revision
///    differs from the queued one, and stay otherwise.
/// 5. `work` returns entries newest first by the reference's date, those without date last, then by id.
/// 6. Reads see every write that returned before.
///
/// What a power cut may lose, and why that is acceptable:
/// 1. The WAL is written in the order of the transactions and read up to the last complete one, so only
///    the newest transactions are lost, never one from between.
/// 2. A page's checkpoint is in the page's own transaction, so it never outlives the queue entries it
///    covers. Therefore `synchronous=NORMAL`, without a flush per page, suffices.
/// 3. Where the order relative to the bundles matters, `Archive.publish` flushes the file system that
///    the catalog is on; SQLite need not flush.
package final class SQLiteCatalog: LibraryCatalog {
  let path: String
  let isReadOnly: Bool
  let fileSystem: FileSystem
  let objectExists: @Sendable (StoredObject) -> Bool
  private let connection: LockedConnection
  /// The connection for lookups while `connection` is in a transaction; the same one if the catalog is read-only.
  private let reader: LockedConnection

  /// Opens or, for writing, creates a catalog.
  ///
  /// `objectExists` returns whether the pool has an object. A read-only catalog sees each state
  /// that a writer in another process committed.
  package convenience init(
    path: String, isReadOnly: Bool = false,
    objectExists: @escaping @Sendable (StoredObject) -> Bool = { _ in true }
  ) throws(StorageError) {
    try self.init(
      path: path, isReadOnly: isReadOnly, fileSystem: FileSystem(faults: nil),
      objectExists: objectExists)
  }

  init(
    path: String, isReadOnly: Bool, fileSystem: FileSystem,
    objectExists: @escaping @Sendable (StoredObject) -> Bool
  ) throws(StorageError) {
    self.path = path
    self.isReadOnly = isReadOnly
    self.fileSystem = fileSystem
    self.objectExists = objectExists
    connection = LockedConnection(
      try isReadOnly ? SQLiteCatalog.reading(path) : SQLiteCatalog.writing(path))
    reader = try isReadOnly ? connection : LockedConnection(SQLiteCatalog.lookingUp(path))
  }

  /// Wraps a connection to an in-memory database, which no other connection can read.
  init(inMemory connection: sending Connection) {
    path = connection.path
    isReadOnly = false
    fileSystem = FileSystem(faults: nil)
    objectExists = { _ in true }
    self.connection = LockedConnection(connection)
    reader = self.connection
  }

  /// Opens a catalog for writing. The page cache holds most pages that a batch dirties: several per
  /// image, scattered. A smaller cache spills pages to the WAL and rereads them within the
  /// transaction.
  static func writing(_ path: String, vfs: String? = nil) throws(StorageError) -> Connection {
    let connection = try connected(path, vfs)
    try connection.execute(
      """
      PRAGMA journal_size_limit = 16777216;
      PRAGMA cache_size = -1024;
      PRAGMA temp.cache_size = -256;
      """)
    try Schema.migrate(connection)
    return connection
  }

  /// Opens a catalog for writing with a WAL or, if that is impossible, with a rollback journal.
  ///
  /// A WAL needs shared memory, which some network and FUSE file systems lack. With a rollback
  /// journal each transaction is flushed, and readers and writers block each other. A catalog that
  /// has a journal keeps it.
  private static func connected(_ path: String, _ vfs: String?) throws(StorageError) -> Connection {
    do throws(StorageError) {
      if let connection = try withLog(path, vfs) { return connection }
    } catch {
      guard error.code == .io || error.code == .notWritable else { throw error }
      do throws(StorageError) {
        return try withJournal(path, vfs)
      } catch _ {
        throw error
      }
    }
    return try withJournal(path, vfs)
  }

  /// Returns `nil` if SQLite knows that a WAL is impossible here.
  private static func withLog(_ path: String, _ vfs: String?) throws(StorageError) -> Connection? {
    let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
    let mode = try connection.first("PRAGMA journal_mode = WAL", []) { $0.text(0) }
    guard mode == "wal" else { return nil }
    // This maps the shared memory and writes to it.
    try connection.execute("PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; ROLLBACK")
    return connection
  }

  private static func withJournal(
    _ path: String, _ vfs: String?
  ) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
    // With an exclusive lock a connection can read a WAL without shared memory
    // (https://sqlite.org/wal.html#noshm).
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    let mode = try connection.first("PRAGMA journal_mode = DELETE", []) { $0.text(0) }
    guard mode == "delete" else {
      throw StorageError(.io, "\(path) supports neither a WAL nor a journal")
    }
    try connection.execute(
      """
      PRAGMA locking_mode = NORMAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_spill = OFF;
      """)
    // The lock is released by the next read.
    try Schema.check(connection)
    return connection
  }

  /// A connection with write access: the last connection that closes checkpoints and removes the
  /// WAL, which contains deleted data; a read-only one would leave it.
  private static func lookingUp(_ path: String) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -256;")
    return connection
  }

  /// Opens a catalog for reading. In a directory without write permission there is no shared memory
  /// for the WAL, but no writer either. The same holds for a full disk, where nothing is lost if
  /// the WAL is empty.
  static func reading(_ path: String) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readOnly)
    do throws(StorageError) {
      try requireTables(connection)
      return connection
    } catch {
      // A journal exists before the first table is created; later only without a WAL.
      if error.code != .notFound, hasBytes(path + "-journal"), !hasVersion(path) {
        throw notFound(path)
      }
      let isReadable = error.code == .full && !hasBytes(path + "-wal")
      guard error.code == .notWritable || isReadable else { throw error }
      let connection = try Connection(path: path, mode: .immutable)
      try requireTables(connection)
      return connection
    }
  }

  /// Fails with `.notFound` if a first run was killed before it created its tables.
  private static func requireTables(_ connection: Connection) throws(StorageError) {
    guard try Schema.check(connection) == 0 else { return }
    throw notFound(connection.path)
  }

  private static func notFound(_ path: String) -> StorageError {
    StorageError(.notFound, "there is no archive yet: \(path) has no tables")
  }

  private static func hasBytes(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// Whether a catalog ever had its tables: its `user_version` is at byte 60 of the file
  /// (https://sqlite.org/fileformat.html#user_version_number).
  private static func hasVersion(_ path: String) -> Bool {
    let descriptor = openPath(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes: [UInt8] = [0, 0, 0, 0]
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 60) }
    return count == 4 && bytes.contains { $0 != 0 }
  }

  /// Reads under the lock.
  func read<Value: Sendable>(
    _ body: (Connection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try connection.use(body)
  }

  /// Returns the results of `body` for all rows, read under the lock.
  func all<Value: Sendable>(
    _ sql: String, _ values: [any SQLValue] = [],
    _ body: (Statement) throws(StorageError) -> Value
  ) throws(StorageError) -> [Value] {
    try read { (db) throws(StorageError) in try db.all(sql, values, body) }
  }

  /// Returns the result of `body` for the first row, read under the lock; `nil` if there is none.
  func first<Value: Sendable>(
    _ sql: String, _ values: [any SQLValue] = [],
    _ body: (Statement) throws(StorageError) -> Value
  ) throws(StorageError) -> Value? {
    try read { (db) throws(StorageError) in try db.first(sql, values, body) }
  }

  /// Returns the number in the only row of an aggregate, read under the lock.
  func number(_ sql: String, _ values: [any SQLValue] = []) throws(StorageError) -> Int {
    try read { (db) throws(StorageError) in try db.number(sql, values) }
  }

  /// Reads the columns 0 and 1.
  static func key(_ row: Statement) -> ItemKey {
    ItemKey(source: row.text(0), id: row.text(1))
  }

  /// Reads the last committed state, without waiting for an open transaction.
  ///
  /// For the few rows of an item or a URL, which the items of a run look up constantly.
  func lookUp<Value: Sendable>(
    _ body: (Connection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try reader.use(body)
  }

  /// Changes the catalog in one transaction, under the lock.
  func write<Value: Sendable>(
    _ name: String, _ body: (Connection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    guard !isReadOnly else {
      throw StorageError(.notWritable, "\(path) was opened for reading")
    }
    return try connection.use { (connection) throws(StorageError) -> Value in
      try connection.transaction { () throws(StorageError) -> Value in
        let value = try body(connection)
        try fileSystem.announce(.commit, name)
        return value
      }
    }
  }

  /// Changes the catalog with one statement.
  func change(
    _ name: String, _ sql: String, _ values: any SQLValue...
  ) throws(StorageError) {
    try write(name) { (db) throws(StorageError) in try db.rows(sql, values) { _ in } }
  }

  /// Opens a separate connection, so that a long read neither blocks writes nor sees them.
  func snapshot() throws(StorageError) -> Connection {
    let connection = try SQLiteCatalog.reading(path)
    // Each page is read once, so a small cache suffices.
    try connection.execute("PRAGMA cache_size = -256")
    return connection
  }

  /// Frees caches that only make later calls faster.
  package func releaseMemory() {
    for one in [connection, reader] {
      try? one.use { (connection) throws(StorageError) in connection.releaseMemory() }
    }
  }

  package func emptyLog() {
    try? connection.use { (connection) throws(StorageError) in connection.emptyLog() }
  }
}

/// A connection that one thread uses at a time.
private final class LockedConnection: Sendable {
  private let connection: Mutex<Connection>

  init(_ connection: sending Connection) {
    self.connection = Mutex(connection)
  }

  func use<Value: Sendable>(
    _ body: (Connection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try connection.withLock { (connection) throws(StorageError) -> Value in
      try body(connection)
    }
  }
}
