import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The settings of a connection to SQLite, and what it returns for results without rows.
struct ConnectionTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func open(_ mode: Connection.Mode = .readWrite) throws -> Connection {
    try Connection(path: folder.at("test.sqlite"), mode: mode)
  }

  @Test func `a lock of another process is waited for ten seconds, also after a checkpoint`() throws
  {
    let connection = try open()
    #expect(try connection.number("PRAGMA busy_timeout") == 10_000)
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    connection.emptyLog()
    // SQLite reads the value when it prepares a statement, so this is another text.
    #expect(try connection.number("PRAGMA busy_timeout;") == 10_000)
    #expect(try open(.readOnly).number("PRAGMA busy_timeout") == 10_000)
  }

  @Test func `without rows a number is zero, a first value is missing and a list is empty`() throws
  {
    let connection = try open()
    try connection.execute("CREATE TABLE t (a)")
    #expect(try connection.number("SELECT a FROM t") == 0)
    #expect(try !connection.has("SELECT a FROM t"))
    #expect(try connection.first("SELECT a FROM t", []) { $0.int(0) } == nil)
    #expect(try connection.all("SELECT a FROM t") { $0.int(0) } == [])
  }

  @Test func `a statement that is run again has its own values alone`() throws {
    let connection = try open()
    try connection.execute("CREATE TABLE t (a, b)")
    try connection.run("INSERT INTO t VALUES (?, ?)", 7, "seven")
    try connection.run("INSERT INTO t VALUES (?, ?)", 8)
    try connection.run("INSERT INTO t VALUES (?, ?)", 9, "nine")
    #expect(try connection.all("SELECT a FROM t ORDER BY a") { $0.int(0) } == [7, 8, 9])
    #expect(
      try connection.all("SELECT b FROM t ORDER BY a") { $0.optionalText(0) }
        == ["seven", nil, "nine"])
    #expect(try connection.number("SELECT a FROM t WHERE b = ?", ["nine"]) == 9)
    #expect(try connection.has("SELECT a FROM t WHERE a = ?", [8]))
    #expect(try !connection.has("SELECT a FROM t WHERE a = ?", [10]))
    #expect(connection.changes == 1 && connection.lastInsertedRow == 3)
  }

  @Test func `a failed transaction leaves the connection usable and changes nothing`() throws {
    let connection = try open()
    try connection.execute("CREATE TABLE t (a)")
    #expect(throws: StorageError.self) {
      try connection.transaction { () throws(StorageError) -> Void in
        try connection.run("INSERT INTO t VALUES (?)", 1)
        throw StorageError(.io, "stopped")
      }
    }
    try connection.transaction { () throws(StorageError) in
      try connection.run("INSERT INTO t VALUES (?)", 2)
    }
    #expect(try connection.all("SELECT a FROM t") { $0.int(0) } == [2])
  }

  @Test func `a reading connection neither creates nor changes a file`() throws {
    #expect(throws: StorageError.self) {
      try open(.readOnly).execute("SELECT count(*) FROM sqlite_master")
    }
    #expect(folder.bytes(of: "test.sqlite") == nil)
    try open().execute("CREATE TABLE t (a)")
    for mode in [Connection.Mode.readOnly, .immutable] {
      let reader = try open(mode)
      #expect(try reader.number("SELECT count(*) FROM t") == 0)
      let error = #expect(throws: StorageError.self) { try reader.run("DELETE FROM t") }
      #expect(error?.code == .notWritable)
    }
  }
}
