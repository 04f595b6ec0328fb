import ArchiverCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The catalog in `.archiver/catalog.sqlite`.
///
/// What a power cut may cost, and why that is enough:
/// 1. The log (WAL) is written in the order of the transactions and read up to the last whole
///    one, so what is lost is always the newest transactions, never one from between.
/// 2. A page's checkpoint is in the page's own transaction, so it never outlives the queue entries
///    it stands for. That is why `synchronous=NORMAL`, which costs no flush per page, suffices.
/// 3. Where the order against the bundles' folders matters, `Archive.publish` flushes the file
///    system the catalog is on; it needs no flush of SQLite's own.
package final class SQLiteCatalog: PublicationCatalog {
  let path: String
  let isReadOnly: Bool
  let fileSystem: FileSystem
  private let objectExists: @Sendable (StoredObject) -> Bool
  private let connection: LockedConnection
  /// For looking things up while `connection` is in a transaction; the same when that only reads.
  private let reader: LockedConnection

  /// Opens or, for writing, creates a catalog.
  ///
  /// `objectExists` tells whether the pool has an object. A catalog opened for reading sees each
  /// state a writer in another process committed.
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

  /// The cache has room for most pages that a batch of bundles with pictures changes: several for each
  /// picture, in no order. With less they go to the log and come back within one transaction.
  private static func writing(_ path: String) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = 16777216;
      PRAGMA cache_size = -1024;
      PRAGMA temp.cache_size = -256;
      """)
    try Schema.migrate(connection)
    return connection
  }

  /// May write as far as SQLite goes: the last connection that closes empties and removes the log,
  /// which holds what was deleted, and one that may only read leaves it.
  private static func lookingUp(_ path: String) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -256;")
    return connection
  }

  /// A folder that cannot be written has no shared memory for the log; it has no writer either.
  /// Nor is there any on a disk without room, which loses nothing where the log is empty.
  static func reading(_ path: String) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readOnly)
    do throws(StorageError) {
      try requireTables(connection)
      return connection
    } catch {
      // Before its first table is made the catalog turns to a log, and never has such a journal again.
      if error.code != .notFound, hasBytes(path + "-journal") { throw notFound(path) }
      let isReadable = error.code == .full && !hasBytes(path + "-wal")
      guard error.code == .notWritable || isReadable else { throw error }
      let connection = try Connection(path: path, mode: .immutable)
      try requireTables(connection)
      return connection
    }
  }

  /// Fails with `.notFound` where a first run was killed before it made its tables.
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

  /// Reads under the lock.
  func read<Value: Sendable>(
    _ body: (Connection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try connection.use(body)
  }

  /// Reads what was committed last, without waiting for a transaction that is under way.
  ///
  /// For the few rows of an item or an address, which the items of a run ask for all the time.
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

  /// A connection of its own, so that a long reading neither blocks nor sees later writes.
  func snapshot() throws(StorageError) -> Connection {
    let connection = try SQLiteCatalog.reading(path)
    // It reads each page once.
    try connection.execute("PRAGMA cache_size = -256")
    return connection
  }

  package func releaseMemory() {
    for one in [connection, reader] {
      try? one.use { (connection) throws(StorageError) in connection.releaseMemory() }
    }
  }

  package func emptyLog() {
    try? connection.use { (connection) throws(StorageError) in connection.emptyLog() }
  }

  func poolHas(_ object: StoredObject) -> Bool { objectExists(object) }
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
