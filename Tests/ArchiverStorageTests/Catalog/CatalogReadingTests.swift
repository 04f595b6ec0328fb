import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Connections to a catalog beside logs and journals that cannot be used, and their settings.
struct CatalogReadingTests {
  private let folder: ScratchFolder
  private let item = Sample.item("a")

  init() throws {
    folder = try ScratchFolder()
  }

  private var path: String { folder.at("catalog.sqlite") }

  private func make() throws {
    let catalog = try SQLiteCatalog(path: path)
    try catalog.record([.publish(Sample.publication(item))])
  }

  @Test func `a catalog whose log cannot be opened is read without it`() throws {
    try make()
    try FileManager.default.createDirectory(
      atPath: path + "-wal", withIntermediateDirectories: false)
    let reader = try SQLiteCatalog(path: path, isReadOnly: true)
    #expect(try reader.item(item.key) == item)
    #expect(try reader.itemCount(source: nil) == 1)
  }

  @Test(arguments: [("", .damaged), ("j", .notFound)] as [(String, StorageError.Code)])
  func `a file without a version is no catalog yet if its journal has content`(
    journal: String, code: StorageError.Code
  ) throws {
    try Data(count: 4096).write(to: URL(filePath: path))
    try folder.write(journal, to: "catalog.sqlite-journal")
    let error = #expect(throws: StorageError.self) { try SQLiteCatalog.reading(path) }
    #expect(error?.code == code)
  }

  @Test func `a catalog with a version is read although its journal cannot be applied`() throws {
    do {
      let writer = try Connection(path: path, mode: .readWrite)
      try writer.execute("CREATE TABLE one (a); PRAGMA user_version = \(Schema.version)")
    }
    try folder.write("left", to: "catalog.sqlite-journal")
    let reader = try SQLiteCatalog.reading(path)
    #expect(try reader.number("PRAGMA user_version") == Schema.version)
  }

  @Test func `a lookup cannot change the catalog`() throws {
    let catalog = try SQLiteCatalog(path: path)
    try catalog.record([.publish(Sample.publication(item))])
    let error = #expect(throws: StorageError.self) {
      try catalog.lookUp { (db) throws(StorageError) in try db.run("DELETE FROM items") }
    }
    #expect(error?.code == .notWritable)
    #expect(try catalog.itemCount(source: nil) == 1)
  }

  @Test func `connections that read few pages, or each page once, have small caches`() throws {
    let catalog = try SQLiteCatalog(path: path)
    let sizes: [Int] = [
      try catalog.read { (db) throws(StorageError) in try db.number("PRAGMA cache_size") },
      try catalog.lookUp { (db) throws(StorageError) in try db.number("PRAGMA cache_size") },
      try catalog.snapshot().number("PRAGMA cache_size"),
    ]
    #expect(sizes == [-1024, -256, -256])
  }

  /// The numbers of https://sqlite.org/pragma.html#pragma_synchronous.
  @Test(arguments: [(nil, "wal", 1), ("unix-dotfile", "delete", 2)] as [(String?, String, Int)])
  func `each transaction is flushed only with a journal`(
    vfs: String?, journal: String, synchronous: Int
  ) throws {
    let connection = try SQLiteCatalog.writing(path, vfs: vfs)
    #expect(try connection.first("PRAGMA journal_mode", []) { $0.text(0) } == journal)
    #expect(try connection.number("PRAGMA synchronous") == synchronous)
    #expect(try connection.first("PRAGMA locking_mode", []) { $0.text(0) } == "normal")
  }

  @Test func `a step that is long but in time is not interrupted`() throws {
    try make()
    let reader = try Connection(path: path, mode: .readOnly, stepLimit: .seconds(60))
    let numbers = """
      WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 50000)
      SELECT count(*) FROM c
      """
    #expect(try reader.number(numbers) == 50_000)
  }

  @Test func `a view in the place of a table is named`() throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("CREATE VIEW mine AS SELECT 1")
    #expect(try Schema.check(connection) == 0)
    try connection.execute("CREATE VIEW RUNS AS SELECT 1")
    let error = #expect(throws: StorageError.self) { try Schema.check(connection) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("a view instead of the table RUNS;") == true)
  }
}
