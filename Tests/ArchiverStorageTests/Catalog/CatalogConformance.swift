import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The contract of catalogs, with a check for each clause that `SQLiteCatalog` states.
/// Another implementation can run the same checks.
struct CatalogConformance: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (SQLiteCatalog) throws -> Void

  init(_ sentence: String, _ check: @escaping @Sendable (SQLiteCatalog) throws -> Void) {
    testDescription = sentence
    self.check = check
  }

  static let all = listing + standings + queue + items + deferring + mending + runs

  static let source = "readeck"

  static func key(_ id: String) -> ItemKey { ItemKey(source: source, id: id) }

  static func archive(
    _ catalog: SQLiteCatalog, _ items: CatalogItem..., retryImagesAt: Date? = nil
  ) throws {
    let intents = items.map { Intent.publish(Sample.publication($0, retryImagesAt: retryImagesAt)) }
    try catalog.announce(intents)
    try catalog.record(intents)
  }

  static func fingerprint(_ catalog: SQLiteCatalog, _ wanted: ItemKey) throws -> UInt64 {
    var found: UInt64?
    try catalog.forEachStoredItem { _, key in
      key() == wanted
    } _: { stored in
      found = stored.fingerprint
    }
    return try #require(found)
  }

  @discardableResult
  static func enqueue(
    _ catalog: SQLiteCatalog, _ references: ItemReference..., deleted: [String] = [],
    force: Bool = false
  ) throws -> PlanSummary {
    let listing = try catalog.beginListing(source: source)
    return try catalog.enqueue(
      ListingPage(references: references, deleted: deleted), source: source, listing: listing,
      force: force)
  }

  static func work(
    _ catalog: SQLiteCatalog, limit: Int? = nil, only: [String] = [],
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
    CatalogConformance("an id that a listing returns twice counts once, and again if it is forced")
    {
      let listing = try $0.beginListing(source: "s")
      func summary(_ catalog: SQLiteCatalog, force: Bool = false) throws -> PlanSummary {
        try catalog.enqueue(
          ListingPage(references: [Sample.reference("a")]), source: "s", listing: listing,
          force: force)
      }
      #expect(try summary($0).new == 1)
      #expect(try summary($0) == PlanSummary())
      #expect(try summary($0, force: true).new == 1)
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
    CatalogConformance("what is revisited is queued as changed and not counted, until it is listed")
    {
      try archive($0, Sample.item("a"))
      let listing = try $0.beginListing(source: source)
      let page = ListingPage(references: [Sample.reference("a")], revisited: ["a", "other"])
      let summary = try $0.enqueue(page, source: source, listing: listing, force: false)
      #expect(summary == PlanSummary())
      #expect(try work($0).map(\.reason) == [.changed])
      try enqueue($0, Sample.reference("a"))
      #expect(try work($0).isEmpty)
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
    _ listing: ListingID, _ catalog: SQLiteCatalog, _ reference: ItemReference
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
      _ = try $0.putOff(
        key("a"), until: Sample.now + 5, message: "still loading", now: Sample.now)
      #expect(try work($0).isEmpty)
      let found = try work($0, now: Sample.now + 5)
      #expect(found.map(\.attempts) == [0])
      #expect(found.first?.failure == "still loading")
      #expect(try $0.failures(source: nil).isEmpty)
    },
    CatalogConformance("an entry is put off since the first time, until it changes") {
      try enqueue($0, Sample.reference("a"))
      func putOff(_ catalog: SQLiteCatalog, at now: Date) throws -> Date {
        try catalog.putOff(key("a"), until: nil, message: "m", now: now)
      }
      #expect(try putOff($0, at: Sample.now) == Sample.now)
      #expect(try putOff($0, at: Sample.now + 9) == Sample.now)
      try enqueue($0, Sample.reference("a"))
      #expect(try putOff($0, at: Sample.now + 10) == Sample.now)
      // A clock that was ahead.
      #expect(try putOff($0, at: Sample.now - 9) == Sample.now - 9)
      try enqueue($0, Sample.reference("a", revision: "2"))
      #expect(try putOff($0, at: Sample.now + 11) == Sample.now + 11)
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
}
