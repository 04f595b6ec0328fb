import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Catalogs that another program wrote to, and file systems that do not support SQLite's WAL.
struct ForeignCatalogTests {
  private static let endless = """
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c
    """
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private var path: String { folder.at("archive") }
  private var catalog: String { folder.at("archive/.archiver/catalog.sqlite") }

  private func prepare(_ script: String = "") throws {
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    }
    guard !script.isEmpty else { return }
    try Connection(path: catalog, mode: .readWrite).execute(script)
  }

  @Test func `an endless query is ended`() throws {
    try prepare()
    let reader = try Connection(path: catalog, mode: .readOnly, stepLimit: .milliseconds(50))
    let error = #expect(throws: StorageError.self) { try reader.run(Self.endless) }
    #expect(error?.code == .damaged)
    #expect(try reader.first("SELECT count(*) FROM items", []) { $0.int(0) } == 1)
  }

  @Test func `a view in the place of a table is refused and rebuilt`() throws {
    try prepare("DROP TABLE runs; CREATE VIEW runs AS \(Self.endless)")
    for mode in [ArchiveMode.readOnly, .readWrite(holder: "test")] {
      let error = #expect(throws: StorageError.self) { try Archive.open(path: path, mode: mode) }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("archiver repair --catalog") == true)
    }
    #expect(try Archive.rebuildCatalog(path: path).items == 1)
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    #expect(try archive.catalog.sources().isEmpty)
  }

  @Test func `triggers and further views of another user do nothing`() throws {
    try prepare(
      """
      CREATE VIEW mine AS \(Self.endless);
      CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM items; END;
      """)
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    _ = try archive.catalog.beginRun(RunRecord(source: "s", kind: "s", started: Sample.now))
    #expect(try archive.catalog.itemCount(source: nil) == 1)
  }

  @Test func `the schema is not trusted, and its own tables cannot be written`() throws {
    try prepare()
    let connection = try Connection(path: catalog, mode: .readWrite)
    #expect(try connection.first("PRAGMA trusted_schema", []) { $0.int(0) } == 0)
    #expect(throws: StorageError.self) {
      try connection.execute(
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = '' WHERE name = 'items'")
    }
  }

  @Test func `without shared memory a catalog has a rollback journal`() throws {
    // A VFS without shared memory.
    let connection = try SQLiteCatalog.writing(folder.at("c.sqlite"), vfs: "unix-dotfile")
    #expect(try connection.first("PRAGMA journal_mode", []) { $0.text(0) } == "delete")
    try connection.run("INSERT INTO checkpoints VALUES (?, ?)", "s", "c")
    #expect(try connection.first("SELECT value FROM checkpoints", []) { $0.text(0) } == "c")
  }

  @Test func `a catalog with a log continues where there is no shared memory`() async throws {
    try prepare()
    // The path is occupied, so that no shared memory can be mapped.
    try FileManager.default.createDirectory(
      atPath: catalog + "-shm", withIntermediateDirectories: false)
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    #expect(try archive.catalog.itemCount(source: nil) == 1)
    let image = try archive.objects.store(Array("picture".utf8))
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("b"), images: [image]))])
    let reader = try Archive.open(path: path, mode: .readOnly)
    #expect(try reader.catalog.itemCount(source: nil) == 2)
    #expect(try reader.catalog.item(Sample.item("b").key) != nil)
    #expect(try await archive.verify().problems == [])
    #expect(try archive.catalog.asset(url: "https://example.org/\(image.sha256)") != nil)
  }
}
