import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

/// What the tally of a run records of items that were kept, deferred, left out or evicted.
struct TallyRecordTests {
  private static let start = Date(timeIntervalSince1970: 1_750_000_000)
  private static let key = ItemKey(source: "scripted", id: "item0")

  private static func work(attempts: Int = 0) -> WorkItem {
    let reference = ItemReference(id: "item0", revision: "1", title: "A title")
    return WorkItem(reference: reference, reason: .new, attempts: attempts)
  }

  private static func tally(
    _ events: any EventSink = SilentEventSink(), attempts limit: Int = 10
  ) -> ItemTally {
    var limits = Limits()
    limits[.attempts] = limit
    return ItemTally(
      report: SourceReport(name: "scripted", kind: "scripted"), events: events, limits: limits)
  }

  private static func item(_ losses: [MissingPart] = []) -> CatalogItem {
    CatalogItem(
      key: key, revision: "1", folder: "scripted/item0",
      metadata: ItemMetadata(kind: .article, title: "A title"), firstArchived: start,
      lastArchived: start, contentHash: "", losses: Losses(losses))
  }

  private static let picture = MissingPart(
    .picture, name: "a", reason: "404", isPermanent: false, isEssential: false)

  private static func entry(_ catalog: SQLiteCatalog) throws -> WorkItem? {
    try catalog.work(source: "scripted", WorkSelection(now: .distantFuture, force: true)).first
  }

  private func withQueue(_ body: (SQLiteCatalog) throws -> Void) async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      try await bench.plan()
      try body(bench.archive.catalog)
    }
  }

  @Test(
    arguments: [
      (0, 10, 1), (1, 10, 2), (2, 10, 4), (8, 10, 168), (9, 10, nil), (0, 1, nil), (0, 2, 1),
      (1, 2, nil),
    ] as [(Int, Int, Int?)])
  func `a part that the better copy lacks is asked for until the attempts are used up`(
    before: Int, limit: Int, hours: Int?
  ) async throws {
    try await withRecorded([Self.item([Self.picture])]) { archive in
      let events = RecordedEvents()
      var tally = Self.tally(events, attempts: limit)
      try tally.settle(
        Self.work(attempts: before), .kept(revision: "2", reason: "it is worse", isNew: true),
        now: Self.start, catalog: archive.catalog)
      let found = try Self.entry(archive.catalog)
      #expect(found?.nextAttempt == hours.map { Self.start.addingTimeInterval(Double($0) * 3_600) })
      #expect(found?.attempts == hours.map { _ in before + 1 })
      #expect(try archive.catalog.item(Self.key)?.revision == "2")
      #expect(tally.report.kept.map(\.message) == ["it is worse"])
      #expect(events.outcomes == [.kept(reason: "it is worse")])
    }
  }

  @Test(arguments: [false, true])
  func `a copy that is worse leaves the queue and is news once`(isNew: Bool) async throws {
    try await withQueue { catalog in
      var tally = Self.tally()
      try tally.settle(
        Self.work(), .kept(revision: "2", reason: "it is worse", isNew: isNew), now: Self.start,
        catalog: catalog)
      #expect(try Self.entry(catalog) == nil)
      #expect(tally.report.kept.map(\.id) == ["item0"])
      #expect(tally.report.heldBack.map(\.id) == (isNew ? ["item0"] : []))
    }
  }

  @Test func `an unchanged item leaves the queue and is counted`() async throws {
    try await withQueue { catalog in
      let events = RecordedEvents()
      var tally = Self.tally(events)
      try tally.settle(
        Self.work(), .unchanged(revision: "2"), now: Self.start, catalog: catalog)
      #expect(try Self.entry(catalog) == nil)
      #expect(tally.report.unchanged == 1)
      #expect(events.outcomes == [.unchanged])
    }
  }

  @Test(arguments: [(0, 1), (1, 2), (2, 4), (8, 168)])
  func `an essential part that is still missing is asked for as often as any failure`(
    before: Int, hours: Int
  ) async throws {
    try await withQueue { catalog in
      var tally = Self.tally()
      let part = MissingPart(.mainFile, name: "", reason: "404")
      try tally.settle(
        Self.work(attempts: before), .stillMissing(Losses([part])), now: Self.start,
        catalog: catalog)
      let found = try #require(try Self.entry(catalog))
      #expect(found.nextAttempt == Self.start.addingTimeInterval(Double(hours) * 3_600))
      #expect(!found.gaveUp)
      #expect(tally.report.losses.total == 1)
      #expect(tally.report.failed.map(\.message) == ["the file is still missing (404)"])
    }
  }

  @Test func `an item without space is reported and waits for it`() async throws {
    try await withQueue { catalog in
      let events = RecordedEvents()
      var tally = Self.tally(events)
      try tally.held(Self.work(), needed: 500, catalog: catalog)
      let reason = "it does not fit into the storage budget"
      #expect(tally.report.held.map(\.message) == [reason])
      #expect(events.outcomes == [.deferred(reason: reason)])
      #expect(try Self.entry(catalog)?.gaveUp == true)
      #expect(try catalog.releaseHeld(source: "scripted", room: 499) == 0)
      #expect(try catalog.releaseHeld(source: "scripted", room: 500) == 1)
    }
  }

  @Test func `an item that the retention policy excludes is counted and not taken again`()
    async throws
  {
    try await withQueue { catalog in
      let events = RecordedEvents()
      var tally = Self.tally(events)
      try tally.leftOut(Self.work(), catalog: catalog)
      #expect(tally.report.leftOut == 1)
      #expect(
        events.outcomes == [.leftOut(reason: "the configured number of newer items is kept")])
      let due = WorkSelection(now: .distantFuture)
      #expect(try catalog.workCount(source: "scripted", due) == 0)
    }
  }

  @Test func `an eviction is reported, and the library must be updated`() {
    let events = RecordedEvents()
    var tally = Self.tally(events)
    tally.left(Self.item())
    #expect(tally.report.hasChanged)
    #expect(tally.report.left.map(\.id) == ["item0"])
    #expect(tally.report.left.map(\.title) == ["A title"])
    #expect(tally.report.left.map(\.message) == ["it was evicted to make space"])
    #expect(
      events.messages(.info) == ["\"A title\" was evicted to stay within the storage budget"])
  }

  @Test func `bundles that were rewritten must be updated in the library`() {
    var tally = Self.tally()
    #expect(!tally.report.hasChanged)
    tally.mended()
    #expect(tally.report.hasChanged)
  }

  @Test func `a run says once what it waits for`() {
    let events = RecordedEvents()
    let tally = Self.tally(events)
    tally.waiting(AdapterError(.unavailable, "out of order"))
    #expect(events.messages(.info) == ["out of order; waiting until it answers again"])
  }
}
