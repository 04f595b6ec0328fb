import ArchiverCore
import Testing

@testable import ArchiverStorage

/// What every catalog must do, a check for each sentence of the contracts of `Catalog` and
/// `PublicationCatalog`. A second kind of catalog runs the same checks.
struct CatalogConformance: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (any PublicationCatalog) throws -> Void

  init(_ sentence: String, _ check: @escaping @Sendable (any PublicationCatalog) throws -> Void) {
    testDescription = sentence
    self.check = check
  }

  static let all = listing + standings + queue + items + mending + runs

  static let source = "readeck"

  static func key(_ id: String) -> ItemKey { ItemKey(source: source, id: id) }

  static func archive(
    _ catalog: any PublicationCatalog, _ items: CatalogItem..., retryImagesAt: Date? = nil
  ) throws {
    let intents = items.map { Intent.publish(Sample.publication($0, retryImagesAt: retryImagesAt)) }
    try catalog.announce(intents)
    try catalog.record(intents)
  }

  @discardableResult
  static func enqueue(
    _ catalog: any PublicationCatalog, _ references: ItemReference..., deleted: [String] = [],
    force: Bool = false
  ) throws -> PlanSummary {
    let listing = try catalog.beginListing(source: source)
    return try catalog.enqueue(
      ListingPage(references: references, deleted: deleted), source: source, listing: listing,
      force: force)
  }

  static func work(
    _ catalog: any PublicationCatalog, limit: Int? = nil, only: [String] = [],
    now: Date = Sample.now, force: Bool = false, after: ItemReference? = nil
  ) throws -> [WorkItem] {
    let selection = WorkSelection(limit: limit, only: only, now: now, force: force, after: after)
    let found = try catalog.work(source: source, selection)
    if limit == nil { #expect(try catalog.workCount(source: source, selection) == found.count) }
    return found
  }

  private static let listing = [
    CatalogConformance("an unknown id is new, a differing revision changed, an equal one nothing") {
      try archive($0, Sample.item("same"), Sample.item("differs"))
      let summary = try enqueue(
        $0, Sample.reference("same"), Sample.reference("differs", revision: "r2"),
        Sample.reference("unknown"))
      #expect((summary.new, summary.changed, summary.unchanged) == (1, 1, 1))
      let found = try work($0)
      #expect(found.map(\.reference.id) == ["differs", "unknown"])
      #expect(found.map(\.reason) == [.changed, .new])
    },
    CatalogConformance("a reference comes back as it was given") {
      let reference = Sample.reference("ü/../\u{0}x", date: 1_700_000_000.25, payload: "{\"a\":1}")
      try enqueue($0, reference)
      #expect(try work($0).map(\.reference) == [reference])
    },
    CatalogConformance("an equal revision takes an entry out of the queue") {
      try archive($0, Sample.item("a"))
      try enqueue($0, Sample.reference("a", revision: "r2"))
      try enqueue($0, Sample.reference("a"))
      #expect(try work($0).isEmpty)
    },
    CatalogConformance("an incomplete entry stays although its revision is archived") {
      try enqueue($0, Sample.reference("a", payload: "note"))
      try archive($0, Sample.item("a"), retryImagesAt: Sample.now + 10)
      let summary = try enqueue($0, Sample.reference("a", payload: "new note"))
      #expect(summary.retries == 1)
      #expect(try work($0).isEmpty)
      let found = try work($0, now: Sample.now + 10)
      #expect(found.map(\.reason) == [.incomplete])
      #expect(found.first?.reference.payload == "new note")
      #expect(found.first?.attempts == 1)
    },
    CatalogConformance("an incomplete entry whose revision differs is changed") {
      try archive($0, Sample.item("a"), retryImagesAt: Sample.now + 10)
      try enqueue($0, Sample.reference("a", revision: "r2"))
      #expect(try work($0).map(\.reason) == [.changed])
      #expect(try work($0).map(\.attempts) == [0])
    },
    CatalogConformance("attempts stay with the revision and start over with another") {
      try enqueue($0, Sample.reference("a"))
      try $0.recordFailure(
        key("a"), message: "no", nextAttempt: Sample.now + 60, gaveUp: false)
      let same = try enqueue($0, Sample.reference("a"))
      #expect((same.new, same.retries) == (0, 1))
      #expect(try work($0).isEmpty)
      #expect(try work($0, force: true).first?.attempts == 1)
      let other = try enqueue($0, Sample.reference("a", revision: "r2"))
      #expect((other.new, other.retries) == (1, 0))
      let found = try work($0)
      #expect(found.map(\.attempts) == [0])
      #expect(found.first?.failure == nil)
      #expect(found.first?.nextAttempt == nil)
    },
    CatalogConformance("force queues what is archived as changed") {
      try archive($0, Sample.item("a"))
      try enqueue($0, Sample.reference("a"), force: true)
      #expect(try work($0).map(\.reason) == [.changed])
    },
    CatalogConformance("a checkpoint is stored with its page, and kept when a page has none") {
      #expect(try $0.checkpoint(source: source) == nil)
      let listing = try $0.beginListing(source: source)
      for checkpoint in ["c1", nil] {
        _ = try $0.enqueue(
          Sample.page(checkpoint: checkpoint), source: source, listing: listing, force: false)
        #expect(try $0.checkpoint(source: source) == Checkpoint("c1"))
      }
      #expect(try $0.checkpoint(source: "other") == nil)
    },
    CatalogConformance("a deleted id is marked at once and leaves the queue") {
      try archive($0, Sample.item("a"))
      try enqueue($0, Sample.reference("a", revision: "r2"), Sample.reference("b"))
      let summary = try enqueue($0, deleted: ["a", "b", "never seen"])
      #expect(summary.deleted == 1)
      #expect(try $0.item(key("a"))?.state == .deleted)
      #expect(try work($0).isEmpty)
    },
    CatalogConformance("a complete listing marks what it did not name") {
      try archive($0, Sample.item("a"), Sample.item("gone"), Sample.item("x", source: "other"))
      let listing = try $0.beginListing(source: source)
      try enqueueIn(listing, $0, Sample.reference("gone too"))
      let second = try $0.beginListing(source: source)
      try enqueueIn(second, $0, Sample.reference("a"))
      try enqueueIn(second, $0, Sample.reference("b"))
      let deleted = try $0.finishListing(second, source: source, isCompleteEnumeration: true)
      #expect(deleted == 1)
      #expect(try $0.item(key("a"))?.state == .archived)
      #expect(try $0.item(key("gone"))?.state == .deleted)
      #expect(try $0.item(ItemKey(source: "other", id: "x"))?.state == .archived)
      #expect(try work($0).map(\.reference.id) == ["b"])
    },
    CatalogConformance("an incomplete listing marks nothing") {
      try archive($0, Sample.item("a"))
      try enqueue($0, Sample.reference("b"))
      let listing = try $0.beginListing(source: source)
      #expect(
        try $0.finishListing(listing, source: source, isCompleteEnumeration: false) == 0)
      #expect(try $0.item(key("a"))?.state == .archived)
      #expect(try work($0).count == 1)
    },
    CatalogConformance("a listing that was not begun cannot end and mark everything") { catalog in
      try archive(catalog, Sample.item("a"))
      #expect(throws: StorageError.self) {
        try catalog.finishListing(ListingID(99), source: source, isCompleteEnumeration: true)
      }
      #expect(try catalog.item(key("a"))?.state == .archived)
    },
    CatalogConformance("a deleted item that is named again is archived again") {
      try archive($0, Sample.item("a"))
      try enqueue($0, deleted: ["a"])
      try enqueue($0, Sample.reference("a"))
      #expect(try $0.item(key("a"))?.state == .archived)
      #expect(try work($0).isEmpty)
    },
  ]

  static func enqueueIn(
    _ listing: ListingID, _ catalog: any PublicationCatalog, _ reference: ItemReference
  ) throws {
    _ = try catalog.enqueue(
      Sample.page(reference), source: source, listing: listing, force: false)
  }

  private static let queue = [
    CatalogConformance("work is newest first, undated last, then by id, and goes on after one") {
      try enqueue(
        $0, Sample.reference("z"), Sample.reference("b", date: 5), Sample.reference("c", date: 9),
        Sample.reference("a", date: 5), Sample.reference("y"))
      let order = ["c", "a", "b", "y", "z"]
      #expect(try work($0).map(\.reference.id) == order)
      #expect(try work($0, limit: 2).map(\.reference.id) == ["c", "a"])
      var after: ItemReference?
      for id in order {
        let next = try work($0, limit: 1, after: after)
        #expect(next.map(\.reference.id) == [id])
        after = next.first?.reference
      }
      #expect(try work($0, limit: 1, after: after).isEmpty)
    },
    CatalogConformance("work leaves what is not due or gave up, unless forced") {
      try enqueue($0, Sample.reference("due"), Sample.reference("later"), Sample.reference("up"))
      try $0.recordFailure(key("due"), message: "m", nextAttempt: Sample.now, gaveUp: false)
      try $0.recordFailure(key("later"), message: "m", nextAttempt: Sample.now + 1, gaveUp: false)
      try $0.recordFailure(key("up"), message: "m", nextAttempt: nil, gaveUp: true)
      #expect(try work($0).map(\.reference.id) == ["due"])
      #expect(try work($0, now: Sample.now + 1).map(\.reference.id) == ["due", "later"])
      #expect(try work($0, force: true).map(\.reference.id) == ["due", "later", "up"])
      #expect(try work($0, force: true).map(\.gaveUp) == [false, false, true])
    },
    CatalogConformance("what a wrong clock put off for years is due when the clock is right") {
      try enqueue($0, Sample.reference("soon"), Sample.reference("years"))
      try $0.recordFailure(
        key("soon"), message: "m", nextAttempt: Sample.now + 7 * 86_400, gaveUp: false)
      try $0.recordFailure(
        key("years"), message: "m", nextAttempt: Sample.now + 70 * 365 * 86_400, gaveUp: false)
      #expect(try work($0).map(\.reference.id) == ["years"])
      let all = WorkSelection(now: Sample.now)
      #expect(try $0.workCount(source: "readeck", all) == 1)
    },
    CatalogConformance("work can be limited to some ids") {
      try enqueue($0, Sample.reference("a"), Sample.reference("b\"'"), Sample.reference("c"))
      #expect(try work($0, only: ["b\"'", "none", "c"]).map(\.reference.id) == ["b\"'", "c"])
    },
    CatalogConformance("putting off counts no attempt") {
      try enqueue($0, Sample.reference("a"))
      try $0.putOff(key("a"), until: Sample.now + 5, message: "still loading")
      #expect(try work($0).isEmpty)
      let found = try work($0, now: Sample.now + 5)
      #expect(found.map(\.attempts) == [0])
      #expect(found.first?.failure == "still loading")
      #expect(try $0.failures(source: nil).isEmpty)
    },
    CatalogConformance("failures come most recent first and per source") {
      try enqueue($0, Sample.reference("a"), Sample.reference("b"), Sample.reference("c"))
      for id in ["a", "b", "a"] {
        try $0.recordFailure(key(id), message: "no \(id)", nextAttempt: nil, gaveUp: false)
      }
      let found = try $0.failures(source: source)
      #expect(found.map(\.key) == [key("a"), key("b")])
      #expect(found.map(\.work.attempts) == [2, 1])
      #expect(found.map(\.work.failure) == ["no a", "no b"])
      #expect(try $0.failures(source: "other").isEmpty)
      #expect(try $0.failures(source: nil).count == 2)
    },
    CatalogConformance("removed work is gone") {
      try enqueue($0, Sample.reference("a"), Sample.reference("b"))
      try $0.removeWork(key("a"))
      #expect(try work($0).map(\.reference.id) == ["b"])
    },
    CatalogConformance("publishing takes an item out of the queue or leaves it incomplete") {
      try enqueue($0, Sample.reference("a"), Sample.reference("b", payload: "note"))
      try archive($0, Sample.item("a"))
      try archive($0, Sample.item("b"), retryImagesAt: Sample.now)
      #expect(try work($0).map(\.reference.id) == ["b"])
      #expect(try work($0).first?.reference.payload == "note")
      try archive($0, Sample.item("b"), retryImagesAt: Sample.now)
      #expect(try work($0).map(\.attempts) == [2])
      #expect(try $0.failures(source: nil).isEmpty)
    },
  ]

  private static let items = [
    CatalogConformance("an item comes back as it was published") {
      let item = Sample.item("a\u{0}/é", archived: 0.123456)
      try archive($0, item)
      #expect(try $0.item(item.key) == item)
      #expect(try $0.item(key("none")) == nil)
    },
    CatalogConformance("items come newest first until told to stop, per source") { catalog in
      try archive(
        catalog, Sample.item("a", archived: 1), Sample.item("b", archived: 3),
        Sample.item("c", source: "other", archived: 2))
      var seen: [String] = []
      try catalog.forEachItem(source: nil) {
        seen.append($0.key.id)
        // The catalog may be asked from within.
        return try catalog.itemCount(source: nil) == 3
      }
      #expect(seen == ["b", "c", "a"])
      seen = []
      try catalog.forEachItem(source: source) {
        seen.append($0.key.id)
        return false
      }
      #expect(seen == ["b"])
      #expect(try catalog.itemCount(source: source) == 2)
      #expect(try catalog.itemCount(source: "none") == 0)
    },
    CatalogConformance("a stored item tells its key and its record") { catalog in
      let items = [Sample.item("a\u{0}/é"), Sample.item("b"), Sample.item("a", source: "other")]
      for item in items { try archive(catalog, item) }
      var seen: [ItemKey: StoredItem.Record] = [:]
      try catalog.forEachStoredItem { stored in
        let key = stored.key
        seen[key] = stored.record
        #expect(key == stored.key)
        return true
      }
      // Records are read after their rows, and after what they are of has changed.
      for item in items { try catalog.markUnchanged(item.key, revision: "later") }
      #expect(
        try seen.mapValues { try $0.item() }
          == Dictionary(uniqueKeysWithValues: items.map { ($0.key, $0) }))
    },
    CatalogConformance("an unchanged item takes its new revision and leaves the queue") {
      try archive($0, Sample.item("a"))
      try enqueue($0, Sample.reference("a", revision: "r2"))
      try $0.markUnchanged(key("a"), revision: "r2")
      #expect(try $0.item(key("a"))?.revision == "r2")
      #expect(try work($0).isEmpty)
      #expect(try enqueue($0, Sample.reference("a", revision: "r2")).unchanged == 1)
    },
    CatalogConformance("an address gives what it gave last") {
      var asset = CachedAsset(
        url: "https://example.org/a.png",
        object: StoredObject(sha256: String(repeating: "a", count: 64), byteCount: 3),
        mediaType: "image/png", width: 1, height: nil, etag: "\"x\"", lastModified: nil,
        freshUntil: Sample.now)
      for width in [1, 2] {
        asset.width = width
        let publication = Sample.publication(Sample.item("a"), assets: [asset])
        try $0.record([.publish(publication)])
        #expect(try $0.asset(url: asset.url) == asset)
      }
      #expect(try $0.asset(url: "https://example.org/") == nil)
    },
    CatalogConformance("the known among addresses are those that gave something") {
      let urls = ["https://example.org/a.png", "https://example.org/ä/\"b\\\".png?c=%7B'd'", "e"]
      let assets = urls.map {
        CachedAsset(
          url: $0, object: StoredObject(sha256: String(repeating: "a", count: 64), byteCount: 3),
          mediaType: "image/png")
      }
      try $0.record([.publish(Sample.publication(Sample.item("a"), assets: assets))])
      #expect(try $0.knownAssets(urls + ["https://example.org/", urls[1]]) == Set(urls))
      #expect(try $0.knownAssets(["d", urls[0]]) == [urls[0]])
      #expect(try $0.knownAssets([]) == [])
    },
    CatalogConformance("intents are found until recorded or abandoned") {
      let publication = Sample.publication(Sample.item("a"))
      let first = Intent.publish(publication)
      let second = Intent.remove(key("b"), folder: "readeck/b")
      var announced = publication
      let object = StoredObject(sha256: String(repeating: "a", count: 64), byteCount: 3)
      announced.assets = [CachedAsset(url: "u", object: object, mediaType: "image/png")]
      try $0.announce([.publish(announced), second])
      // What the assets were is in the bundle.
      #expect(try $0.intents() == [first, second])
      #expect(try $0.itemCount(source: nil) == 0)
      try $0.record([first])
      #expect(try $0.intents() == [second])
      try $0.abandon([key("b")])
      #expect(try $0.intents().isEmpty)
      #expect(try $0.itemCount(source: nil) == 1)
    },
    CatalogConformance("a recorded removal takes item and work away") {
      try archive($0, Sample.item("a"), retryImagesAt: Sample.now)
      try $0.record([.remove(key("a"), folder: "readeck/a")])
      #expect(try $0.item(key("a")) == nil)
      #expect(try work($0).isEmpty)
    },
  ]

  private static let runs = [
    CatalogConformance("a run comes back as it ended; one that never ended died") {
      var run = RunRecord(source: source, kind: "readeck", started: Sample.now)
      _ = try $0.beginRun(run)
      #expect(try $0.runs(source: nil, limit: 9).map(\.outcome) == [nil])
      run.started += 60
      let second = try $0.beginRun(run)
      run.finished = Sample.now + 70
      run.outcome = .partial
      run.failure = "one item failed"
      (run.archived, run.unchanged, run.failed) = (1, 2, 3)
      (run.images, run.imagesMissing, run.byteCount) = (4, 5, 6)
      try $0.finishRun(second, run)
      let found = try $0.runs(source: source, limit: 9)
      #expect(found.map(\.outcome) == [.partial, .died])
      #expect(found.first == run)
      #expect(try $0.runs(source: nil, limit: 1).count == 1)
      #expect(try $0.runs(source: "other", limit: 9).isEmpty)
    },
    CatalogConformance("a source's status says how it stands and since when it fails") { catalog in
      #expect(try catalog.sources().isEmpty)
      let outcomes: [RunRecord.Outcome] = [.ok, .sourceFailed, .sourceFailed, .interrupted]
      for (index, outcome) in outcomes.enumerated() {
        var run = RunRecord(
          source: source, kind: "readeck", started: Sample.now + Double(index) * 60)
        let id = try catalog.beginRun(run)
        run.outcome = outcome
        run.finished = run.started + 5
        try catalog.finishRun(id, run)
      }
      var item = Sample.item("a")
      item.byteCount = 100
      try archive(catalog, item)
      let waiting = ["b", "c", "d", "e"].map { Sample.reference($0) }
      for reference in waiting { try enqueue(catalog, reference) }
      try catalog.recordFailure(key("b"), message: "m", nextAttempt: nil, gaveUp: false)
      try catalog.recordFailure(
        key("d"), message: "m", nextAttempt: Sample.now + 3600, gaveUp: false)
      try catalog.recordFailure(key("e"), message: "m", nextAttempt: nil, gaveUp: true)
      let status = try #require(try catalog.sources().first)
      #expect((status.source, status.kind) == (source, "readeck"))
      #expect((status.itemCount, status.byteCount) == (1, 100))
      #expect((status.waiting, status.failing) == (2, 3))
      #expect(status.lastRun?.outcome == .interrupted)
      #expect(status.lastSuccess == Sample.now + 5)
      #expect(status.failingSince == Sample.now + 60)
    },
  ]
}
