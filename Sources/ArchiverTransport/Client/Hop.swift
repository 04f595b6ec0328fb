import ArchiverCore

/// The state of a request between redirects (RFC 9110 section 15.4).
struct Hop: Sendable {
  private(set) var url: WebURL
  private(set) var method: HTTPRequest.Method
  private(set) var headers: HTTPHeaders
  private(set) var body: [UInt8]?
  private var visited: Set<String> = []
  private var cookies = RedirectCookies()
  /// Whether the caller sets `Cookie` itself; then no other cookies are sent.
  private let hasOwnCookies: Bool

  /// The caller's fields that are not sent to another origin.
  private static let secretFields = ["Authorization", "Cookie", "Proxy-Authorization"]

  init(_ request: HTTPRequest) {
    url = request.url
    method = request.method
    headers = request.headers
    body = request.body
    hasOwnCookies = request.headers["Cookie"] != nil
    if case .sink(let sink, _) = request.destination {
      for field in sink.attemptHeaders().fields { headers[field.name] = field.value }
    }
  }

  var carriesSecrets: Bool { Hop.secretFields.contains { headers[$0] != nil } }

  /// The fields to send: the caller's and the cookies of the chain.
  var sentHeaders: HTTPHeaders {
    var sent = headers
    if !hasOwnCookies, let field = cookies.field(for: url) { sent["Cookie"] = field }
    return sent
  }

  /// Returns the target of a redirect; `nil` if the response is not one that can be followed.
  static func location(in response: HTTPResponse) -> String? {
    guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
    return response.headers["Location"]
  }

  /// Returns the next hop. Throws `.redirectLoop` and `.redirectRefused`.
  ///
  /// - Parameters:
  ///   - location: Where the response leads.
  ///   - response: The response, whose cookies the rest of the chain sends.
  ///   - limit: Most redirects of the chain.
  ///   - carriedCredential: Whether the request had a credential.
  func following(
    _ location: String, response: HTTPResponse, limit: Int, carriedCredential: Bool
  ) throws(HTTPError) -> Hop {
    let status = response.status
    guard let target = url.resolving(location) else {
      throw HTTPError(
        .redirectRefused, "\(url.withoutQuery) redirects to a URL other than http or https")
    }
    if carriedCredential && url.scheme == "https" && target.scheme == "http" {
      throw HTTPError(
        .redirectRefused,
        "\(url.withoutQuery) redirects from https to http, which would expose the credential")
    }
    var next = self
    next.url = target
    next.visited.insert(key)
    next.cookies.take(response, from: url)
    guard next.visited.count <= limit else {
      throw HTTPError(
        .redirectLoop, "\(url.withoutQuery) redirected too often \(Limit.fixed(limit))")
    }
    if method == .post && (301...303).contains(status) { next.becomeGet() }
    if target.origin != url.origin { next.dropSecrets() }
    guard !next.visited.contains(next.key) else {
      throw HTTPError(.redirectLoop, "\(target.withoutQuery) redirects in a circle")
    }
    return next
  }

  /// The same URL with other cookies is another request.
  private var key: String {
    "\(method.rawValue) \(url.withoutFragment) \(cookies.field(for: url) ?? "")"
  }

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
