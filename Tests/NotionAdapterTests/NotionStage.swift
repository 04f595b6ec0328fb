import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Synchronization
import Testing

@testable import NotionAdapter

/// A fake workspace, an adapter that reads it, and a clock whose waits return immediately.
struct NotionStage: Sendable {
  let server: FakeNotion
  let client: HandlerHTTPClient
  let clock = StageClock()
  var configuration: NotionConfiguration

  /// - Parameter tamper: returns what to answer in place of the workspace; `nil` lets it answer.
  init(
    _ server: FakeNotion = FakeNotion(), token: String = "ntn_good",
    tamper: @escaping @Sendable (ServerRequest) -> ServerResponse? = { _ in nil }
  ) throws {
    self.server = server
    let api = try #require(WebURL(FakeNotion.address))
    let files = try #require(WebURL(FakeNotion.fileAddress))
    let handle: @Sendable (ServerRequest) -> ServerResponse = { tamper($0) ?? server.handle($0) }
    client = HandlerHTTPClient(
      handlers: [api.origin: handle, files.origin: handle],
      access: SourceAccess(baseURL: api, credential: .bearer(Secret(token))))
    configuration = NotionConfiguration(token: Secret(token))
  }

  func adapter() throws -> NotionAdapter {
    try NotionAdapter(
      configuration: configuration,
      context: AdapterContext(name: "notion", http: client, clock: clock.clock))
  }

  /// The result of a listing.
  struct Listed {
    var references: [String: ItemReference] = [:]
    var deleted: [String] = []
    var checkpoint: Checkpoint?
    var isComplete = false
    var gaps: [ListingGap] = []
  }

  func list(since checkpoint: Checkpoint? = nil) async throws -> Listed {
    try await collect(try adapter().listing(since: checkpoint))
  }

  /// Does a full listing, as once a week.
  func listAnew(knowing checkpoint: Checkpoint?) async throws -> Listed {
    try await collect(try adapter().wholeListing(knowing: checkpoint))
  }

  private func collect(_ listing: NotionAdapter.Listing) async throws -> Listed {
    var listed = Listed()
    for try await page in listing {
      for reference in page.references { listed.references[reference.id] = reference }
      listed.deleted += page.deleted
      listed.checkpoint = page.checkpoint ?? listed.checkpoint
      listed.isComplete = page.isCompleteEnumeration
      listed.gaps += page.gaps
    }
    return listed
  }

  func item(_ id: String) async throws -> SourceItem {
    try await adapter().item(ItemReference(id: id, revision: ""))
  }

  /// The HTML of an item.
  func html(_ id: String) async throws -> String {
    try await item(id).html
  }

  /// Requests whose path has this part.
  func requests(_ part: String) -> Int {
    client.requests.count { $0.path.contains(part) }
  }
}

extension SourceItem {
  var html: String {
    if case .html(let bytes, _) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  func inline(_ name: String) -> String? {
    for attachment in attachments where attachment.name == name {
      if case .inline(let bytes) = attachment.location {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    return nil
  }
}

/// A clock that starts at 2026-11-21 and sums up sleeps.
final class StageClock: Sendable {
  private let state = Mutex((now: 1_795_219_200.0, slept: [Duration]()))

  var clock: ArchiverClock {
    ArchiverClock(
      now: { Date(timeIntervalSince1970: self.state.withLock { $0.now }) },
      sleep: { duration in
        try Task.checkCancellation()
        self.state.withLock { $0.slept.append(duration) }
      })
  }

  var slept: [Duration] { state.withLock { $0.slept } }

  func advance(_ seconds: Double) { state.withLock { $0.now += seconds } }
}

/// Renders blocks without a server.
enum Render {
  static let page = NotionID("00000000000000000000000000000001")

  /// Returns the HTML of blocks without their ids.
  static func html(_ blocks: [FakeBlock], context: RenderContext? = nil) -> String {
    var tree = BlockTree()
    for block in blocks { add(block, below: nil, &tree) }
    var html = HTMLWriter()
    BlockRenderer(tree: tree, context: context ?? RenderContext(page: page, title: "Page"))
      .write(to: &html)
    return String(decoding: html.bytes, as: UTF8.self)
  }

  private static func add(_ block: FakeBlock, below parent: Int?, _ tree: inout BlockTree) {
    let node = BlockTree.Node(
      id: block.id.flatMap { NotionID($0) }, type: block.type, payload: block.payload.slim,
      parent: nil, depth: 0, hasChildren: !block.children.isEmpty)
    let index = tree.append(node, below: parent)
    for child in block.children { add(child, below: index, &tree) }
  }
}
