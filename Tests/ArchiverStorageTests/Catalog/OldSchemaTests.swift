import ArchiverCore
import Testing

@testable import ArchiverStorage

/// A catalog of every earlier schema opens with what it has. The tables come from the migrations, the rows are those
/// that the first schema could hold.
struct OldSchemaTests {
  private static let tables = [
    "items": "source, id, revision, folder, state, last_archived, byte_count, record",
    "queue":
      "source, id, revision, title, date, payload, reason, attempts, next_attempt, failure, gave_up, "
      + "failure_order",
    "checkpoints": "source, value", "objects": "sha256, byte_count",
    "assets":
      "url, sha256, byte_count, media_type, width, height, etag, last_modified, fresh_until",
    "runs":
      "id, source, kind, started, finished, outcome, failure, archived, unchanged, failed, images, "
      + "images_missing, byte_count",
  ]

  private let folder: ScratchFolder
  private let archived = Sample.item("a")
  private let failed = CatalogConformance.key("b")
  private let waiting = CatalogConformance.key("c")

  init() throws { folder = try ScratchFolder() }

  private func open(_ name: String, isReadOnly: Bool = false) throws -> SQLiteCatalog {
    try SQLiteCatalog(
      path: folder.at(name), isReadOnly: isReadOnly, objectExists: { _ in true })
  }

  /// Makes a catalog of an earlier schema.
  private func make(_ version: Int) throws {
    do {
      let current = try open("current")
      try CatalogConformance.archive(current, archived)
      try CatalogConformance.enqueue(current, Sample.reference("b"), Sample.reference("c"))
      try current.recordFailure(failed, message: "m", nextAttempt: nil, gaveUp: false)
      let run = RunRecord(source: archived.key.source, kind: "k", started: Sample.now)
      try current.finishRun(try current.beginRun(run), run)
    }
    let old = try Connection(path: folder.at("old"), mode: .readWrite)
    try Schema.migrate(old, to: version)
    try old.execute("ATTACH '\(folder.at("current"))' AS current")
    for (table, columns) in Self.tables {
      try old.execute("INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM current.\(table)")
    }
  }

  private func check(_ catalog: SQLiteCatalog) throws {
    #expect(try catalog.item(archived.key) == archived)
    #expect(try catalog.failures(source: nil).map(\.key) == [failed])
    #expect(try catalog.queueState(waiting) != nil)
    #expect(try catalog.runs(source: archived.key.source, limit: 5).count == 1)
    #expect(try catalog.sources().map(\.source) == [archived.key.source])
    #expect(try catalog.pins(source: nil).isEmpty)
    var keys: [ItemKey] = []
    try catalog.forEachItem(source: nil) {
      keys.append($0.key)
      return true
    }
    #expect(keys == [archived.key])
    // Equal in all schemas, so that a library need not be rebuilt.
    #expect(
      try CatalogConformance.fingerprint(catalog, archived.key)
        == CatalogConformance.fingerprint(open("current"), archived.key))
  }

  @Test(arguments: 1..<Schema.version)
  func `a catalog of every earlier schema is read as it is`(version: Int) throws {
    try make(version)
    try check(open("old", isReadOnly: true))
    let found = try Connection(path: folder.at("old"), mode: .readOnly).first(
      "PRAGMA user_version", []
    ) { $0.int(0) }
    #expect(found == version)
  }

  @Test(arguments: 1..<Schema.version)
  func `a catalog of every earlier schema is migrated with all that it has`(version: Int) throws {
    try make(version)
    let catalog = try open("old")
    try check(catalog)
    // It takes what only the current schema has.
    try catalog.setPinned(true, archived.key)
    #expect(try catalog.pins(source: nil) == [archived.key])
    #expect(try catalog.itemsWithoutLinks(limit: 9) == [archived.key])
    _ = try catalog.putOff(waiting, until: nil, message: "later", now: Sample.now)
    let unhashed = try Connection(path: folder.at("old"), mode: .readOnly).first(
      "SELECT count(*) FROM items WHERE record_hash IS NULL", []
    ) { $0.int(0) }
    #expect(unhashed == 0)
    // Only those who write ask for links.
    #expect(try catalog.linkedItems().isEmpty)
  }

  @Test(arguments: [-1, 0, 1])
  func `what a schema is the first to hold is read from it, and is none in one before`(
    distance: Int
  ) throws {
    let isHeld = distance >= 0
    for version in [Schema.blameVersion, Schema.heldDeletionsVersion] {
      try make(version + distance)
      let old = try Connection(path: folder.at("old"), mode: .readWrite)
      if version == Schema.blameVersion {
        if isHeld { try old.execute("UPDATE queue SET blame = 1 WHERE id = 'b'") }
        let reader = try open("old", isReadOnly: true)
        #expect(try reader.failuresBesidesDeaths() == (isHeld ? [] : [failed]))
      } else {
        let columns = isHeld ? "source, deletions_held" : "source, whole_found"
        try old.execute("INSERT INTO discovery (\(columns)) VALUES ('readeck', 3)")
        let found = try open("old", isReadOnly: true).discovery(source: "readeck")
        #expect((found.deletionsHeld, found.wholeFound) == (isHeld ? (3, 0) : (0, 3)))
      }
      for name in ["old", "current"] {
        for ending in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: folder.at(name + ending))
        }
      }
    }
  }

  @Test func `a catalog without its former search index takes no more space`() throws {
    try make(Schema.withoutIndexVersion - 1)
    let path = folder.at("old")
    do {
      let old = try Connection(path: path, mode: .readWrite)
      // As the versions from 4 on made them.
      try old.execute(
        """
        CREATE TABLE searchable (number INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL);
        CREATE VIRTUAL TABLE passages USING fts5 (
          terms, content = '', detail = none, columnsize = 0, tokenize = 'ascii'
        );
        """)
      for number in 1...200 {
        let terms = (0..<500).map { "7word\(number * $0)" }.joined(separator: " ")
        try old.run("INSERT INTO passages (rowid, terms) VALUES (?, ?)", number, terms)
      }
    }
    let size = FileManager.default.contents(atPath: path)?.count ?? 0
    _ = try open("old")
    let catalog = try Connection(path: path, mode: .readOnly)
    let left = try catalog.first(
      "SELECT count(*) FROM sqlite_master WHERE name GLOB 'passages*' OR name GLOB 'searchable*'",
      []
    ) { $0.int(0) }
    #expect(left == 0)
    #expect(size > 400_000)
    #expect((FileManager.default.contents(atPath: path)?.count ?? 0) < size / 2)
  }
}
