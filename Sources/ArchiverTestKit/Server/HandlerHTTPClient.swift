package import ArchiverCore
import Synchronization

/// An HTTP client without sockets: each request is passed to a handler.
///
/// It satisfies the client's contract as far as a handler can affect it: redirects, the credential,
/// the destination and its limit, and faults, which become the errors of a real connection (`delay`
/// and `drip` take no time). A request to an origin without a handler is recorded as unexpected and
/// throws `.badURL`.
package struct HandlerHTTPClient: HTTPClient {
  package typealias Handler = @Sendable (ServerRequest) -> ServerResponse

  private final class Record: Sendable {
    let requests = Mutex<[ServerRequest]>([])
    let unexpected = Mutex<[String]>([])
  }

  private let handlers: [Origin: Handler]
  private let access: SourceAccess?
  private let record = Record()

  /// Makes a client for these origins that adds the bearer token and headers of `access` for its
  /// own origin.
  package init(handlers: [Origin: Handler], access: SourceAccess? = nil) {
    self.handlers = handlers
    self.access = access
  }

  /// Makes a client for one origin that sends the token, if there is one.
  package init(
    baseURL: WebURL, bearer: Secret? = nil, handler: @escaping Handler
  ) {
    self.init(
      handlers: [baseURL.origin: handler],
      access: SourceAccess(baseURL: baseURL, credential: bearer.map { .bearer($0) }))
  }

  /// All requests to handlers, in order; copies of the client share the record.
  package var requests: [ServerRequest] { record.requests.withLock { $0 } }

  /// The URLs, without query, for which there was no handler; a test expects none.
  package var unexpected: [String] { record.unexpected.withLock { $0 } }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    var request = request
    var visited: Set<WebURL> = []
    // Other tasks run while a request is in flight, as with a network.
    await Task.yield()
    while true {
      guard !Task.isCancelled else {
        throw HTTPError(.cancelled, "The request to \(request.url.withoutQuery) was cancelled")
      }
      visited.insert(request.url.withoutFragment)
      let answer = try self.answer(to: request)
      guard request.redirectLimit > 0, isRedirect(answer) else {
        return try deliver(answer, of: request)
      }
      guard visited.count <= request.redirectLimit else {
        throw HTTPError(.redirectLoop, "\(request.url.withoutQuery) redirects too often")
      }
      request = try following(answer, request)
      guard !visited.contains(request.url.withoutFragment) else {
        throw HTTPError(.redirectLoop, "\(request.url.withoutQuery) redirects in a circle")
      }
    }
  }

  private func answer(to request: HTTPRequest) throws(HTTPError) -> ServerResponse {
    guard let handler = handlers[request.url.origin] else {
      record.unexpected.withLock { $0.append(request.url.withoutQuery.absoluteString) }
      throw HTTPError(.badURL, "Nobody expected a request to \(request.url.withoutQuery)")
    }
    var headers = request.headers
    headers["Host"] =
      request.url.port.map { "\(request.url.host):\($0)" } ?? request.url.host
    if case .sink(let sink, _) = request.destination {
      for field in sink.attemptHeaders().fields { headers[field.name] = field.value }
    }
    if let access, request.usesCredential, request.url.origin == access.origin {
      for field in access.headers.fields { headers[field.name] = field.value }
      if case .bearer(let token) = access.credential, access.sendsCredential(to: request.url) {
        headers["Authorization"] = "Bearer \(token.reveal())"
      }
    }
    let target = request.url.path + (request.url.query.map { "?\($0)" } ?? "")
    var body = request.body ?? []
    if let upload = request.upload {
      let all = FileManager.default.contents(atPath: upload.path) ?? Data()
      body = upload.head + all.dropFirst(upload.offset).prefix(upload.byteCount) + upload.tail
    }
    let received = ServerRequest(
      method: request.method.rawValue, target: target, headers: headers, body: body)
    record.requests.withLock { $0.append(received) }
    return handler(received)
  }

  private func isRedirect(_ response: ServerResponse) -> Bool {
    [301, 302, 303, 307, 308].contains(response.status) && response.headers["Location"] != nil
  }

  private func following(
    _ response: ServerResponse, _ request: HTTPRequest
  ) throws(HTTPError) -> HTTPRequest {
    guard let next = request.url.resolving(response.headers["Location"] ?? "") else {
      throw HTTPError(
        .redirectRefused, "\(request.url.withoutQuery) redirects to something not http or https")
    }
    var request = request
    let becomesGet = response.status == 303 || (301...302).contains(response.status)
    if request.method == .post && becomesGet {
      request.method = .get
      request.body = nil
    }
    request.url = next
    return request
  }

  private func deliver(
    _ answer: ServerResponse, of request: HTTPRequest
  ) throws(HTTPError) -> HTTPResponse {
    let name = request.url.withoutQuery.absoluteString
    let head = HTTPResponseHead(
      status: answer.status, headers: answer.headers, url: request.url.withoutFragment)
    var body = request.method == .head ? [] : answer.content
    let failure = answer.misbehaviour?.error(for: name, body: &body)
    guard (200..<300).contains(answer.status) else {
      if let failure { throw failure }
      return HTTPResponse(
        head: head, body: Array(body.prefix(64 << 10)), byteCount: body.count)
    }
    switch request.destination {
    case .memory(let limit):
      guard body.count <= limit else { throw HandlerHTTPClient.tooLarge(name, limit) }
      if let failure { throw failure }
      return HTTPResponse(head: head, body: body)
    case .sink(let sink, let limit):
      // A real response declares its length in the head, which then is not passed to the sink.
      if failure == nil, body.count > limit { throw HandlerHTTPClient.tooLarge(name, limit) }
      do {
        try sink.begin(head)
        try body.prefix(limit).withUnsafeBytes { try sink.receive($0) }
      } catch {
        throw HTTPError(.sink, "The body of \(name) could not be stored", underlying: error)
      }
      guard body.count <= limit else { throw HandlerHTTPClient.tooLarge(name, limit) }
      if let failure { throw failure }
      return HTTPResponse(head: head, byteCount: body.count)
    }
  }

  private static func tooLarge(_ name: String, _ limit: Int) -> HTTPError {
    HTTPError(.tooLarge, "\(name) is larger than \(limit) bytes")
  }
}

extension Fault {
  /// Returns the error of a fault, and truncates the body to what arrives.
  fileprivate func error(for name: String, body: inout [UInt8]) -> HTTPError? {
    switch self {
    case .delay, .drip:
      return nil
    case .resetAfter(let count):
      body = Array(body.prefix(count))
      return HTTPError(.connectionLost, "The connection to \(name) broke")
    case .truncateAfter(let count):
      body = Array(body.prefix(count))
      return HTTPError(.truncated, "The body of \(name) ended early")
    case .wrongLength(let length):
      let isShort = body.count < length
      body = Array(body.prefix(length))
      return isShort ? HTTPError(.truncated, "The body of \(name) ended early") : nil
    case .stallAfter(let count, _):
      body = Array(body.prefix(count))
      return HTTPError(.timeout, "\(name) fell silent")
    case .endless:
      return HTTPError(.tooLarge, "\(name) does not end")
    case .invalidChunking, .invalidStatusLine, .raw:
      body = []
      return HTTPError(.protocolError, "\(name) does not speak HTTP")
    case .closeSilently:
      body = []
      return HTTPError(.connectionLost, "The connection to \(name) broke")
    }
  }
}
