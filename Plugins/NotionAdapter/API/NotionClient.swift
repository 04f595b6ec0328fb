import ArchiverCore
import Synchronization

/// Notion's API: one method per kind of request, with errors in words and paged lists joined.
struct NotionClient: Sendable {
  /// The fields of a query; ids of properties are percent-encoded in Notion's responses and decoded
  /// here.
  typealias Fields = [(name: String, value: String)]

  let baseURL: WebURL
  let version: NotionVersion
  let context: AdapterContext
  let recent = RecentResponses()
  let activity = ClientActivity()

  /// The maximum page size of a list.
  static let largestPage = 100
  private static let attempts = 5

  /// Requests one object.
  func get(
    _ path: [String], _ fields: Fields = [], about subject: String
  ) async throws(AdapterError) -> JSONValue {
    try await decoded(bytes(path, fields, body: nil, about: subject), subject)
  }

  /// Sends a query, which is a POST request without side effects.
  func post(
    _ path: [String], _ body: [String: JSONValue], about subject: String
  ) async throws(AdapterError) -> JSONValue {
    try await decoded(bytes(path, [], body: body, about: subject), subject)
  }

  /// Requests one page of a list.
  ///
  /// - Parameters:
  ///   - query: The body of a POST request; `nil` for GET.
  ///   - cursor: The cursor from the last page.
  func page(
    _ path: [String], _ fields: Fields = [], query: [String: JSONValue]? = nil, cursor: String?,
    about subject: String, mayBeRecent: Date? = nil
  ) async throws(AdapterError) -> NotionList {
    let key = ([cursor ?? ""] + path).joined(separator: "/")
    if let since = mayBeRecent, let bytes = recent.take(key, since: since) {
      return try NotionList(decoded(bytes, subject), subject: subject)
    }
    var size = NotionClient.largestPage
    while true {
      do throws(AdapterError) {
        let bytes = try await sized(path, fields, query, cursor, size, subject)
        if query == nil, path.last == "children" {
          recent.keep(bytes, key, now: context.clock.now())
        }
        return try NotionList(decoded(bytes, subject), subject: subject)
      } catch {
        guard let fault = error.fault, fault.isTooSlow, size > 1 else { throw error }
        size = max(1, size / 2)
        context.log(.debug, "Notion was too slow for \(subject); requesting \(size) at a time")
      }
    }
  }

  private func sized(
    _ path: [String], _ fields: Fields, _ query: [String: JSONValue]?, _ cursor: String?,
    _ size: Int, _ subject: String
  ) async throws(AdapterError) -> [UInt8] {
    if var query {
      query["page_size"] = .integer(size)
      query["start_cursor"] = cursor.map { .string($0) }
      return try await bytes(path, [], body: query, about: subject)
    }
    var fields = fields + [("page_size", String(size))]
    if let cursor { fields.append(("start_cursor", cursor)) }
    return try await bytes(path, fields, body: nil, about: subject)
  }

  /// Repeats requests that may succeed at once, with exponential backoff. Errors of the whole
  /// service, such as 429 or 503, were retried by the transport already.
  private func bytes(
    _ path: [String], _ fields: Fields, body: [String: JSONValue]?, about subject: String
  ) async throws(AdapterError) -> [UInt8] {
    var attempt = 1
    while true {
      let response = try await send(path, fields, body, subject)
      if response.isSuccess { return response.body }
      let fault = NotionFault(response)
      let isPaged = body?["page_size"] != nil || fields.contains { $0.name == "page_size" }
      let repeats = fault.isConflict || (fault.isTooSlow && (!isPaged || attempt == 1))
      guard repeats, attempt < NotionClient.attempts else {
        throw fault.error(
          about: subject, retryAfter: response.headers.retryAfter(now: context.clock.now()))
      }
      try await pause(.seconds(1 << (attempt - 1)), subject)
      attempt += 1
    }
  }

  private func send(
    _ path: [String], _ fields: Fields, _ body: [String: JSONValue]?, _ subject: String
  ) async throws(AdapterError) -> HTTPResponse {
    var url = baseURL.appending("v1")
    for segment in path { url = url.appending(segment) }
    var headers: HTTPHeaders = ["Notion-Version": version.rawValue, "Accept": "application/json"]
    if body != nil { headers["Content-Type"] = "application/json" }
    let request = HTTPRequest(
      body == nil ? .get : .post, fields.isEmpty ? url : url.settingQuery(fields), headers: headers,
      body: body.map { JSONText.bytes(of: .object($0)) }, isRepeatable: true,
      timeouts: HTTPTimeouts(stall: .seconds(90)))
    activity.noteRequest()
    do throws(HTTPError) {
      let response = try await context.http.send(request)
      activity.note(response)
      return response
    } catch {
      throw AdapterError(
        error.code == .cancelled ? .cancelled : .unavailable,
        "the request to Notion for \(subject) failed: \(error.message)", underlying: error)
    }
  }

  private func decoded(
    _ bytes: [UInt8], _ subject: String
  ) throws(AdapterError) -> JSONValue {
    do {
      return try ForeignJSON.decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw AdapterError(
        .malformed, "Notion's response for \(subject) is not JSON", underlying: error)
    }
  }

  private func pause(_ duration: Duration, _ subject: String) async throws(AdapterError) {
    do {
      try await context.clock.sleep(duration)
    } catch {
      throw AdapterError(.cancelled, "the request for \(subject) was cancelled", underlying: error)
    }
  }
}

/// One page of a list.
struct NotionList: Sendable {
  let results: [JSONValue]
  /// The cursor of the next page; `nil` on the last page.
  let next: String?
  /// Whether the response declares a next page.
  let hasMore: Bool
  /// Whether the list ends at a limit of the service rather than at its end.
  let isCut: Bool
  /// The whole response.
  let body: JSONValue

  init(_ body: JSONValue, subject: String) throws(AdapterError) {
    guard let results = body["results"]?.array else {
      throw AdapterError(
        .malformed, "Notion's response for \(subject) has no \u{201C}results\u{201D}")
    }
    self.results = results
    self.body = body
    let cursor = body["next_cursor"]?.string
    hasMore = body["has_more"]?.bool ?? (cursor != nil)
    next = hasMore ? cursor : nil
    isCut = body["request_status"]?["type"]?.string == "incomplete"
  }
}

/// What a client has sent and received so far. Repetitions by the transport are not counted.
final class ClientActivity: Sendable {
  private struct State {
    var sent = 0
    var succeeded = 0
    var answered: Date?
  }

  private let state = Mutex(State())

  /// The number of requests.
  var sent: Int { state.withLock { $0.sent } }
  /// The number of successful requests.
  var succeeded: Int { state.withLock { $0.succeeded } }
  /// The server's time in its last response.
  var answered: Date? { state.withLock { $0.answered } }

  func noteRequest() { state.withLock { $0.sent += 1 } }

  func note(_ response: HTTPResponse) {
    state.withLock { state in
      if response.isSuccess { state.succeeded += 1 }
      state.answered = response.headers.date ?? state.answered
    }
  }
}
