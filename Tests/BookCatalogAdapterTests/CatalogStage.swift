import ArchiverCore
import ArchiverTestKit

@testable import BookCatalogAdapter

/// A catalog and an adapter that reads it, in memory.
struct CatalogStage {
  static let base = "https://books.test"
  let client: HandlerHTTPClient
  let adapter: BookCatalogAdapter

  /// The system's time, without pauses.
  static let clock = ArchiverClock(now: ArchiverClock.system.now, sleep: { _ in })

  init(
    _ handler: @escaping HandlerHTTPClient.Handler, path: String = "/opds",
    token: Secret? = nil, clock: ArchiverClock = CatalogStage.clock,
    _ change: (inout BookCatalogConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = BookCatalogConfiguration(url: CatalogStage.base + path)
    configuration.token = token
    change(&configuration)
    let access = try BookCatalogAdapter.access(configuration)
    client = HandlerHTTPClient(handlers: [access.origin: handler], access: access)
    adapter = try BookCatalogAdapter(
      configuration: configuration,
      context: AdapterContext(name: "books", http: client, clock: clock))
  }

  /// A catalog with one response per path.
  init(
    pages: [String: String], clock: ArchiverClock = CatalogStage.clock,
    _ change: (inout BookCatalogConfiguration) -> Void = { _ in }
  ) throws {
    try self.init(
      { request in
        pages[request.target].map { .text($0, type: "application/octet-stream") }
          ?? .text("not found", status: 404)
      }, clock: clock, change)
  }

  struct Listed {
    var references: [ItemReference] = []
    var isComplete = false
    var gaps: [ListingGap] = []
    var checkpoint: Checkpoint?

    var hasEssentialGap: Bool { gaps.contains { $0.isEssential } }
  }

  func list(since checkpoint: Checkpoint? = nil) async throws -> Listed {
    var listed = Listed()
    for try await page in adapter.listing(since: checkpoint) {
      listed.checkpoint = page.checkpoint ?? listed.checkpoint
      listed.references += page.references
      listed.gaps += page.gaps
      listed.isComplete = page.isCompleteEnumeration
    }
    return listed
  }

  func paths() -> [String] { client.requests.map(\.target) }
}

func atom(_ content: String, attributes: String = "xmlns=\"http://www.w3.org/2005/Atom\"") -> String
{
  "<?xml version=\"1.0\"?><feed \(attributes)><title>T</title><id>x</id>\(content)</feed>"
}

func book(_ id: String, _ links: String? = nil, extra: String = "") -> String {
  let link =
    links
    ?? "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/f/\(id).epub\"/>"
  return
    "<entry><title>\(id)</title><id>\(id)</id><updated>2026-01-01T00:00:00Z</updated>\(extra)\(link)</entry>"
}
