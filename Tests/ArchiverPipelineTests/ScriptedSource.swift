import ArchiverCore
import ArchiverTestKit
import Synchronization

/// A source whose items, failures and images a test sets, with counts of its requests.
final class ScriptedSource: Sendable {
  struct Item: Sendable {
    var id: String
    var revision = "1"
    var title: String
    var html: String?
    /// By default a page of `site.example`.
    var url: String?
    var date: Date?
    var labels: [String] = []
    var isPinned: Bool?
    var attachments: [Attachment] = []
    var annotations: [Annotation] = []
    var links: [ItemLink] = []
    var addresses: [String] = []
    var error: AdapterError?
    var kind = ItemMetadata.Kind.article
    var properties: [ItemProperty] = []
    var missing: [MissingPart] = []
    var record: String?
  }

  struct State: Sendable {
    var items: [String: Item] = [:]
    var pictures: [String: ServerResponse] = [:]
    /// The valid signature; without one, any is valid.
    var signature: String?
    /// How many more times a path returns 202.
    var preparing: [String: Int] = [:]
    /// The content of an item from its second request on.
    var later: [String: Item] = [:]
    var listingError: AdapterError?
    /// The errors of single pages by the number of items before them; each is thrown once.
    var pageErrors: [Int: AdapterError] = [:]
    /// The gaps that the last page of a listing reports.
    var gaps: [ListingGap] = []
    var account: SourceAccount?
    var accountError: AdapterError?
    var accountRecord: Result<JSONValue?, AdapterError> = .success(nil)
    /// An incremental listing returns nothing.
    var isIncremental = false
    var pageSize = 10
    /// Whether a listing ends before its first page.
    var isPageless = false
    var deleted: [String] = []
    /// Ids that listings report as to be fetched again although their revisions are the same.
    var revisited: Set<String> = []
    /// Whether listings report that they are complete.
    var isComplete = true
    /// The availability of items that a listing does not return.
    var standings: [String: ItemStanding] = [:]
    var standingRequests: [[String]] = []
    /// The ids over which the server fails when it is asked for availability.
    var failingStandings: Set<String> = []
    var namesTitles = true
    var checkpoints: [Checkpoint?] = []
    var itemRequests: [String] = []
    /// The number of items of each request.
    var batches: [Int] = []
  }

  /// Whether it reports that it is reachable.
  let answersHead = Mutex(true)
  /// The number of requests for pictures that time out before all others are answered.
  let failingPictures = Mutex(0)
  /// The answers to the first requests for pictures.
  let cuts = Mutex<[ServerResponse]>([])
  /// What it reports first, each value once.
  let nextHeads = Mutex<[Bool]>([])
  static let origin = "http://source.example"
  /// The answer of a server that does not respond in time.
  static let silence = ServerResponse(200).misbehaving(.stallAfter(0, .seconds(1)))

  let state = Mutex(State())

  init(count: Int = 0) {
    for number in 0..<count { set(ScriptedSource.article(number)) }
  }

  /// An article with a number of its own in text, date and pictures.
  static func article(_ number: Int, pictures: Int = 1) -> Item {
    let images = (0..<pictures).map { "<p><img src=\"/pic/\(number)-\($0).gif\" alt=\"p\"></p>" }
    let words = (0..<80).map { "word\(number)x\($0)" }.joined(separator: " ")
    return Item(
      id: "item\(number)", title: "Article \(number)",
      html: "<section><p>\(words)</p>\(images.joined())</section>",
      date: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60))
  }

  func set(_ item: Item) { state.withLock { $0.items[item.id] = item } }

  func change(_ id: String, _ body: @Sendable (inout Item) -> Void) {
    state.withLock { state in
      guard var item = state.items[id] else { return }
      body(&item)
      state.items[id] = item
    }
  }

  func picture(_ path: String, _ response: ServerResponse?) {
    state.withLock { $0.pictures[path] = response }
  }

  var itemRequests: [String] { state.withLock { $0.itemRequests } }
  var checkpoints: [Checkpoint?] { state.withLock { $0.checkpoints } }

  /// A GIF of one pixel whose bytes differ by its path.
  static func gif(_ path: String, width: Int = 4, height: Int = 3) -> [UInt8] {
    let size = [width, height].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let head: [UInt8] =
      Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
    let comment: [UInt8] =
      [0x21, 0xFE, UInt8(min(path.utf8.count, 255))] + path.utf8.prefix(255) + [0]
    return head + comment + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
  }

  /// Answers requests for pictures.
  @Sendable func serve(_ request: ServerRequest) -> ServerResponse {
    if let query = state.withLock({ $0.signature }),
      request.parameter("X-Amz-Signature").map({ $0 != query }) ?? false
    {
      return ServerResponse(403)
    }
    if request.method == "HEAD" {
      let next = nextHeads.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      return ServerResponse(next ?? answersHead.withLock { $0 } ? 200 : 503)
    }
    let isFailing = failingPictures.withLock { count in
      defer { count = max(0, count - 1) }
      return count > 0
    }
    if isFailing { return ScriptedSource.silence }
    if let cut = cuts.withLock({ $0.popLast() }) { return cut }
    let isPreparing = state.withLock { state in
      guard let count = state.preparing[request.path], count > 0 else { return false }
      state.preparing[request.path] = count - 1
      return true
    }
    if isPreparing { return ServerResponse(202) }
    if let response = state.withLock({ $0.pictures[request.path] }) { return response }
    return .data(ScriptedSource.gif(request.path), type: "image/gif")
  }
}

struct ScriptedAdapter: SourceAdapter {
  struct Configuration: Decodable, Sendable {}

  static let kind = "scripted"
  static let properties = AdapterProperties(
    title: "Scripted", summary: "For tests", settings: [], batchSize: 4,
    contentClasses: ["title", "icon", "remarks"], remarkClass: "remarks", titleClass: "title")

  static func access(_ configuration: Configuration) throws(AdapterError) -> SourceAccess {
    throw AdapterError(.configuration, "not used in tests")
  }

  let source: ScriptedSource

  init(source: ScriptedSource) { self.source = source }

  init(configuration: Configuration, context: AdapterContext) throws(AdapterError) {
    throw AdapterError(.configuration, "not used in tests")
  }

  func listing(since checkpoint: Checkpoint?) -> PagedListing<Int> {
    let source = source
    source.state.withLock { $0.checkpoints.append(checkpoint) }
    return PagedListing(0) { (offset: inout Int) throws(AdapterError) in
      let start = offset
      let (page, error): (ListingPage?, AdapterError?) = source.state.withLock { state in
        if let error = state.listingError ?? state.pageErrors.removeValue(forKey: start) {
          return (nil, error)
        }
        let isSince = checkpoint != nil && state.isIncremental
        let all =
          isSince
          ? []
          : state.items.values.sorted {
            ($0.date ?? .distantPast, $0.id) > ($1.date ?? .distantPast, $1.id)
          }
        guard !state.isPageless, start == 0 || start < all.count else { return (nil, nil) }
        let part = all[start..<min(start + state.pageSize, all.count)]
        let isLast = start + part.count >= all.count
        return (
          ListingPage(
            references: part.map {
              ItemReference(
                id: $0.id, revision: $0.revision,
                title: state.namesTitles ? $0.title : "", date: $0.date)
            },
            deleted: isLast ? state.deleted : [],
            checkpoint: isLast ? Checkpoint("after \(all.count)") : nil, total: all.count,
            isCompleteEnumeration: isLast && state.isComplete && !isSince,
            gaps: isLast ? state.gaps : [], revisited: state.revisited), nil
        )
      }
      if let error { throw error }
      offset = start + (page?.references.count ?? 0)
      if page?.references.isEmpty == true { offset += 1 }
      return page
    }
  }

  func account() async throws(AdapterError) -> SourceAccount? {
    let (account, error) = source.state.withLock { ($0.account, $0.accountError) }
    if let error { throw error }
    return account
  }

  func accountRecord() async throws(AdapterError) -> JSONValue? {
    try source.state.withLock { $0.accountRecord }.get()
  }

  func standings(of ids: [String]) async throws(AdapterError) -> [String: ItemStanding] {
    let (answer, error): ([String: ItemStanding], AdapterError?) = source.state.withLock { state in
      state.standingRequests.append(ids)
      if let id = ids.first(where: state.failingStandings.contains) {
        return ([:], AdapterError(.unavailable, "the server fails over \(id)"))
      }
      return (state.standings.filter { ids.contains($0.key) }, nil)
    }
    if let error { throw error }
    return answer
  }

  func titles(of ids: [String]) async -> [String: String] {
    source.state.withLock { state in
      state.items.filter { ids.contains($0.key) }.mapValues(\.title)
    }
  }

  func items(_ references: [ItemReference]) async -> [Result<SourceItem, AdapterError>] {
    source.state.withLock { $0.batches.append(references.count) }
    return await OneByOne(adapter: self).items(references)
  }

  /// Fetches items one at a time, like a source without batches.
  private struct OneByOne: Source {
    let adapter: ScriptedAdapter

    func listing(since checkpoint: Checkpoint?) -> PagedListing<Int> {
      adapter.listing(since: checkpoint)
    }

    func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
      try await adapter.item(reference)
    }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    let item = source.state.withLock { state in
      let isAgain = state.itemRequests.contains(reference.id)
      state.itemRequests.append(reference.id)
      return (isAgain ? state.later[reference.id] : nil) ?? state.items[reference.id]
    }
    guard let item else { throw AdapterError(.notFound, "There is no \(reference.id)") }
    if let error = item.error { throw error }
    var metadata = ItemMetadata(kind: item.kind, title: item.title)
    metadata.properties = item.properties
    metadata.labels = item.labels
    metadata.isPinned = item.isPinned
    metadata.added = item.date
    metadata.url = item.url ?? "https://site.example/\(item.id)"
    let current = ItemReference(
      id: item.id, revision: item.revision, title: item.title, date: item.date)
    return SourceItem(
      reference: current, metadata: metadata,
      body: item.html.map {
        .html(Array($0.utf8), baseURL: WebURL(ScriptedSource.origin + "/"))
      } ?? .none(reason: "It has no text."), attachments: item.attachments,
      annotations: item.annotations, links: item.links, addresses: item.addresses,
      record: Array((item.record ?? "{\"id\":\"\(item.id)\"}").utf8), missing: item.missing)
  }
}
