package import ArchiverCore
import Synchronization

/// Notion's API without a socket: pass `handle` to a `LoopbackServer` or a `HandlerHTTPClient`.
///
/// A workspace built by the test, with responses in the form of API version 2026-03-11. It
/// truncates lists and references and signs URLs of files like Notion, and fails on demand.
package final class FakeNotion: Sendable {
  /// An object in its response form.
  struct Record: Sendable {
    var value: JSONValue
    /// The encoded value, cached; `nil` after a change.
    var text: String
    var edited: String
    var created: String
    var inTrash = false
    var isShared = true
    /// Whether search returns it.
    var isFound = true

    init(_ value: JSONValue) {
      self.value = value
      text = value.text
      edited = value["last_edited_time"]?.string ?? ""
      created = value["created_time"]?.string ?? ""
    }
  }

  struct Workspace: Sendable {
    var behaviour: Behaviour
    var pages: [String: Record] = [:]
    var databases: [String: Record] = [:]
    var sources: [String: Record] = [:]
    /// Rows by data source, in the order of creation.
    var rows: [String: [String]] = [:]
    var views: [String: Record] = [:]
    /// Views by database.
    var viewOrder: [String: [String]] = [:]
    /// The rows of each view; all of them if absent.
    var viewRows: [String: [String]] = [:]
    /// Encoded blocks by their parent.
    var children: [String: [String]] = [:]
    var blocks: [String: Record] = [:]
    var comments: [String: [JSONValue]] = [:]
    var users: [JSONValue] = []
    var idCount = 0
    /// URLs of files signed before the last change are refused.
    var signature = 1
    var files: [String: [UInt8]] = [:]
    var preparing: [String: Int] = [:]
    var faults: [(match: @Sendable (ServerRequest) -> Bool, response: ServerResponse)] = []
    var hooks: [(match: @Sendable (ServerRequest) -> Bool, run: @Sendable () -> Void)] = []
  }

  /// The behaviour of the server.
  package struct Behaviour: Sendable {
    package var token = "ntn_good"
    /// The maximum number of rows per query.
    package var rowLimit = 10_000
    /// The maximum number of references of a property in a page's response.
    package var referenceLimit = 25
    /// The page size above which requests for blocks time out; `nil` for none.
    package var slowAbove: Int?
    package var mayReadComments = true
    package var mayReadUsers = true
    package var hasViews = true
    /// The number of pages after which a search cursor is refused; `nil` for none.
    package var searchPages: Int?

    package init() {}
  }

  let workspace: Mutex<Workspace>

  package init(_ behaviour: Behaviour = Behaviour()) {
    workspace = Mutex(Workspace(behaviour: behaviour))
  }

  /// The URL of the API.
  package static let address = "https://api.notion.com"
  /// The URL of files.
  package static let fileAddress = "https://prod-files-secure.s3.us-west-2.amazonaws.com"

  package var behaviour: Behaviour {
    get { workspace.withLock { $0.behaviour } }
    set { workspace.withLock { $0.behaviour = newValue } }
  }

  /// Answers the next request that matches with this response, once.
  package func failNext(
    _ response: ServerResponse, where match: @escaping @Sendable (ServerRequest) -> Bool
  ) {
    workspace.withLock { $0.faults.append((match, response)) }
  }

  /// Answers all requests normally from now on.
  package func clearFaults() { workspace.withLock { $0.faults = [] } }

  /// Runs a closure before the next matching request is answered, once, such as an edit during a
  /// run.
  package func before(
    _ match: @escaping @Sendable (ServerRequest) -> Bool, _ run: @escaping @Sendable () -> Void
  ) {
    workspace.withLock { $0.hooks.append((match, run)) }
  }

  /// Makes all URLs of files returned so far expire.
  package func expireFiles() {
    workspace.withLock { $0.signature += 1 }
  }

  /// Makes requests for a file return 202 a number of times first.
  package func prepare(_ name: String, times: Int) {
    workspace.withLock { $0.preparing[name] = times }
  }

  /// Answers a request to the API or for a file.
  package func handle(_ request: ServerRequest) -> ServerResponse {
    let hook = workspace.withLock { workspace -> (@Sendable () -> Void)? in
      guard let index = workspace.hooks.firstIndex(where: { $0.match(request) }) else { return nil }
      return workspace.hooks.remove(at: index).run
    }
    hook?()
    return workspace.withLock { workspace in
      if let index = workspace.faults.firstIndex(where: { $0.match(request) }) {
        return workspace.faults.remove(at: index).response
      }
      if request.segments.first == "files" { return workspace.file(request) }
      return workspace.answer(request)
    }
  }

  /// Returns a client for this workspace and its files.
  package func client(token: String? = nil) throws -> HandlerHTTPClient {
    guard let api = WebURL(FakeNotion.address), let files = WebURL(FakeNotion.fileAddress) else {
      throw HTTPError(.badURL, "The addresses of the fake are wrong")
    }
    let access = SourceAccess(
      baseURL: api, credential: .bearer(Secret(token ?? behaviour.token)))
    return HandlerHTTPClient(
      handlers: [api.origin: { self.handle($0) }, files.origin: { self.handle($0) }],
      access: access)
  }
}

extension FakeNotion {
  /// Returns a response with one of Notion's errors.
  package static func error(
    _ status: Int, _ code: String, _ message: String, headers: HTTPHeaders = [:]
  ) -> ServerResponse {
    let body: JSONValue = [
      "object": "error", "status": .integer(status), "code": .string(code),
      "message": .string(message), "request_id": "0b1c2d3e-0000-4000-8000-000000000001",
    ]
    return .json(body.text, status: status, headers: headers)
  }

  /// Notion's response to a request that times out.
  package static let tooSlow = FakeNotion.error(
    400, "validation_error",
    "Public API object rendering exceeded the response time budget. Retry with exponential backoff."
  )

  static func notFound(_ kind: String, _ id: String) -> ServerResponse {
    error(
      404, "object_not_found",
      "Could not find \(kind) with ID: \(id). Make sure the relevant pages and databases are shared "
        + "with your integration.")
  }
}

extension JSONValue {
  /// The value as JSON with sorted members.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .string(let value): JSONText.string(value)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }
        .map { JSONText.string($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }
}
