/// Sends requests. The transport conforms, as do its wrappers (retry, rate limit, redaction) and
/// fakes.
///
/// Contract:
/// 1. A response of any status is a value; only a request without a complete response throws.
/// 2. Redirects are followed up to `request.redirectLimit`; each hop is checked like a first request.
/// 3. A credential is sent only to the origin it was given for, redirects included.
/// 4. A body is complete: a connection lost before its end throws `.truncated`.
/// 5. Cancelling the task ends the request within two seconds and throws `.cancelled`.
public protocol HTTPClient: Sendable {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}

/// A request.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case head = "HEAD"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
  }

  public var method: Method
  public var url: WebURL
  /// Fields besides the client's own; the client sets `User-Agent`, `Accept-Encoding`,
  /// `Authorization`.
  public var headers: HTTPHeaders
  public var body: [UInt8]?
  /// The part of a file that is sent as the body of a PUT or POST, in place of `body`.
  package var upload: FileSlice?
  /// The destination of a body with a status from 200 to 299. Of any other body at most 64 KiB are
  /// kept, in memory.
  public var destination: BodyDestination
  /// The maximum number of redirects to follow; with 0 a redirect is returned as a response.
  public var redirectLimit: Int
  /// Whether to add the source's credential and headers if the origin is the source's.
  public var usesCredential: Bool
  /// Whether the request may be repeated; by default true for all methods but POST.
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

/// A part of a file, with bytes before and after it.
package struct FileSlice: Sendable, Hashable {
  /// The absolute path.
  package var path: String
  package var offset: Int
  /// The number of bytes of the file.
  package var byteCount: Int
  /// The bytes before those of the file.
  package var head: [UInt8]
  /// The bytes after those of the file.
  package var tail: [UInt8]

  /// - Parameters:
  ///   - path: The absolute path of a regular file.
  ///   - offset: The first byte.
  ///   - byteCount: The number of bytes; the file must have them.
  ///   - head: The bytes before them.
  ///   - tail: The bytes after them.
  package init(
    path: String, offset: Int = 0, byteCount: Int, head: [UInt8] = [], tail: [UInt8] = []
  ) {
    self.path = path
    self.offset = offset
    self.byteCount = byteCount
    self.head = head
    self.tail = tail
  }

  /// The number of bytes with `head` and `tail`.
  package var totalCount: Int { head.count + byteCount + tail.count }
}

/// The time limits of a request.
public struct HTTPTimeouts: Sendable, Hashable {
  /// The maximum time until the connection is established, including name resolution and TLS.
  public var connect: Duration
  /// The maximum time without receiving a byte or, in an upload, sending one.
  public var stall: Duration
  /// The maximum time of the whole request; `nil` for no limit.
  public var total: Duration?

  public init(
    connect: Duration = .seconds(15), stall: Duration = .seconds(60), total: Duration? = nil
  ) {
    self.connect = connect
    self.stall = stall
    self.total = total
  }
}

/// The destination of the body of a successful response.
public enum BodyDestination: Sendable {
  /// `HTTPResponse.body`. More than `limit` bytes after decoding throw `.tooLarge`.
  case memory(limit: Int = 64_000_000)
  /// A sink, chunk by chunk. More than `limit` bytes after decoding throw `.tooLarge`.
  case sink(any BodySink, limit: Int)
}

/// Receives a body as it arrives: on the transport's thread, in order, never concurrently.
///
/// If it throws, the request ends with `.sink` and that error as the cause.
public protocol BodySink: Sendable {
  /// Returns header fields for the next attempt, such as `Range` and `If-Range` to resume.
  func attemptHeaders() -> HTTPHeaders
  /// Begins an attempt with a status from 200 to 299. Unless the status is 206, the bytes of
  /// earlier attempts must be discarded.
  func begin(_ head: HTTPResponseHead) throws
  /// Receives the next bytes; the buffer is valid only during the call.
  func receive(_ bytes: UnsafeRawBufferPointer) throws
}

extension BodySink {
  public func attemptHeaders() -> HTTPHeaders { [:] }
}

/// Status and headers of a response.
public struct HTTPResponseHead: Sendable {
  public let status: Int
  public let headers: HTTPHeaders
  /// The URL of the response, after redirects.
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
  /// The decoded body; empty if it was passed to a sink.
  public let body: [UInt8]
  /// The number of bytes of the body received, before decoding.
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

  /// The media type without parameters, in lower case; empty if the server sent none.
  public var mediaType: String {
    let type = (headers["Content-Type"] ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
    let words = type.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return String(decoding: words, as: UTF8.self).lowercased()
  }
}
