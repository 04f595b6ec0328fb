import ArchiverCore

/// Where a request has got to on its way through redirects (RFC 9110 section 15.4).
struct Hop: Sendable {
  private(set) var url: WebURL
  private(set) var method: HTTPRequest.Method
  private(set) var headers: HTTPHeaders
  private(set) var body: [UInt8]?
  private var visited: Set<String> = []

  /// Fields of the caller's that stay with the origin they were meant for.
  private static let secretFields = ["Authorization", "Cookie", "Proxy-Authorization"]

  init(_ request: HTTPRequest) {
    url = request.url
    method = request.method
    headers = request.headers
    body = request.body
    if case .sink(let sink, _) = request.destination {
      for field in sink.attemptHeaders().fields { headers[field.name] = field.value }
    }
  }

  var carriesSecrets: Bool { Hop.secretFields.contains { headers[$0] != nil } }

  /// Returns where a response redirects to; `nil` when it is no redirect that can be followed.
  static func location(in response: HTTPResponse) -> String? {
    guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
    return response.headers["Location"]
  }

  /// Returns the next hop. Throws `.redirectLoop` and `.redirectRefused`.
  func following(
    _ location: String, status: Int, limit: Int, carriedCredential: Bool
  ) throws(HTTPError) -> Hop {
    guard let target = url.resolving(location) else {
      throw HTTPError(
        .redirectRefused, "\(url.withoutQuery) redirects to something that is not http or https")
    }
    if carriedCredential && url.scheme == "https" && target.scheme == "http" {
      throw HTTPError(
        .redirectRefused,
        "\(url.withoutQuery) redirects from https to http, where the credential could be read")
    }
    var next = self
    next.url = target
    next.visited.insert(key)
    guard next.visited.count <= limit else {
      throw HTTPError(
        .redirectLoop, "\(url.withoutQuery) was redirected too often \(Limit.fixed(limit))")
    }
    if method == .post && (301...303).contains(status) { next.becomeGet() }
    if target.origin != url.origin { next.dropSecrets() }
    guard !next.visited.contains(next.key) else {
      throw HTTPError(.redirectLoop, "\(target.withoutQuery) redirects in a circle")
    }
    return next
  }

  private var key: String { "\(method.rawValue) \(url.withoutFragment)" }

  private mutating func becomeGet() {
    method = .get
    body = nil
    for name in ["Content-Type", "Content-Encoding", "Content-Language", "Content-Length"] {
      headers[name] = nil
    }
  }

  private mutating func dropSecrets() {
    for name in Hop.secretFields { headers[name] = nil }
  }
}
