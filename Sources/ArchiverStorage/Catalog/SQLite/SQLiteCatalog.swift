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

  /// Makes a catalog of a connection to a database in memory, which no other connection can read.
  init(inMemory connection: sending Connection) {
    path = connection.path
    isReadOnly = false
    fileSystem = FileSystem(faults: nil)
    objectExists = { _ in true }
    self.connection = LockedConnection(connection)
    reader = self.connection
  }

  /// The cache has room for most pages that a batch of bundles with pictures changes: several for each
  /// picture, in no order. With less they go to the log and come back within one transaction.
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

  /// A log needs memory that processes share, which some network and FUSE file systems do not have.
  /// There a rollback journal takes its place, each transaction of which is flushed; who reads waits for
  /// who writes, and the other way round. A catalog that has one keeps it.
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

  /// `nil` where SQLite knows that it cannot have a log here.
  private static func withLog(_ path: String, _ vfs: String?) throws(StorageError) -> Connection? {
    let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
    let mode = try connection.first("PRAGMA journal_mode = WAL", []) { $0.text(0) }
    guard mode == "wal" else { return nil }
    // It is now that the memory is mapped, and written to.
    try connection.execute("PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; ROLLBACK")
    return connection
  }

  private static func withJournal(
    _ path: String, _ vfs: String?
  ) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
    // Alone a connection reads a log without shared memory (https://sqlite.org/wal.html#noshm).
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    let mode = try connection.first("PRAGMA journal_mode = DELETE", []) { $0.text(0) }
    guard mode == "delete" else {
      throw StorageError(.io, "\(path) can have neither a log nor a journal")
    }
    try connection.execute(
      """
      PRAGMA locking_mode = NORMAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_spill = OFF;
      """)
    // The lock goes with the next reading.
    try Schema.check(connection)
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
      // Before its first table is made it has such a journal; later only where it has no log.
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

  /// Whether a catalog has had its tables once: the number of its format stands in its file from byte
  /// 60 on (https://sqlite.org/fileformat.html#user_version_number).
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
