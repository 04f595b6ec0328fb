import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline
@testable import ArchiverStorage

/// How the outcome of an item is counted, queued and told.
struct ItemTallyTests {
  private static let start = Date(timeIntervalSince1970: 1_750_000_000)
  private static let key = ItemKey(source: "scripted", id: "item0")

  /// Records the outcomes that are told.
  private final class Outcomes: EventSink {
    private let sent = Mutex<[ItemOutcome]>([])

    var all: [ItemOutcome] { sent.withLock { $0 } }

    func send(_ event: Event) {
      guard case .itemFinished(_, _, _, let outcome) = event else { return }
      sent.withLock { $0.append(outcome) }
    }
  }

  private static func work(attempts: Int = 0) -> WorkItem {
    let reference = ItemReference(id: "item0", revision: "1", title: "A title")
    return WorkItem(reference: reference, reason: .new, attempts: attempts)
  }

  private func tally(attempts limit: Int = 10, _ events: any EventSink = SilentEventSink())
    -> ItemTally
  {
    var limits = Limits()
    limits[.attempts] = limit
    return ItemTally(
      report: SourceReport(name: "scripted", kind: "scripted"), events: events, limits: limits)
  }

  /// Calls `body` with an archive in whose queue is one item.
  private func withQueue(_ body: (SQLiteCatalog) throws -> Void) async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      try await bench.plan()
      try body(bench.archive.catalog)
    }
  }

  private func entry(_ catalog: SQLiteCatalog) throws -> WorkItem? {
    try catalog.work(source: "scripted", WorkSelection(now: .distantFuture, force: true)).first
  }

  @Test(
    arguments: [
      (true, 8, 10, 168, ""), (true, 9, 10, nil, " (limits.attempts is 10)"),
      (true, 0, 1, nil, " (limits.attempts is 1)"), (true, 2, 10, 4, ""), (false, 1, 10, 2, ""),
      (false, 2, 10, nil, ""), (false, 1, 2, nil, " (limits.attempts is 2)"), (false, 0, 2, 1, ""),
    ] as [(Bool, Int, Int, Int?, String)])
  func `a failure is retried until its attempts are used up, one that cannot pass three times`(
    isRetryable: Bool, before: Int, limit: Int, hours: Int?, note: String
  ) async throws {
    try await withQueue { catalog in
      var tally = tally(attempts: limit)
      try tally.settle(
        Self.work(attempts: before), .failed("broken", isRetryable: isRetryable), now: Self.start,
        catalog: catalog)
      let givenUp = "; it is given up until it changes or 'archiver retry' requeues it"
      #expect(
        tally.report.failed.map(\.message) == ["broken" + (hours == nil ? givenUp + note : "")])
      let found = try #require(try entry(catalog))
      #expect(found.gaveUp == (hours == nil))
      #expect(found.nextAttempt == hours.map { Self.start.addingTimeInterval(Double($0) * 3_600) })
      #expect(found.attempts == 1)
    }
  }

  @Test func `an item that is put off has failed after 8 days, not before`() async throws {
    try await withQueue { catalog in
      let outcomes = Outcomes()
      var tally = tally(outcomes)
      let days = 8.0 * 86_400
      for seconds in [0, days - 1, days] {
        try tally.settle(
          Self.work(), .deferred("not ready", retryAfter: .seconds(60)),
          now: Self.start.addingTimeInterval(seconds), catalog: catalog)
        let isLast = seconds == days
        let next = try #require(try entry(catalog)?.nextAttempt)
        #expect(next.timeIntervalSince(Self.start) == seconds + (isLast ? 3_600 : 60))
      }
      let reason = "not ready; the source has listed it without delivering it for 8 days"
      #expect(tally.report.deferred.map(\.message) == ["not ready", "not ready"])
      #expect(tally.report.failed.map(\.message) == [reason])
      let deferred = ItemOutcome.deferred(reason: "not ready")
      #expect(outcomes.all == [deferred, deferred, .failed(reason: reason)])
    }
  }

  @Test(
    arguments: [(0, 10, false, 1), (8, 10, false, 168), (9, 10, false, nil), (0, 10, true, nil)]
      as [(Int, Int, Bool, Int?)])
  func `what may still come is asked for until the attempts are used up`(
    before: Int, limit: Int, isPermanent: Bool, hours: Int?
  ) async throws {
    try await withQueue { catalog in
      let outcomes = Outcomes()
      var tally = tally(attempts: limit, outcomes)
      let part = MissingPart(
        .picture, name: "a", reason: "404", isPermanent: isPermanent, isEssential: false)
      try tally.settle(
        Self.work(attempts: before), .stillMissing(Losses([part])), now: Self.start,
        catalog: catalog)
      #expect(tally.report.unchanged == 1 && tally.report.losses.total == 1)
      #expect(outcomes.all == [.unchanged])
      let next = try entry(catalog)?.nextAttempt
      #expect(next == hours.map { Self.start.addingTimeInterval(Double($0) * 3_600) })
      #expect(try (entry(catalog) == nil) == (hours == nil))
    }
  }

  @Test func `an essential part that is still missing is a failure`() async throws {
    try await withQueue { catalog in
      var tally = tally()
      let part = MissingPart(.mainFile, name: "", reason: "404")
      try tally.settle(
        Self.work(), .stillMissing(Losses([part])), now: Self.start, catalog: catalog)
      #expect(tally.report.unchanged == 0)
      #expect(tally.report.failed.map(\.message) == ["the file is still missing (404)"])
    }
  }

  private static func staged(
    _ kind: ItemMetadata.Kind = .article, _ losses: [MissingPart] = [], missing: Int = 0,
    isUnreached: Bool = false, conflict: String? = nil
  ) -> ItemProcessor.StagedItem {
    let item = CatalogItem(
      key: key, revision: "1", folder: "scripted/item0",
      metadata: ItemMetadata(kind: kind, title: "Title"), firstArchived: start,
      lastArchived: start, contentHash: "")
    let publication = Publication(
      item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: "")
    return ItemProcessor.StagedItem(
      bundle: StagedBundle(publication: publication), title: "Title", images: 3, missing: missing,
      losses: Losses(losses), isUnreached: isUnreached, byteCount: 100, claim: nil,
      conflict: conflict)
  }

  private static let picture = MissingPart(
    .picture, name: "a", reason: "404", isPermanent: false, isEssential: false)
  private static let ownPicture = MissingPart(.picture, name: "a", reason: "404")
  private static let mainFile = MissingPart(.mainFile, name: "", reason: "404")

  @Test func `what is archived is counted`() {
    let outcomes = Outcomes()
    var tally = tally(outcomes)
    tally.archived(Self.work(), Self.staged())
    #expect(tally.incomplete == [] && tally.report.conflicts == [])
    tally.archived(
      Self.work(), Self.staged(.article, [Self.picture], missing: 2, conflict: "it was edited"))
    let report = tally.report
    #expect((report.archived, report.images, report.imagesMissing) == (2, 6, 2))
    #expect((report.byteCount, report.losses.total, report.unreached) == (200, 1, 0))
    #expect(report.hasChanged && report.isWhole)
    #expect(tally.incomplete == [Self.key])
    #expect(report.conflicts.map(\.message) == ["it was edited"])
    #expect(outcomes.all == [.archived(imagesMissing: 0), .archived(imagesMissing: 2)])
  }

  @Test func `of a server that is down the items are counted, and are no failures`() {
    let outcomes = Outcomes()
    var tally = tally(outcomes)
    tally.archived(
      Self.work(), Self.staged(.article, [Self.ownPicture], missing: 1, isUnreached: true))
    tally.archived(Self.work(), Self.staged(.book, [Self.mainFile], isUnreached: true))
    tally.unreached(Self.work(), "no answer")
    #expect(tally.report.unreached == 3 && tally.report.failed.isEmpty)
    #expect(!tally.report.isWhole)
    #expect(
      outcomes.all == [
        .archived(imagesMissing: 1), .deferred(reason: "the file is missing (404)"),
        .deferred(reason: "no answer"),
      ])
  }

  @Test(
    arguments: [
      (.book, .mainFile, true), (.periodical, .mainFile, true), (.comic, .mainFile, true),
      (.document, .mainFile, false), (.book, .file, false), (.book, .text, false),
    ] as [(ItemMetadata.Kind, MissingPart.Kind, Bool)])
  func `a book without its file is told as such`(
    kind: ItemMetadata.Kind, part: MissingPart.Kind, isTold: Bool
  ) {
    var tally = tally()
    tally.archived(
      Self.work(), Self.staged(kind, [MissingPart(part, name: "", reason: "404")]))
    #expect(tally.report.failed.map(\.isBookWithoutFile) == [isTold])
    #expect(tally.report.archived == 1 && tally.report.unreached == 0)
  }

  @Test(
    arguments: [
      (.unavailable, true), (.rateLimited, true), (.malformed, false), (.unauthorized, false),
    ] as [(AdapterError.Code, Bool)])
  func `a source was out if it could not be reached, whatever else fails later`(
    code: AdapterError.Code, wasOut: Bool
  ) {
    var tally = tally()
    #expect(!tally.hadOutage)
    tally.endSource(AdapterError(code, "first"))
    tally.endSource(AdapterError(.configuration, "second"))
    #expect(tally.report.failure?.message == "first")
    #expect(tally.hadOutage == wasOut)
    tally.unreached(Self.work(), "no answer")
    #expect(tally.hadOutage)
  }
}
