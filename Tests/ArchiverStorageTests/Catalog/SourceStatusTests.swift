import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The status of sources, and the queue entries of items that lack something.
struct SourceStatusTests {
  private let folder: ScratchFolder
  private let catalog: SQLiteCatalog
  private let now = Sample.now

  init() throws {
    folder = try ScratchFolder()
    catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
  }

  private func key(_ id: String) -> ItemKey { ItemKey(source: "readeck", id: id) }

  private func finish(
    _ outcome: RunRecord.Outcome, at seconds: Double, source: String = "readeck"
  ) throws {
    var run = RunRecord(source: source, kind: source, started: now + seconds)
    let id = try catalog.beginRun(run)
    run.outcome = outcome
    run.finished = run.started + 5
    try catalog.finishRun(id, run)
  }

  private func publish(_ id: String, _ losses: Losses? = nil, retry: Date? = nil) throws {
    var item = Sample.item(id)
    item.byteCount = 10
    item.losses = losses
    try catalog.record([.publish(Sample.publication(item, retryImagesAt: retry))])
  }

  private func status() throws -> SourceStatus { try #require(try catalog.sources().first) }

  @Test func `a status counts items and queue entries by their state`() throws {
    try finish(.ok, at: 0)
    for id in ["a", "b", "c"] { try publish(id) }
    for id in ["d", "e", "f"] { try publish(id, Losses(pictures: 1), retry: now + 60) }
    let standings: [String: ItemStanding] = ["a": .withheld, "b": .withheld, "c": .gone]
    _ = try catalog.note(standings, source: "readeck")
    for id in ["x", "y", "z"] { try CatalogConformance.enqueue(catalog, Sample.reference(id)) }
    try catalog.recordFailure(key("z"), message: "m", nextAttempt: now + 60, gaveUp: false)
    let found = try status()
    #expect((found.itemCount, found.byteCount) == (6, 60))
    #expect((found.withheld, found.deleted) == (2, 1))
    #expect((found.waiting, found.failing, found.incomplete) == (2, 1, 3))
  }

  @Test func `a source that never answered fails since its first run`() throws {
    for seconds in [0.0, 60] {
      try finish(.sourceFailed, at: seconds)
      #expect(try status().failingSince == now)
      #expect(try status().lastSuccess == nil)
    }
    try finish(.partial, at: 120)
    #expect(try status().failingSince == nil)
    #expect(try status().lastSuccess == now + 125)
    try finish(.sourceFailed, at: 180)
    try finish(.interrupted, at: 240)
    #expect(try status().failingSince == now + 180)
    #expect(try status().lastSuccess == now + 125)
  }

  @Test func `sources come by name, and their runs by time`() throws {
    for (seconds, source) in [(0.0, "readeck"), (60, "books"), (120, "readeck")] {
      try finish(.ok, at: seconds, source: source)
    }
    #expect(try catalog.sources().map(\.source) == ["books", "readeck"])
    #expect(try catalog.sources().map(\.kind) == ["books", "readeck"])
    #expect(try catalog.sources().map(\.lastRun?.started) == [now + 60, now + 120])
    #expect(try catalog.runs(source: nil, limit: 2).map(\.source) == ["readeck", "books"])
    #expect(try catalog.runs(source: "readeck", limit: 9).count == 2)
  }

  @Test(arguments: [nil, 60.0])
  func `an item that lacks an essential part stays queued as failed`(seconds: Double?) throws {
    let retry = seconds.map { now + $0 }
    try publish("a", Losses([MissingPart(.text, name: "", reason: "503")]), retry: retry)
    let failures = try catalog.failures(source: nil)
    #expect(failures.map(\.key) == [key("a")])
    let work = try #require(failures.first?.work)
    #expect(work.reason == .incomplete)
    #expect(work.attempts == 1)
    #expect(work.gaveUp == (retry == nil))
    #expect(work.nextAttempt == retry)
    #expect(work.failure == "the text is missing (503)")
  }

  @Test func `an item that lacks an image is not queued without a time for it`() throws {
    try publish("a", Losses(pictures: 1))
    #expect(try catalog.queueState(key("a")) == nil)
    try publish("a", Losses(pictures: 1), retry: now)
    #expect(try catalog.queueState(key("a"))?.attempts == 1)
    #expect(try catalog.failures(source: nil).isEmpty)
    #expect(try catalog.incomplete(source: "readeck").map(\.key) == [key("a")])
    try publish("a")
    #expect(try catalog.queueState(key("a")) == nil)
  }
}
