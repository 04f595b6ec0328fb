/// Sends requests. The transport conforms; so do its wrappers (retry, rate limit, recording) and fakes.
///
/// Contract:
/// 1. A response of any status is a value; only a request that got no complete response throws.
/// 2. Redirects are followed up to `request.redirectLimit`; each hop is checked like a first request.
/// 3. A credential goes to the origin it was given for and nowhere else, redirects included.
/// 4. A body is whole: a connection cut before the end throws `.truncated`.
/// 5. Cancelling the task ends the request within two seconds and throws `.cancelled`.
public protocol HTTPClient: Sendable {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}

/// One request to make.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case head = "HEAD"
  }

  public var method: Method
  public var url: WebURL
  /// Fields added to the client's own; the client sets `User-Agent`, `Accept-Encoding`, `Authorization`.
  public var headers: HTTPHeaders
  public var body: [UInt8]?
  /// Where a body with a status from 200 to 299 goes; any other body is kept in memory, at most 64 KiB of it.
  public var destination: BodyDestination
  /// How many redirects are followed; with 0 a redirect is returned as a response.
  public var redirectLimit: Int
  /// Whether the source's credential and headers may be added when the origin is the source's.
  public var usesCredential: Bool
  /// Whether repeating the request is harmless; by default true for GET and HEAD.
  public var isRepeatable: Bool
  public var timeouts: HTTPTimeouts

  public init(
    _ method: Method = .get, _ url: WebURL, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    destination: BodyDestination = .memory(), redirectLimit: Int = 10, usesCredential: Bool = true,
    isRepeatable: Bool? = nil, timeouts: HTTPTimeouts = HTTPTimeouts()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.destination = destination
    self.redirectLimit = redirectLimit
    self.usesCredential = usesCredential
    self.isRepeatable = isRepeatable ?? (method != .post)
    self.timeouts = timeouts
  }
}

/// How long a request may take.
public struct HTTPTimeouts: Sendable, Hashable {
  /// Until a connection stands, name look-up and TLS included.
  public var connect: Duration
  /// Without a single byte received.
  public var stall: Duration
  /// From start to end; `nil` sets no bound beyond the others.
  public var total: Duration?

  public init(
    connect: Duration = .seconds(15), stall: Duration = .seconds(60), total: Duration? = nil
  ) {
    self.connect = connect
    self.stall = stall
    self.total = total
  }
}

/// Where the body of a successful response goes.
public enum BodyDestination: Sendable {
  /// Into `HTTPResponse.body`, at most `limit` bytes after decoding; more throws `.tooLarge`.
  case memory(limit: Int = 64_000_000)
  /// Into a sink, piece by piece, at most `limit` bytes after decoding; more throws `.tooLarge`.
  case sink(any BodySink, limit: Int)
}

/// Receives a body as it arrives, on the transport's thread, in order, never concurrently.
///
/// What it throws ends the request with `.sink` and that error as the cause.
public protocol BodySink: Sendable {
  /// Returns header fields for the next attempt, such as `Range` and `If-Range` to resume.
  func attemptHeaders() -> HTTPHeaders
  /// Begins an attempt whose status is 200 to 299; what an earlier attempt delivered is void
  /// unless the status is 206.
  func begin(_ head: HTTPResponseHead) throws
  /// Takes the next bytes; the buffer is valid only during the call.
  func receive(_ bytes: UnsafeRawBufferPointer) throws
}

extension BodySink {
  public func attemptHeaders() -> HTTPHeaders { [:] }
}

/// Status and headers of a response.
public struct HTTPResponseHead: Sendable {
  public let status: Int
  public let headers: HTTPHeaders
  /// The address that answered, after redirects.
  public let url: WebURL

  public init(status: Int, headers: HTTPHeaders, url: WebURL) {
    self.status = status
    self.headers = headers
    self.url = url
  }
}

/// A complete response.
public struct HTTPResponse: Sendable {
  public let head: HTTPResponseHead
  /// The decoded body; empty when it went into a sink.
  public let body: [UInt8]
  /// Bytes of body received, before decoding.
  public let byteCount: Int

  public init(head: HTTPResponseHead, body: [UInt8] = [], byteCount: Int? = nil) {
    self.head = head
    self.body = body
    self.byteCount = byteCount ?? body.count
  }

  public var status: Int { head.status }
  public var headers: HTTPHeaders { head.headers }
  public var url: WebURL { head.url }
  public var isSuccess: Bool { (200..<300).contains(head.status) }

  /// The media type without parameters, lower-case; empty when the server sent none.
  public var mediaType: String {
    let type = (headers["Content-Type"] ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
    let words = type.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return String(decoding: words, as: UTF8.self).lowercased()
  }
}
