import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline
@testable import ArchiverStorage

/// What the catalog has recorded of a URL.
@Suite struct RecordedAssetTests {
  private let source = ScriptedSource()

  private func with(
    _ body: (Archive, AssetFetcher, RunSource, HandlerHTTPClient) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with("pipeline") { folder in
      let archive = try Archive.open(
        path: folder + "/archive", mode: .readWrite(holder: "test"))
      let origin = try #require(WebURL(ScriptedSource.origin))
      let client = HandlerHTTPClient(baseURL: origin, handler: source.serve)
      let fetcher = AssetFetcher(
        catalog: archive.catalog, pool: archive.objects,
        limiter: DownloadLimiter(total: 32, perHost: 32, exemptHosts: []), clock: .system,
        events: SilentEventSink())
      try await body(
        archive, fetcher,
        RunSource(
          name: "scripted", adapter: ScriptedAdapter(source: source), client: client,
          origin: origin.origin), client)
    }
  }

  private func request(_ number: Int) throws -> AssetRequest {
    let path = "/pic/\(number).gif"
    source.picture(path, .data(ScriptedSource.gif(path), type: "image/gif"))
    return AssetRequest(
      url: try #require(WebURL("\(ScriptedSource.origin)\(path)")), content: .image,
      limits: Limits())
  }

  /// Records a file for the URL in the catalog, fresh for an hour.
  private func record(_ request: AssetRequest, in archive: Archive) throws {
    let object = try archive.objects.store(ScriptedSource.gif("recorded"))
    let item = CatalogItem(
      key: ItemKey(source: "scripted", id: "other"), revision: "1", folder: "scripted/other",
      metadata: ItemMetadata(kind: .article, title: "Other"), firstArchived: Date(),
      lastArchived: Date(), contentHash: "1")
    try archive.catalog.record([
      .publish(
        Publication(
          item: item,
          assets: [
            CachedAsset(
              url: request.cacheKey, object: object, mediaType: "image/gif",
              freshUntil: Date(timeIntervalSinceNow: 3_600))
          ], objects: [object], retryImagesAt: nil, manifest: "m", staged: "s"))
    ])
  }

  @Test func `a fresh file is not requested`() async throws {
    try await with { archive, fetcher, run, client in
      let known = try request(0)
      try record(known, in: archive)
      guard case .stored(_, bytes: 0) = await fetcher.fetch(known, for: run) else {
        Issue.record("the file that is there does not serve")
        return
      }
      #expect(client.requests.isEmpty)
    }
  }

  @Test func `a catalog that cannot be read fails the file`() async throws {
    try await with { archive, fetcher, run, client in
      try archive.catalog.write("test") { (db) throws(StorageError) in
        try db.execute("DROP TABLE assets")
      }
      let wanted = try request(0)
      guard case .failed(let failure) = await fetcher.fetch(wanted, for: run) else {
        Issue.record("it did not fail")
        return
      }
      #expect(failure.storage != nil && client.requests.isEmpty)
    }
  }
}
