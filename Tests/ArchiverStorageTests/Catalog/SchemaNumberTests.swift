import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The numbers of the schema's versions, which catalogs on disk hold.
struct SchemaNumberTests {
  private let folder: ScratchFolder
  private let key = ItemKey(source: "readeck", id: "a")

  init() throws {
    folder = try ScratchFolder()
  }

  private var path: String { folder.at("catalog.sqlite") }

  private static let item = """
    INSERT INTO items (source, id, revision, folder, state, last_archived, byte_count, record)
    VALUES ('readeck', 'a', 'r1', 'readeck/a', 'archived', 0, 0, CAST('record' AS BLOB));
    """

  private func make(_ version: Int, _ script: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try Schema.migrate(connection, to: version)
    try connection.execute(script)
  }

  private func reader() throws -> SQLiteCatalog {
    try SQLiteCatalog(path: path, isReadOnly: true)
  }

  @Test(arguments: [(6, false), (7, true)])
  func `deaths of the process are no failures since version 7`(
    version: Int, isCounted: Bool
  ) throws {
    try make(
      version,
      """
      INSERT INTO queue (source, id, revision, title, reason, failure_order, \
      \(isCounted ? "blame" : "fetching")) VALUES ('readeck', 'a', 'r1', 'A', 'new', 1, 1)
      """)
    let failed = try reader().failuresBesidesDeaths()
    #expect(failed == (isCounted ? [] : [key]))
  }

  @Test(arguments: [(9, "whole_found", 0), (10, "deletions_held", 3)])
  func `deletions are held back since version 10`(
    version: Int, column: String, held: Int
  ) throws {
    try make(version, "INSERT INTO discovery (source, \(column)) VALUES ('readeck', 3)")
    #expect(try reader().discovery(source: "readeck").deletionsHeld == held)
  }

  @Test func `records get their hashes with version 12`() throws {
    try make(11, SchemaNumberTests.item)
    let connection = try Connection(path: path, mode: .readWrite)
    try Schema.migrate(connection, to: 12)
    let hash = try connection.first("SELECT record_hash FROM items", []) { $0.number(0) }
    #expect(hash == WordHash.of("record"))
  }

  @Test(arguments: [(10, true), (11, false)])
  func `free space is returned once, with version 11`(version: Int, isReturned: Bool) throws {
    try make(
      version,
      """
      CREATE TABLE filler (a); INSERT INTO filler VALUES (randomblob(50000)); DROP TABLE filler;
      """)
    let connection = try Connection(path: path, mode: .readWrite)
    #expect(try connection.number("PRAGMA freelist_count") > 0)
    try Schema.migrate(connection)
    let left = try connection.number("PRAGMA freelist_count")
    #expect((left == 0) == isReturned)
  }

  @Test func `a trial of a catalog without pins and listings has the rest of it`() throws {
    try make(1, SchemaNumberTests.item + "INSERT INTO checkpoints VALUES ('readeck', 'here');")
    let trial = try SQLiteCatalog.trial(of: reader(), sources: ["readeck"])
    #expect(try trial.itemCount(source: "readeck") == 1)
    #expect(try trial.checkpoint(source: "readeck") == Checkpoint("here"))
    #expect(try trial.pins(source: nil).isEmpty)
    #expect(try trial.discovery(source: "readeck") == Discovery())
  }
}
