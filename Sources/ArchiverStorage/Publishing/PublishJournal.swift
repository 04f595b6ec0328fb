package import ArchiverCore
import Synchronization

/// Records what was sent to one publishing target, so that a run needs neither a listing of the
/// target nor a request per file to find what is missing there.
///
/// A SQLite file in `.archiver/publish`, used by the holder of the archive's lock. Invariants:
/// 1. A key is `pending` in the journal before its object may change at the target.
/// 2. A key is `published` only after the target confirmed exactly the recorded content.
/// 3. Every object that archiver created at the target has its key in the journal.
package final class PublishJournal: Sendable {
  /// The state of a key.
  package enum State: Int, Sendable {
    /// About to be sent; the object may be missing, old or new.
    case pending = 0
    case published = 1
    /// No longer in the archive; the next run deletes it.
    case leaving = 2
  }

  /// The record of one object.
  package struct Record: Sendable, Hashable {
    package var key: String
    package var byteCount: Int
    /// The modification time of the file, in nanoseconds since 1970.
    package var modified: Int
    /// The change time of the file, in nanoseconds since 1970; `nil` in a journal of an earlier version.
    package var changed: Int?
    /// The SHA-256 of the content in lower-case hex.
    package var sha256: String
    /// The MD5 of the content in lower-case hex; empty if unknown.
    package var md5: String
    /// The header fields that the object was sent with.
    package var headers: String
    /// The target's ETag, without quotes.
    package var etag: String
    package var state: State

    package init(
      key: String, byteCount: Int, modified: Int, changed: Int? = nil, sha256: String = "",
      md5: String = "", headers: String = "", etag: String = "", state: State = .pending
    ) {
      self.key = key
      self.byteCount = byteCount
      self.modified = modified
      self.changed = changed
      self.sha256 = sha256
      self.md5 = md5
      self.headers = headers
      self.etag = etag
      self.state = state
    }
  }

  /// A multipart upload that is not complete.
  package struct Upload: Sendable, Hashable {
    package var key: String
    /// The upload id that the target assigned.
    package var id: String
    /// The SHA-256 of the file that is sent.
    package var sha256: String
    package var byteCount: Int
    package var partSize: Int
    package var begun: Date

    package init(
      key: String, id: String, sha256: String, byteCount: Int, partSize: Int, begun: Date
    ) {
      self.key = key
      self.id = id
      self.sha256 = sha256
      self.byteCount = byteCount
      self.partSize = partSize
      self.begun = begun
    }
  }

  /// Values stored in addition to the records.
  package enum Mark: String, Sendable {
    /// The format of this file.
    case format
    /// The address of the target, for people.
    case target
    /// The inode of the journal's file, which identifies a copy, and the tokens of runs that may
    /// have left a lock. A new journal has a random UUID instead.
    case writer
    /// Whether the target's manifest is older than its objects.
    case isManifestOld
    /// The ETag of the manifest.
    case manifestETag
    /// The ETag of the lock as the last run left it.
    case lockETag
    /// The inode of the journal's file and the name of the lock's object, for targets where each journal has one.
    case lockName
    /// How the target treats conditional requests, and whether the user was notified that it ignores them.
    case conditions
    /// When the target was last compared with the journal, in seconds since 1970; 0
    /// if a comparison is due.
    case audited
  }

  /// The path of the file.
  package let path: String
  private let connection: Mutex<Connection>

  private static let format = "2"
  /// The format without change times.
  private static let oldFormat = "1"
  private static let schema = """
    CREATE TABLE IF NOT EXISTS mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS object (
      key TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, sha256 TEXT NOT NULL,
      md5 TEXT NOT NULL, headers TEXT NOT NULL, etag TEXT NOT NULL, state INTEGER NOT NULL,
      changed INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS upload (
      key TEXT PRIMARY KEY, id TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
      part_size INTEGER NOT NULL, begun REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS part (
      key TEXT NOT NULL, number INTEGER NOT NULL, etag TEXT NOT NULL, PRIMARY KEY (key, number)
    ) WITHOUT ROWID;
    """

  /// Opens the journal of a target, and creates it if it does not exist, is damaged or has another
  /// format: a lost journal costs a comparison with the target, nothing else.
  ///
  /// - Parameters:
  ///   - folder: The directory of journals, which is created.
  ///   - target: The address of the target, which names the file.
  package convenience init(folder: String, target: String) throws(StorageError) {
    try FolderPath.make(folder)
    try self.init(path: PublishJournal.path(in: folder, target: target), target: target)
  }

  /// Makes an empty journal in memory, for a preview.
  ///
  /// - Parameter target: The address of the target.
  package convenience init(inMemoryFor target: String) throws(StorageError) {
    try self.init(path: ":memory:", target: target)
  }

  private init(path: String, target: String) throws(StorageError) {
    self.path = path
    var opened: Connection
    do throws(StorageError) {
      opened = try PublishJournal.open(path)
    } catch {
      guard error.code == .damaged else { throw error }
      for ending in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + ending)  // most do not exist
      }
      opened = try PublishJournal.open(path)
    }
    connection = Mutex(opened)
    try set(.target, target)
    if try mark(.writer) == nil { try set(.writer, UUID().uuidString.lowercased()) }
  }

  /// Whether there is a journal of a target in a directory.
  package static func exists(in folder: String, target: String) -> Bool {
    FileManager.default.fileExists(atPath: path(in: folder, target: target))
  }

  private static func path(in folder: String, target: String) -> String {
    "\(folder)/\(Digest.sha256Hex(target).prefix(16)).sqlite"
  }

  private static func open(_ path: String) throws(StorageError) -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    // Do not flush each record: records that a power failure loses at the end are sent again.
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
    try connection.execute(schema)
    let found = try connection.first(
      "SELECT value FROM mark WHERE name = ?", [Mark.format.rawValue]
    ) { statement in statement.text(0) }
    guard found == nil || found == format || found == oldFormat else {
      throw StorageError(.damaged, "\(path) has the unknown format \(found ?? "")")
    }
    guard found != format else { return connection }
    try connection.transaction { () throws(StorageError) in
      if found == oldFormat {
        try connection.execute("ALTER TABLE object ADD COLUMN changed INTEGER")
      }
      try connection.run(
        "INSERT OR REPLACE INTO mark VALUES (?, ?)", Mark.format.rawValue, format)
    }
    return connection
  }

  private func access<Value: Sendable>(
    _ body: (Connection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try connection.withLock { (connection) throws(StorageError) -> Value in try body(connection) }
  }

  // MARK: Marks

  /// Returns a value; `nil` if it is not set.
  package func mark(_ mark: Mark) throws(StorageError) -> String? {
    try access { (connection) throws(StorageError) in
      try connection.first("SELECT value FROM mark WHERE name = ?", [mark.rawValue]) { $0.text(0) }
    }
  }

  /// Sets a value; `nil` removes it.
  package func set(_ mark: Mark, _ value: String?) throws(StorageError) {
    try access { (connection) throws(StorageError) in
      if let value {
        try connection.run("INSERT OR REPLACE INTO mark VALUES (?, ?)", mark.rawValue, value)
      } else {
        try connection.run("DELETE FROM mark WHERE name = ?", mark.rawValue)
      }
    }
  }

  // MARK: Objects

  private static let columns = "key, size, modified, sha256, md5, headers, etag, state, changed"

  /// Calls `body` for each object, in the order of the keys' bytes.
  package func forEach(
    _ body: (Record) throws(StorageError) -> Void
  ) throws(StorageError) {
    try access { (connection) throws(StorageError) in
      try connection.rows("SELECT \(PublishJournal.columns) FROM object ORDER BY key", []) {
        (statement) throws(StorageError) in try body(PublishJournal.record(statement))
      }
    }
  }

  /// Returns the record of a key; `nil` if nothing was sent under it.
  package func record(_ key: String) throws(StorageError) -> Record? {
    try access { (connection) throws(StorageError) in
      try connection.first(
        "SELECT \(PublishJournal.columns) FROM object WHERE key = ?", [key]
      ) { PublishJournal.record($0) }
    }
  }

  /// Whether there is no object.
  package func isEmpty() throws(StorageError) -> Bool {
    try access { (connection) throws(StorageError) in
      try !connection.has("SELECT 1 FROM object LIMIT 1")
    }
  }

  /// Adds or replaces records, all or none.
  package func save(_ records: [Record]) throws(StorageError) {
    try transaction { (connection) throws(StorageError) in
      for record in records {
        try connection.run(
          "INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", record.key,
          record.byteCount, record.modified, record.sha256, record.md5, record.headers, record.etag,
          record.state.rawValue, record.changed)
      }
    }
  }

  /// Sets the state of keys, all or none. A key without a record gets one if the state is `pending`.
  package func set(_ state: State, _ keys: [String]) throws(StorageError) {
    try transaction { (connection) throws(StorageError) in
      for key in keys {
        if state == .pending {
          try connection.run(
            "INSERT OR IGNORE INTO object VALUES (?, 0, 0, '', '', '', '', ?, NULL)", key,
            state.rawValue)
        }
        try connection.run("UPDATE object SET state = ? WHERE key = ?", state.rawValue, key)
      }
    }
  }

  /// Removes the records of keys, all or none.
  package func remove(_ keys: [String]) throws(StorageError) {
    try transaction { (connection) throws(StorageError) in
      for key in keys { try connection.run("DELETE FROM object WHERE key = ?", key) }
    }
  }

  private func transaction(
    _ body: (Connection) throws(StorageError) -> Void
  ) throws(StorageError) {
    try access { (connection) throws(StorageError) in
      try connection.transaction { () throws(StorageError) in try body(connection) }
    }
  }

  private static func record(_ statement: Statement) -> Record {
    Record(
      key: statement.text(0), byteCount: statement.int(1), modified: statement.int(2),
      changed: statement.optionalInt(8), sha256: statement.text(3), md5: statement.text(4),
      headers: statement.text(5), etag: statement.text(6),
      state: State(rawValue: statement.int(7)) ?? .pending)
  }
}

extension PublishJournal {
  // MARK: Multipart uploads

  /// Returns the uploads that are not complete.
  package func uploads() throws(StorageError) -> [Upload] {
    try access { (connection) throws(StorageError) in
      try connection.all(
        "SELECT key, id, sha256, size, part_size, begun FROM upload ORDER BY key"
      ) {
        Upload(
          key: $0.text(0), id: $0.text(1), sha256: $0.text(2), byteCount: $0.int(3),
          partSize: $0.int(4), begun: $0.date(5))
      }
    }
  }

  /// Records the start of an upload, in place of an earlier one of the same key.
  package func begin(_ upload: Upload) throws(StorageError) {
    try transaction { (connection) throws(StorageError) in
      try connection.run("DELETE FROM part WHERE key = ?", upload.key)
      try connection.run(
        "INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?, ?, ?)", upload.key, upload.id,
        upload.sha256, upload.byteCount, upload.partSize, upload.begun)
    }
  }

  /// Records the ETag of a part that the target confirmed.
  package func save(part number: Int, of key: String, etag: String) throws(StorageError) {
    try access { (connection) throws(StorageError) in
      try connection.run("INSERT OR REPLACE INTO part VALUES (?, ?, ?)", key, number, etag)
    }
  }

  /// Returns the ETags of an upload's parts, by number.
  package func parts(of key: String) throws(StorageError) -> [Int: String] {
    try access { (connection) throws(StorageError) in
      var found: [Int: String] = [:]
      try connection.rows("SELECT number, etag FROM part WHERE key = ?", [key]) { statement in
        found[statement.int(0)] = statement.text(1)
      }
      return found
    }
  }

  /// Forgets an upload that is complete or was aborted.
  package func end(uploadOf key: String) throws(StorageError) {
    try transaction { (connection) throws(StorageError) in
      try connection.run("DELETE FROM part WHERE key = ?", key)
      try connection.run("DELETE FROM upload WHERE key = ?", key)
    }
  }
}
