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
/// The underlying HTTP client retries after brief failures. If the server has responded before,
/// this client continues to retry for the time `patience`. Redirects are not followed: a signature
/// is valid for one host.
final class S3Client: Sendable {
  let location: S3Location
  private let signature: S3Signature
  private let http: any HTTPClient
  private let clock: ArchiverClock
  private let patience: Duration
  private let sent = Mutex(0)
  private let hasAnswered = Mutex(false)

  init(
    _ location: S3Location, _ credentials: S3Credentials, _ http: any HTTPClient,
    _ clock: ArchiverClock, patience: Duration
  ) {
    self.location = location
    self.http = http
    self.clock = clock
    self.patience = patience
    signature = S3Signature(credentials: credentials, region: location.region)
  }

  /// The number of requests; retries do not count.
  var requestCount: Int { sent.withLock { $0 } }

  /// The maximum number of attempts while the server reports a conflict.
  private static let attempts = 5

  /// Statuses of an overloaded or restarting server.
  private static let transient: Set<Int> = [408, 429, 500, 502, 503, 504, 529]
  /// The longest wait between two attempts, in seconds.
  private static let longestDelay = 30

  /// Sends a request. Returns a response with one of the expected statuses; throws `S3Failure` for any
  /// other, and `PublishError` if the server cannot be reached.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - statuses: The statuses that are returned besides those of success.
  func send(_ request: S3Request, accepting statuses: Set<Int> = []) async throws -> HTTPResponse {
    sent.withLock { $0 += 1 }
    let start = clock.now()
    var waited = Duration.zero
    var conflicts = 1
    var delay = 2
    var asksConsent = true
    while true {
      let outcome = await respond(to: request, asksConsent: asksConsent)
      if case .success(let response) = outcome {
        if response.isSuccess || statuses.contains(response.status) { return response }
        if response.status == 417, asksConsent {
          asksConsent = false
          continue
        }
        let failure = S3Failure(response, location, now: clock.now())
        if response.status == 409, failure.isConflict, conflicts < S3Client.attempts {
          try await clock.sleep(.milliseconds(200 << conflicts))
          conflicts += 1
          continue
        }
      }
      let wait = Duration.seconds(delay)
      let spent = max(waited, .seconds(clock.now().timeIntervalSince(start)))
      guard isTransient(outcome), hasAnswered.withLock({ $0 }), spent + wait <= patience else {
        throw failure(outcome)
      }
      try await clock.sleep(wait)
      waited += wait
      delay = min(delay * 2, S3Client.longestDelay)
    }
  }

  private func isTransient(_ outcome: Result<HTTPResponse, HTTPError>) -> Bool {
    switch outcome {
    case .success(let response): S3Client.transient.contains(response.status)
    case .failure(let error): error.isRetryable
    }
  }

  private func failure(_ outcome: Result<HTTPResponse, HTTPError>) -> any Error {
    switch outcome {
    case .success(let response): return S3Failure(response, location, now: clock.now())
    case .failure(let error):
      switch error.code {
      case .cancelled: return CancellationError()
      case .sink: return PublishError(.file, error.message)
      default:
        return PublishError(
          .unavailable, "\(location.name): \(error.message); the next run goes on")
      }
    }
  }

  private func respond(
    to request: S3Request, asksConsent: Bool
  ) async -> Result<HTTPResponse, HTTPError> {
    do throws(HTTPError) {
      let response = try await http.send(try httpRequest(request, asksConsent: asksConsent))
      if response.status < 500 { hasAnswered.withLock { $0 = true } }
      return .success(response)
    } catch {
      return .failure(error)
    }
  }

  private func httpRequest(
    _ request: S3Request, asksConsent: Bool
  ) throws(HTTPError) -> HTTPRequest {
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
    // Not signed: a proxy may remove it.
    if !asksConsent { made.headers["Expect"] = "" }
    return made
  }

  /// The value of the `Host` field.
  private var host: String {
    location.endpoint.port.map { "\(location.endpoint.host):\($0)" } ?? location.endpoint.host
  }
}
