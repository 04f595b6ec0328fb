import ArchiverCore
import ArchiverStorage
import Synchronization

/// A request to a bucket.
struct S3Request: Sendable {
  enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A part of a file, with its SHA-256 in hex.
    case file(FileSlice, sha256: String)
  }

  var method: HTTPRequest.Method
  /// The key without the prefix; `nil` for the bucket itself.
  var key: String?
  var query: [(name: String, value: String)] = []
  var headers: HTTPHeaders = [:]
  var body = Body.none
  /// The MD5 of the body; the server refuses a body that differs.
  var md5: [UInt8]?
  var destination = BodyDestination.memory()

  init(
    _ method: HTTPRequest.Method, _ key: String? = nil,
    query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:], body: Body = .none,
    md5: [UInt8]? = nil, destination: BodyDestination = .memory()
  ) {
    self.method = method
    self.key = key
    self.query = query
    self.headers = headers
    self.body = body
    self.md5 = md5
    self.destination = destination
  }
}

/// Sends signed requests to one bucket.
///
/// The HTTP client below repeats what fails for a moment. Redirects are not followed: a signature is
/// valid for one host.
final class S3Client: Sendable {
  let location: S3Location
  private let signature: S3Signature
  private let http: any HTTPClient
  private let clock: ArchiverClock
  private let sent = Mutex(0)

  init(
    _ location: S3Location, _ credentials: S3Credentials, _ http: any HTTPClient,
    _ clock: ArchiverClock
  ) {
    self.location = location
    self.http = http
    self.clock = clock
    signature = S3Signature(credentials: credentials, region: location.region)
  }

  /// The number of requests, repeated ones counted once.
  var requestCount: Int { sent.withLock { $0 } }

  /// The maximum number of attempts while the server reports a conflict.
  private static let attempts = 5

  /// Sends a request. Returns a response with one of the expected statuses; throws `S3Failure` for any
  /// other, and `PublishError` if the server cannot be reached.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - statuses: The statuses that are returned besides those of success.
  func send(_ request: S3Request, accepting statuses: Set<Int> = []) async throws -> HTTPResponse {
    var attempt = 1
    while true {
      let response = try await respond(to: request)
      if response.isSuccess || statuses.contains(response.status) { return response }
      let failure = S3Failure(response, location, now: clock.now())
      guard response.status == 409, failure.isConflict, attempt < S3Client.attempts else {
        throw failure
      }
      try await clock.sleep(.milliseconds(200 << attempt))
      attempt += 1
    }
  }

  private func respond(to request: S3Request) async throws -> HTTPResponse {
    sent.withLock { $0 += 1 }
    do throws(HTTPError) {
      return try await http.send(try httpRequest(request))
    } catch {
      switch error.code {
      case .cancelled: throw CancellationError()
      case .sink: throw PublishError(.file, error.message)
      default: throw PublishError(.unavailable, "\(location.name): \(error.message)")
      }
    }
  }

  private func httpRequest(_ request: S3Request) throws(HTTPError) -> HTTPRequest {
    let endpoint = location.endpoint
    let path = location.path(request.key)
    let query = S3Signature.query(request.query)
    let address = "\(endpoint.scheme)://\(host)\(path)" + (query.isEmpty ? "" : "?\(query)")
    guard let url = WebURL(address), url.path == path, url.query ?? "" == query else {
      throw HTTPError(.badURL, "\(location.name): \(path) cannot be requested")
    }
    var headers = request.headers
    if let md5 = request.md5 { headers["Content-MD5"] = Data(md5).base64EncodedString() }
    var made = HTTPRequest(
      request.method, url, destination: request.destination, redirectLimit: 0,
      usesCredential: false, isRepeatable: true)
    let payload: String
    switch request.body {
    case .none: payload = Digest.sha256Hex([])
    case .bytes(let bytes):
      payload = Digest.sha256Hex(bytes)
      made.body = bytes
    case .file(let slice, let sha256):
      payload = sha256
      made.upload = slice
    }
    made.headers = signature.sign(
      request.method.rawValue, path: path, query: request.query, host: host, headers: headers,
      payload: payload, date: clock.now())
    return made
  }

  /// The value of the `Host` field.
  private var host: String {
    location.endpoint.port.map { "\(location.endpoint.host):\($0)" } ?? location.endpoint.host
  }
}
