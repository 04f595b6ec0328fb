import ArchiverCore
import ArchiverTestKit
import Dispatch
import Synchronization
import Testing

@testable import ArchiverStorage

struct SQLiteCatalogTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  func open(
    isReadOnly: Bool = false,
    objectExists: @escaping @Sendable (StoredObject) -> Bool = { _ in true }
  ) throws -> SQLiteCatalog {
    try SQLiteCatalog(
      path: folder.at("catalog ?#%.sqlite"), isReadOnly: isReadOnly, objectExists: objectExists)
  }

  @Test(arguments: CatalogConformance.all)
  func `keeps the contract of a catalog`(_ conformance: CatalogConformance) throws {
    try conformance.check(open())
  }

  @Test func `a change that fails before it is committed is undone`() throws {
    let failing = FailingStep { operation, name in operation == .commit && name == "hold" ? 5 : nil
    }
    let catalog = try SQLiteCatalog(
      path: folder.at("catalog.sqlite"), isReadOnly: false, fileSystem: FileSystem(faults: failing),
      objectExists: { _ in true })
    let key = ItemKey(source: "readeck", id: "a")
    #expect(throws: StorageError.self) {
      try catalog.hold(key, title: "", revision: "r1", needed: 10, message: "no space")
    }
    #expect(try catalog.queueState(key) == nil)
    failing.set { _, _ in nil }
    try catalog.hold(key, title: "", revision: "r1", needed: 10, message: "no space")
    #expect(try catalog.queueState(key) != nil)
  }

  @Test func `a reader sees what a writer commits meanwhile`() throws {
    let writer = try open()
    let reader = try open(isReadOnly: true)
    #expect(try reader.itemCount(source: nil) == 0)
    try writer.record([.publish(Sample.publication(Sample.item("a")))])
    #expect(try reader.itemCount(source: nil) == 1)
    #expect(throws: StorageError.self) { try reader.removeWork(ItemKey(source: "s", id: "a")) }
  }

  @Test func `looking up waits for no transaction and sees what was committed before it`()
    async throws
  {
    let catalog = try open()
    let item = Sample.item("a")
    try catalog.record([.publish(Sample.publication(item))])
    let seen = Mutex<[String?]>([])
    try catalog.write("test") { (db) throws(StorageError) in
      try db.run("UPDATE items SET revision = 'later'")
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        // After failures too few remain.
        if let found = try? catalog.item(item.key) { seen.withLock { $0.append(found.revision) } }
        if (try? catalog.asset(url: "https://example.org/none")) == .some(nil) {
          seen.withLock { $0.append(nil) }
        }
        isDone.signal()
      }
      _ = isDone.wait(timeout: .now() + 10)
    }
    #expect(seen.withLock { $0 } == [item.revision, nil])
    #expect(try catalog.item(item.key)?.revision == "later")
  }

  @Test func `a closed catalog leaves no WAL`() throws {
    var catalog: SQLiteCatalog? = try open()
    try catalog?.record([.publish(Sample.publication(Sample.item("a")))])
    #expect(try catalog?.item(Sample.item("a").key) != nil)
    #expect(FileManager.default.fileExists(atPath: folder.at("catalog ?#%.sqlite-wal")))
    catalog = nil
    #expect(!FileManager.default.fileExists(atPath: folder.at("catalog ?#%.sqlite-wal")))
  }

  @Test func `the WAL is checkpointed while the catalog is open`() throws {
    let catalog = try open()
    try catalog.record([.publish(Sample.publication(Sample.item("a")))])
    #expect(try size(of: "catalog ?#%.sqlite-wal") > 0)
    catalog.emptyLog()
    #expect(try size(of: "catalog ?#%.sqlite-wal") == 0)
    #expect(try catalog.item(Sample.item("a").key) != nil)
    try catalog.record([.publish(Sample.publication(Sample.item("b")))])
    #expect(try open(isReadOnly: true).itemCount(source: nil) == 2)
  }

  @Test func `a WAL checkpoint neither waits for readers nor affects them`() throws {
    let catalog = try open()
    try catalog.record([.publish(Sample.publication(Sample.item("a")))])
    let reader = try SQLiteCatalog.reading(folder.at("catalog ?#%.sqlite"))
    try reader.execute("BEGIN")
    let count = { try reader.first("SELECT count(*) FROM items", []) { $0.int(0) } }
    #expect(try count() == 1)
    try catalog.record([.publish(Sample.publication(Sample.item("b")))])
    #expect(ContinuousClock().measure { catalog.emptyLog() } < .seconds(5))
    #expect(try count() == 1)
    try reader.execute("COMMIT")
    #expect(try count() == 2)
    catalog.emptyLog()
    #expect(try size(of: "catalog ?#%.sqlite-wal") == 0)
  }

  @Test func `a catalog waits for another writer after a WAL checkpoint`() async throws {
    let catalog = try open()
    try catalog.record([.publish(Sample.publication(Sample.item("a")))])
    catalog.emptyLog()
    let other = try Connection(path: folder.at("catalog ?#%.sqlite"), mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { try? other.execute("COMMIT") }
    try catalog.record([.publish(Sample.publication(Sample.item("b")))])
    #expect(try catalog.itemCount(source: nil) == 2)
  }

  @Test func `an asset whose object is gone is not offered`() throws {
    let object = StoredObject(sha256: String(repeating: "a", count: 64), byteCount: 1)
    let asset = CachedAsset(url: "https://example.org/", object: object, mediaType: "image/png")
    try open().record([.publish(Sample.publication(Sample.item("a"), assets: [asset]))])
    #expect(try open().asset(url: asset.url) == asset)
    #expect(try open { _ in false }.asset(url: asset.url) == nil)
  }

  @Test func `a catalog of a later version is refused`() throws {
    _ = try open()
    let path = folder.at("catalog ?#%.sqlite")
    try Connection(path: path, mode: .readWrite).execute("PRAGMA user_version = 99")
    for isReadOnly in [true, false] {
      let error = #expect(throws: StorageError.self) { try open(isReadOnly: isReadOnly) }
      #expect(error?.code == .tooNew)
    }
  }

  /// Gives the catalog the format of version 4.
  private func makeEarlier() throws {
    try Connection(path: folder.at("catalog ?#%.sqlite"), mode: .readWrite).execute(
      """
      DROP TABLE discovery;
      ALTER TABLE queue DROP COLUMN blame;
      ALTER TABLE queue DROP COLUMN deferred_since;
      DROP INDEX items_pages;
      ALTER TABLE items DROP COLUMN page_revision;
      PRAGMA user_version = 4
      """)
  }

  @Test func `everything can be read from a catalog of an earlier version`() throws {
    let archived = Sample.item("a")
    let (failed, waiting) = (CatalogConformance.key("b"), CatalogConformance.key("c"))
    try CatalogConformance.archive(open(), archived)
    try CatalogConformance.enqueue(open(), Sample.reference("b"), Sample.reference("c"))
    try open().recordFailure(failed, message: "m", nextAttempt: nil, gaveUp: false)
    try makeEarlier()
    let reader = try open(isReadOnly: true)
    #expect(try reader.item(archived.key)?.key == archived.key)
    #expect(try reader.failuresBesidesDeaths() == [failed])
    #expect(try reader.failures(source: nil).map(\.key) == [failed])
    #expect(try reader.incomplete(source: nil).isEmpty)
    #expect(try reader.sources().isEmpty)
    #expect(try reader.linkedItems().isEmpty)
    #expect(try reader.queueState(failed) != nil)
    #expect(try reader.pins(source: nil).isEmpty)
    #expect(try reader.runs(source: nil, limit: 1).isEmpty)
    var keys: [ItemKey] = []
    try reader.forEachItem(source: nil) {
      keys.append($0.key); return true
    }
    try reader.forEachAbsent(source: nil) {
      keys.append($0.key); return true
    }
    #expect(keys == [archived.key, failed, waiting])
  }

  @Test(arguments: ["why?\u{301}", "a#\u{301}b", "100%\u{301}", "plain"], ["", "/"])
  func `a catalog is where its path says`(name: String, before: String) throws {
    let connection = try Connection(path: before + folder.at(name), mode: .readWrite)
    try connection.execute("CREATE TABLE t (a)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  @Test func `a file that is not a catalog is reported as damaged`() throws {
    let text = String(repeating: "this is no database. ", count: 200)
    try folder.write(text, to: "catalog ?#%.sqlite")
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.code == .damaged)
  }

  @Test func `a catalog that a kill left without tables is none to read`() throws {
    let path = folder.at("other.sqlite")
    let writer = try Connection(path: path, mode: .readWrite)
    // Beyond the cache size, pages are written to the file, and their originals to the rollback
    // journal.
    try writer.execute(
      """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; BEGIN; CREATE TABLE filler (bytes BLOB);
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 200)
      INSERT INTO filler SELECT randomblob(2000) FROM number;
      """)
    let killed = folder.at("killed.sqlite")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: killed + suffix)
    }
    withExtendedLifetime(writer) {}
    let error = #expect(throws: StorageError.self) {
      try SQLiteCatalog(path: killed, isReadOnly: true)
    }
    #expect(error?.code == .notFound)
  }

  @Test func `a failing step rolls the transaction back`() throws {
    let catalog = try open()
    let bad = Sample.item("b")
    var clash = Sample.item("c")
    clash.folder = bad.folder
    #expect(throws: StorageError.self) {
      try catalog.record([
        .publish(Sample.publication(bad)), .publish(Sample.publication(clash)),
      ])
    }
    #expect(try catalog.itemCount(source: nil) == 0)
  }

  @Test func `listing 100,000 unchanged items takes seconds and writes nothing`() throws {
    try open().record([.publish(Sample.publication(Sample.item("item-0")))])
    try Connection(path: folder.at("catalog ?#%.sqlite"), mode: .readWrite).execute(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 99999)
      INSERT INTO items SELECT source, 'item-' || n, revision, 'readeck/' || n, state,
      last_archived, byte_count, record, page_revision, record_hash FROM items, number WHERE id = 'item-0'
      """)
    let catalog = try open()
    let before = try size(of: "catalog ?#%.sqlite-wal")
    let time = try processorTime {
      let listing = try catalog.beginListing(source: "readeck")
      for page in 0..<1000 {
        let references = (0..<100).map { Sample.reference("item-\(page * 100 + $0)") }
        let summary = try catalog.enqueue(
          ListingPage(references: references), source: "readeck", listing: listing, force: false)
        #expect(summary.unchanged == 100)
      }
      let deleted = try catalog.finishListing(
        listing, source: "readeck", isCompleteEnumeration: true)
      #expect(deleted == 0)
    }
    #expect(time < .seconds(20))
    #expect(try size(of: "catalog ?#%.sqlite-wal") == before)
  }

  @Test func `a trial catalog knows the items of its sources and changes nothing`() throws {
    let catalog = try open()
    for source in ["readeck", "notion"] {
      try catalog.record([.publish(Sample.publication(Sample.item("a", source: source)))])
    }
    let trial = try SQLiteCatalog.trial(of: catalog, sources: ["readeck"])
    let key = ItemKey(source: "readeck", id: "a")
    #expect(try trial.item(key) == catalog.item(key))
    #expect(try trial.itemCount(source: nil) == 1)
    try trial.record([.publish(Sample.publication(Sample.item("b")))])
    #expect(try catalog.itemCount(source: nil) == 2)
  }

  private func size(of name: String) throws -> Int {
    try Folder.open(path: folder.path).status(name)?.byteCount ?? 0
  }
}
