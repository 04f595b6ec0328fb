import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ReadeckAdapter

/// A fake server, a client without sockets and an adapter on it.
struct ReadeckStage {
  let server: FakeReadeck
  let client: HandlerHTTPClient
  var configuration: ReadeckConfiguration
  let events = EventRecord()
  var clock = ArchiverClock.system

  init(
    _ address: String = "http://reads.test/", server: FakeReadeck = FakeReadeck(),
    token: String? = nil,
    failing: @escaping @Sendable (ServerRequest) -> ServerResponse? = { _ in nil }
  ) throws {
    self.server = server
    configuration = ReadeckConfiguration(
      url: address, token: Secret(token ?? server.behaviour.token))
    let access = try ReadeckAdapter.access(configuration)
    client = HandlerHTTPClient(
      handlers: [access.origin: { failing($0) ?? server.handle($0) }], access: access)
  }

  func adapter() throws -> ReadeckAdapter {
    try ReadeckAdapter(
      configuration: configuration,
      context: AdapterContext(name: "readeck", http: client, clock: clock, events: events))
  }

  /// The paths requested so far, without `/api/`, each with its method unless GET.
  var paths: [String] {
    client.requests.map { request in
      (request.method == "GET" ? "" : "\(request.method) ")
        + request.path.replacing("/api/", with: "")
    }
  }

  /// Adds plain articles.
  @discardableResult
  func fill(_ count: Int) -> [String] {
    (1...count).map { number in
      var bookmark = FakeReadeck.Bookmark(
        url: "https://example.org/\(number)", title: "Article \(number)",
        html: "<section><p>Text number \(number).</p></section>")
      bookmark.wordCount = 3
      return server.add(bookmark)
    }
  }

  /// Adds an article that contains images only; returns its id.
  func gallery(pictures: Int = 40) -> String {
    var bookmark = FakeReadeck.Bookmark(url: "https://gallery.test/many", title: "Pictures")
    bookmark.resources = (1...pictures).map { .init("p\($0).jpg", "image/jpeg", [UInt8($0)]) }
    bookmark.html =
      "<section><p>Look at this.</p>"
      + bookmark.resources.map { "<img src=\"./_resources/\($0.name)\"/>" }.joined() + "</section>"
    return server.add(bookmark)
  }

  /// The error of a listing that must fail.
  func listingError() async -> AdapterError? {
    await adapterError { _ = try await adapter().listed() }
  }
}

/// Keeps the log lines of a source.
final class EventRecord: EventSink {
  private let kept = Mutex<[String]>([])

  func send(_ event: Event) {
    if case .log(let level, _, let message) = event {
      kept.withLock { $0.append("\(level): \(message)") }
    }
  }

  var lines: [String] { kept.withLock { $0 } }
}

/// The result of a full listing.
struct Listed {
  var references: [ItemReference] = []
  var deleted: [String] = []
  var checkpoint: Checkpoint?
  var isComplete = false
  var gaps: [String] = []
  var pages = 0

  var ids: [String] { references.map(\.id) }
}

extension ReadeckAdapter {
  func listed(since checkpoint: Checkpoint? = nil) async throws -> Listed {
    var listed = Listed()
    for try await page in listing(since: checkpoint) {
      listed.references += page.references
      listed.deleted += page.deleted
      listed.checkpoint = page.checkpoint ?? listed.checkpoint
      listed.isComplete = page.isCompleteEnumeration
      listed.gaps += page.gaps.map(\.message)
      listed.pages += 1
    }
    return listed
  }

  func fetch(_ id: String) async throws(AdapterError) -> SourceItem {
    try await item(ItemReference(id: id, revision: ""))
  }

  /// The error of fetching an item that must fail.
  func failure(_ id: String) async -> AdapterError? {
    do throws(AdapterError) {
      _ = try await fetch(id)
      return nil
    } catch {
      return error
    }
  }
}

extension SourceItem {
  /// The body's HTML; empty without a body.
  var html: String {
    if case .html(let bytes, _) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  /// The reason for a missing body; `nil` if there is a body.
  var reason: String? {
    if case .none(let reason) = body { reason } else { nil }
  }

  func attachment(_ role: ArchiverCore.Attachment.Role) -> String? {
    for attachment in attachments where attachment.role == role {
      if case .remote(let url) = attachment.location { return url.absoluteString }
    }
    return nil
  }
}

func adapterError(_ work: () async throws -> Void) async -> AdapterError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? AdapterError
  }
}
