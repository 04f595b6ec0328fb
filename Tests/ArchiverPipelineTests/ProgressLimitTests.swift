import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

/// How many requests a run makes at a time, and when it publishes.
@Suite struct ProgressLimitTests {
  /// Counts the requests in flight. Each stays in flight until the expected number was reached, and a
  /// little longer, so that one too many is noticed.
  private final class Gauge: Sendable {
    private struct Counts {
      var now = 0
      var most = 0
    }

    private let expected: Int
    private let counts = Mutex(Counts())

    init(expected: Int) { self.expected = expected }

    var most: Int { counts.withLock { $0.most } }

    func pass() async {
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      for _ in 0..<3_000 where most < expected { try? await Task.sleep(for: .milliseconds(1)) }
      try? await Task.sleep(for: .milliseconds(5))
      counts.withLock { $0.now -= 1 }
    }
  }

  /// A source whose requests for items a gauge counts.
  private struct GaugedSource: Source {
    let adapter: ScriptedAdapter
    let gauge: Gauge

    func listing(since checkpoint: Checkpoint?) -> PagedListing<Int> {
      adapter.listing(since: checkpoint)
    }

    func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
      try await adapter.item(reference)
    }

    func items(_ references: [ItemReference]) async -> [Result<SourceItem, AdapterError>] {
      await gauge.pass()
      return await adapter.items(references)
    }
  }

  /// A client whose requests a gauge counts.
  private struct GaugedClient: HTTPClient {
    let client: HandlerHTTPClient
    let gauge: Gauge

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      await gauge.pass()
      return try await client.send(request)
    }
  }

  private static let elsewhere = "http://elsewhere.example"

  private static func client(_ source: ScriptedSource) throws -> HandlerHTTPClient {
    let own = try #require(WebURL(ScriptedSource.origin)).origin
    let other = try #require(WebURL(elsewhere)).origin
    return HandlerHTTPClient(handlers: [own: source.serve, other: source.serve])
  }

  private static func run(
    _ source: RunSource, _ options: RunOptions = RunOptions(), clock: ArchiverClock = .system
  ) async throws -> SourceReport {
    try await TemporaryFolder.with("pipeline") { folder in
      let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
      let run = ArchiveRun(archive: archive, sources: [source], options: options, clock: clock)
      let report = await run.run()
      return try #require(report.sources.first)
    }
  }

  @Test(arguments: [(1, false, 4), (2, false, 2), (4, false, 2), (1, true, 1), (4, true, 1)])
  func `a source gets four requests for single items at a time or two for several`(
    batchSize: Int, hasBudget: Bool, most: Int
  ) async throws {
    let scripted = ScriptedSource()
    for number in 0..<12 { scripted.set(ScriptedSource.article(number, pictures: 0)) }
    let gauge = Gauge(expected: most)
    var source = RunSource(
      name: "scripted", kind: "scripted",
      properties: AdapterProperties(title: "", summary: "", settings: [], batchSize: batchSize),
      adapter: GaugedSource(adapter: ScriptedAdapter(source: scripted), gauge: gauge),
      client: try Self.client(scripted), origin: WebURL(ScriptedSource.origin)?.origin)
    // A budget is allotted in the order of the queue.
    source.maxBytes = hasBudget ? 100_000_000 : nil
    #expect(try await Self.run(source).archived == 12)
    #expect(gauge.most == most)
  }

  @Test(
    arguments: [
      (ScriptedSource.origin, 1, 1, 1), (ScriptedSource.origin, 2, 1, 3),
      (ScriptedSource.origin, 3, 2, 5), (elsewhere, 3, 2, 2), (elsewhere, 3, 1, 1),
    ])
  func `one download less than twice the jobs runs at a time, fewer from a host of others`(
    server: String, jobs: Int, perHost: Int, most: Int
  ) async throws {
    let scripted = ScriptedSource()
    let images = (0..<6).map { "<p><img src=\"\(server)/p\($0).gif\" alt=\"p\"></p>" }
    var item = ScriptedSource.article(0, pictures: 0)
    item.html? += images.joined()
    scripted.set(item)
    let gauge = Gauge(expected: most)
    let source = RunSource(
      name: "scripted", adapter: ScriptedAdapter(source: scripted),
      client: GaugedClient(client: try Self.client(scripted), gauge: gauge),
      origin: WebURL(ScriptedSource.origin)?.origin)
    let report = try await Self.run(source, RunOptions(jobs: jobs, jobsPerHost: perHost))
    #expect((report.archived, report.imagesMissing) == (1, 0))
    #expect(gauge.most == most)
  }

  @Test
  func `bundles that have waited for more than two seconds are published before all are there`()
    async throws
  {
    let scripted = ScriptedSource()
    // The newest comes first, and its picture is not ready.
    for number in 0..<9 {
      scripted.set(ScriptedSource.article(number, pictures: number == 8 ? 1 : 0))
    }
    scripted.state.withLock { $0.preparing = ["/pic/8-0.gif": 1_000_000] }
    try await TemporaryFolder.with("pipeline") { folder in
      let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
      let published = Mutex(0)
      // The time advances when the last item has been requested.
      let start = Date(timeIntervalSince1970: 1_800_000_000)
      let clock = ArchiverClock(
        now: { start.addingTimeInterval(scripted.itemRequests.count < 9 ? 0 : 2.5) },
        sleep: { _ in
          let count = try await Condition.value(every: .milliseconds(2), limit: .seconds(10)) {
            let count = try archive.catalog.itemCount(source: nil)
            return count == 0 ? nil : count
          }
          published.withLock { $0 = max($0, count ?? 0) }
          scripted.state.withLock { $0.preparing = [:] }
        })
      let source = RunSource(
        name: "scripted", adapter: ScriptedAdapter(source: scripted),
        client: try Self.client(scripted), origin: WebURL(ScriptedSource.origin)?.origin)
      let report = await ArchiveRun(
        archive: archive, sources: [source], options: RunOptions(), clock: clock
      ).run()
      #expect(report.sources.map(\.archived) == [9])
      #expect((1..<9).contains(published.withLock { $0 }))
    }
  }
}
