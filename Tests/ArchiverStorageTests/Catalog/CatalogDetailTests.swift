import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Listings, entries and records in states that are rare.
struct CatalogDetailTests {
  private let folder: ScratchFolder
  private let catalog: SQLiteCatalog
  private let source = "readeck"

  init() throws {
    folder = try ScratchFolder()
    catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
  }

  private func key(_ id: String) -> ItemKey { ItemKey(source: source, id: id) }

  private func list(
    _ listing: ListingID, _ ids: String..., deleted: [String] = [], revisited: Set<String> = []
  ) throws -> PlanSummary {
    let page = ListingPage(
      references: ids.map { Sample.reference($0) }, deleted: deleted, revisited: revisited)
    return try catalog.enqueue(page, source: source, listing: listing, force: false)
  }

  private func execute(_ script: String) throws {
    try Connection(path: folder.at("catalog.sqlite"), mode: .readWrite).execute(script)
  }

  @Test func `a listing that has ended takes no page, nor does one of another source`() throws {
    let listing = try catalog.beginListing(source: source)
    #expect(throws: StorageError.self) {
      try catalog.enqueue(Sample.page(), source: "other", listing: listing, force: false)
    }
    #expect(try list(listing, "a").new == 1)
    _ = try catalog.finishListing(listing, source: source, isCompleteEnumeration: false)
    #expect(throws: StorageError.self) { try list(listing, "b") }
  }

  @Test func `what a listing named counts for that one alone`() throws {
    try CatalogConformance.archive(catalog, Sample.item("a"))
    let first = try catalog.beginListing(source: source)
    _ = try list(first, "a")
    _ = try catalog.finishListing(first, source: source, isCompleteEnumeration: false)
    let second = try catalog.beginListing(source: source)
    #expect(
      try catalog.finishListing(second, source: source, isCompleteEnumeration: true) == 1)
    #expect(try catalog.item(key("a"))?.state == .deleted)
  }

  @Test func `an id that a listing deletes and then names again counts again`() throws {
    try CatalogConformance.archive(catalog, Sample.item("a"))
    let listing = try catalog.beginListing(source: source)
    #expect(try list(listing, "a").unchanged == 1)
    #expect(try list(listing, deleted: ["a"]).deleted == 1)
    let again = try list(listing, "a")
    #expect((again.returned, again.unchanged) == (1, 1))
  }

  @Test func `what is revisited again keeps the attempts that failed`() throws {
    try CatalogConformance.archive(catalog, Sample.item("a"))
    for attempts in [0, 1, 2] {
      _ = try list(try catalog.beginListing(source: source), "a", revisited: ["a"])
      let work = try CatalogConformance.work(catalog, force: true)
      #expect(work.map(\.attempts) == [attempts])
      try catalog.recordFailure(key("a"), message: "no", nextAttempt: nil, gaveUp: false)
    }
  }

  @Test(arguments: [(8 * 86_400, false), (8 * 86_400 + 1, true)] as [(Double, Bool)])
  func `an entry waits for eight days at most`(seconds: Double, isDue: Bool) throws {
    _ = try list(try catalog.beginListing(source: source), "a")
    try catalog.recordFailure(
      key("a"), message: "no", nextAttempt: Sample.now + seconds, gaveUp: false)
    #expect(try CatalogConformance.work(catalog).isEmpty != isDue)
  }

  @Test func `an entry without a title has that of the archived item`() throws {
    try CatalogConformance.archive(catalog, Sample.item("a"))
    for (id, title) in [("a", ""), ("b", ""), ("c", "Own")] {
      let reference = ItemReference(id: id, revision: "r2", title: title)
      try CatalogConformance.enqueue(catalog, reference)
      try catalog.recordFailure(key(id), message: "no", nextAttempt: nil, gaveUp: false)
    }
    let titles = try catalog.failures(source: nil).map(\.work.reference.title)
    #expect(titles == ["Own", "", "Title of a"], "the last failure first")
  }

  @Test func `an incomplete entry is not released among those that failed`() throws {
    var item = Sample.item("a")
    item.losses = Losses(pictures: 1)
    try catalog.record([.publish(Sample.publication(item, retryImagesAt: Sample.now + 60))])
    #expect(try catalog.release(source: nil, ids: [], waiting: true) == 0)
    #expect(try catalog.release(source: nil, ids: [], waiting: true, incomplete: true) == 1)
  }

  @Test func `a place has the digest of its list of checksums, if it is recorded`() throws {
    var item = Sample.item("a")
    item.manifest = "digest"
    try CatalogConformance.archive(catalog, item, Sample.item("b"))
    #expect(try catalog.folders(after: "", limit: 9).map(\.manifest) == ["digest", ""])
    try execute("UPDATE items SET record = 'rubbish'")
    #expect(try catalog.folders(after: "", limit: 9).map(\.manifest) == ["", ""])
  }

  private func fingerprints() throws -> [ItemKey: UInt64] {
    var found: [ItemKey: UInt64] = [:]
    try catalog.forEachStoredItem { _, _ in
      true
    } _: { stored in
      found[stored.key] = stored.fingerprint
    }
    return found
  }

  @Test func `records without a hash are told by their bytes`() throws {
    let items = ["a", "b", "c"].map { Sample.item($0) }
    for item in items { try CatalogConformance.archive(catalog, item) }
    let before = try fingerprints()
    #expect(Set(before.keys) == Set(items.map(\.key)) && Set(before.values).count == 3)
    try execute("UPDATE items SET record_hash = NULL")
    #expect(try fingerprints() == before)
  }

  @Test func `a record that cannot be read is damaged`() throws {
    try CatalogConformance.archive(catalog, Sample.item("a"))
    try execute("UPDATE items SET record = 'rubbish'")
    let error = #expect(throws: StorageError.self) { try catalog.item(key("a")) }
    #expect(error?.code == .damaged)
    #expect(try catalog.itemCount(source: nil) == 1)
  }

  @Test func `a catalog without a pool offers every asset`() throws {
    let object = StoredObject(sha256: Digest.sha256Hex("a"), byteCount: 1)
    let asset = CachedAsset(url: "https://a.example/", object: object, mediaType: "image/png")
    let intents = [Intent.publish(Sample.publication(Sample.item("a"), assets: [asset]))]
    let trial = try SQLiteCatalog.trial(of: nil, sources: [])
    for catalog in [catalog, trial] {
      #expect(try catalog.asset(url: asset.url) == nil)
      try catalog.record(intents)
      #expect(try catalog.asset(url: asset.url) == asset)
    }
    #expect(!trial.isReadOnly)
  }

  @Test func `a trial catalog has all rows of its sources`() throws {
    try CatalogConformance.archive(catalog, Sample.item("a"), Sample.item("b"))
    let listing = try catalog.beginListing(source: source)
    _ = try catalog.enqueue(
      Sample.page(Sample.reference("c"), Sample.reference("d"), checkpoint: "here"),
      source: source, listing: listing, force: false)
    for id in ["a", "c"] { try catalog.setPinned(true, key(id)) }
    for kind in ["first", "second"] {
      _ = try catalog.beginRun(RunRecord(source: source, kind: kind, started: Sample.now))
    }
    let trial = try SQLiteCatalog.trial(of: catalog, sources: ["other", source])
    for id in ["a", "b"] { #expect(try trial.item(key(id)) == catalog.item(key(id))) }
    #expect(try CatalogConformance.work(trial) == CatalogConformance.work(catalog))
    #expect(try trial.checkpoint(source: source) == Checkpoint("here"))
    #expect(try trial.pins(source: nil) == [key("a"), key("c")])
    #expect(try trial.runs(source: nil, limit: 9).map(\.kind) == ["second", "first"])
    #expect(try SQLiteCatalog.trial(of: catalog, sources: []).itemCount(source: nil) == 0)
  }

  @Test func `a catalog that cannot be created says why`() {
    let error = #expect(throws: StorageError.self) {
      try SQLiteCatalog(path: folder.at("none/catalog.sqlite"))
    }
    #expect(error?.code == .notWritable)
    #expect(error?.message.contains("/none/catalog.sqlite") == true)
  }

  @Test func `no view can be read`() throws {
    let connection = try Connection(path: folder.at("views"), mode: .readWrite)
    try connection.execute("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t")
    #expect(try !connection.has("SELECT 1 FROM t"))
    #expect(throws: StorageError.self) { try connection.has("SELECT 1 FROM v") }
  }

  /// The codes of https://sqlite.org/rescode.html; the last ones are extended.
  @Test(
    arguments: [
      (13, .full), (10, .io), (11, .damaged), (26, .damaged), (9, .damaged), (8, .notWritable),
      (14, .notWritable), (3, .notWritable), (23, .notWritable), (5, .locked), (6, .locked),
      (1, .io), (266, .io), (1032, .notWritable), (517, .locked),
    ] as [(Int32, StorageError.Code)])
  func `an error of SQLite becomes one of the archive`(code: Int32, expected: StorageError.Code) {
    let error = StorageError.sqlite(code, nil, "/archive/catalog.sqlite")
    #expect(error.code == expected)
    #expect(error.message.contains("/archive/catalog.sqlite"))
  }
}
