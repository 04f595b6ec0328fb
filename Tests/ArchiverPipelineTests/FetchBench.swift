import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// A fetcher with an archive in a temporary folder, a client without sockets and a clock that skips
/// delays.
struct FetchBench: Sendable {
  /// Records the delays, and the progress of downloads.
  final class Record: EventSink {
    private let slept = Mutex<[Duration]>([])
    private let lines = Mutex<[String]>([])

    var delays: [Duration] { slept.withLock { $0 } }
    var progress: [String] { lines.withLock { $0 } }

    func sleep(_ delay: Duration) { slept.withLock { $0.append(delay) } }

    func send(_ event: Event) {
      guard case .downloading(let source, let id, let bytes, let total) = event else { return }
      lines.withLock { $0.append("\(source) \(id) \(bytes ?? -1) of \(total ?? -1)") }
    }
  }

  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  let source: ScriptedSource
  let archive: Archive
  let client: HandlerHTTPClient
  let limiter: DownloadLimiter
  let record: Record
  let fetcher: AssetFetcher

  static func with(_ body: (FetchBench) async throws -> Void) async throws {
    try await TemporaryFolder.with("fetch") { path in
      try await body(try FetchBench(path: path + "/archive"))
    }
  }

  private init(path: String) throws {
    let (source, record) = (ScriptedSource(), Record())
    let own = try #require(WebURL(ScriptedSource.origin))
    let other = try #require(WebURL("http://elsewhere.example"))
    self.source = source
    self.record = record
    archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    client = HandlerHTTPClient(handlers: [own.origin: source.serve, other.origin: source.serve])
    limiter = DownloadLimiter(total: 1, perHost: 1, exemptHosts: [])
    let clock = ArchiverClock(now: { FetchBench.now }, sleep: { record.sleep($0) })
    fetcher = AssetFetcher(
      catalog: archive.catalog, pool: archive.objects, limiter: limiter, clock: clock,
      events: record)
  }

  /// A source of this name; its own server is that of `ScriptedSource`.
  func run(_ name: String = "scripted") -> RunSource {
    RunSource(
      name: name, adapter: ScriptedAdapter(source: source), client: client,
      origin: WebURL(ScriptedSource.origin)?.origin)
  }

  func request(
    _ path: String, _ content: AssetRequest.Content = .image, limits: Limits = Limits(),
    item: String? = nil, revalidates: Bool = false, isMain: Bool = false
  ) throws -> AssetRequest {
    AssetRequest(
      url: try #require(WebURL(ScriptedSource.origin + path)), content: content, limits: limits,
      item: item, revalidates: revalidates, isMain: isMain)
  }

  func fetch(_ path: String, of name: String = "scripted") async throws -> AssetOutcome {
    let request = try request(path)
    return await fetcher.fetch(request, for: run(name))
  }

  func failure(of request: AssetRequest) async throws -> AssetFailure {
    try FetchBench.failure(await fetcher.fetch(request, for: run()))
  }

  static func failure(_ outcome: AssetOutcome) throws -> AssetFailure {
    guard case .failed(let failure) = outcome else {
      throw ChildProcess.Failure("the file was fetched")
    }
    return failure
  }

  /// The number of requests for files.
  var requests: Int { client.requests.count { $0.method == "GET" } }

  /// Records a file for a URL in the catalog that must be revalidated.
  func keep(_ request: AssetRequest) throws {
    let object = try archive.objects.store(ScriptedSource.gif("recorded"))
    let item = CatalogItem(
      key: ItemKey(source: "scripted", id: "other"), revision: "1", folder: "scripted/other",
      metadata: ItemMetadata(kind: .article, title: "Other"), firstArchived: Date(),
      lastArchived: Date(), contentHash: "1")
    let asset = CachedAsset(url: request.cacheKey, object: object, mediaType: "image/gif")
    try archive.catalog.record([
      .publish(
        Publication(
          item: item, assets: [asset], objects: [object], retryImagesAt: nil, manifest: "m",
          staged: "s"))
    ])
  }
}
