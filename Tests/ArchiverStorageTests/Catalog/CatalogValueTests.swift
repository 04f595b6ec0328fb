import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Values of the catalog, at their start and as they are stored.
struct CatalogValueTests {
  @Test func `what begins has counted nothing`() {
    let run = RunRecord(source: "a", kind: "readeck", started: Sample.now)
    #expect((run.archived, run.unchanged, run.failed) == (0, 0, 0))
    #expect((run.images, run.imagesMissing, run.byteCount) == (0, 0, 0))
    let discovery = Discovery()
    #expect((discovery.wholeFound, discovery.deletionsHeld) == (0, 0))
    let item = Sample.item("a")
    #expect((item.byteCount, item.imageCount, item.missingImages) == (0, 0, 0))
    let work = WorkItem(reference: Sample.reference("a"), reason: .new)
    #expect(work.attempts == 0 && !work.gaveUp && !work.isAgain)
    #expect(ItemStatus(nil, QueueState(reason: .new)) == .queued)
  }

  @Test func `an essential loss comes before all others, whatever its kind`() {
    let losses = Losses([
      MissingPart(.text, name: "", reason: "", isEssential: false),
      MissingPart(.picture, name: "", reason: ""),
    ])
    #expect(losses.entries.map(\.kind) == [.picture, .text])
  }

  @Test func `the first form that a kind of source defines for a URL is its address`() throws {
    let urls = try ["https://a.example/?id=1", "https://b.example/", "https://c.example/"].map {
      try #require(WebURL($0))
    }
    var forms: [AdapterProperties.LinkForm] = [{ _ in nil }]
    #expect(LinkAddress(urls[0], forms: forms) == LinkAddress(urls[0]))
    for url in urls.dropFirst() { forms.append({ _ in url }) }
    #expect(LinkAddress(urls[0], forms: forms) == LinkAddress(urls[1]))
    let key = ItemKey(source: "readeck", id: "a/b")
    #expect(LinkAddress(item: key).text == "item:readeck/a/b")
    #expect(LinkAddress(series: "Ducks", of: "readeck").text == "series:readeck/Ducks")
  }

  @Test func `the uses of a link are numbers that catalogs hold`() {
    let uses: [LinkRecord.Use] = [.shown, .named, .local, .told, .parent]
    #expect(uses.map(\.rawValue) == [1, 2, 4, 8, 16])
  }

  /// Computed from the definition with integers of any size: catalogs hold these hashes.
  @Test(
    arguments: [
      ("", 0x79cf_c3db_e5bb_fcaf), ("a", 0x876a_8a9b_3554_f118),
      ("abcdefgh", 0xb5eb_a9ef_b0cf_0600), ("abcdefghi", 0x47ff_9851_c81f_0be9),
      ("abcdefghijklmnop", 0xa899_72b7_1ff6_b76e), ("abcdefghijklmnopq", 0x5556_3dbe_2628_8027),
      ("abcdefghijklmnopqrstuvwxyz0123456789", 0x1b57_84d0_7467_2536),
    ] as [(String, UInt64)])
  func `a hash of words is the same on every machine`(text: String, hash: UInt64) {
    #expect(WordHash.of(text) == hash)
    #expect(WordHash.of(Data(text.utf8)) == hash)
  }

  @Test func `the clock of steps never goes back`() {
    let start = StepClock.seconds
    var last = start
    let end = ContinuousClock.now + .milliseconds(1)
    while ContinuousClock.now < end || last == start {
      let now = StepClock.seconds
      guard now >= last else {
        Issue.record("\(now) after \(last)")
        return
      }
      last = now
    }
    #expect(last - start < 60)
  }

  @Test func `a derived database keeps bytes and truth values, and a single change counts`() throws
  {
    let folder = try ScratchFolder()
    let path = folder.at("derived.sqlite")
    let database = try DerivedDatabase(path: path)
    try database.begin("CREATE TABLE kept (number INTEGER, value)")
    #expect(try database.run("INSERT INTO kept VALUES (?, ?)", [0, Data([1, 0, 255])]) == 1)
    #expect(try database.commit())
    try database.begin("")
    let values: [any SQLValue] = [Data(), true, false]
    for (number, value) in values.enumerated() {
      try database.run("INSERT INTO kept VALUES (?, ?)", [number + 1, value])
    }
    _ = try database.commit()
    let reader = try DerivedDatabase(reading: path)
    var bytes: [Data] = []
    try reader.rows("SELECT value FROM kept WHERE number < 2 ORDER BY number") { row in
      if !row.isNull(0) { bytes.append(row.data(0)) }
    }
    #expect(bytes == [Data([1, 0, 255]), Data()])
    var numbers: [Int] = []
    try reader.rows("SELECT value FROM kept WHERE number > 1 ORDER BY number") { row in
      numbers.append(row.int(0))
    }
    #expect(numbers == [1, 0])
    try folder.write(String(repeating: "this is no database. ", count: 200), to: "rubbish")
    let error = #expect(throws: StorageError.self) {
      try DerivedDatabase(reading: folder.at("rubbish"))
    }
    #expect(error?.code == .damaged)
  }
}
