/// What proves to a server who is asking.
public enum Credential: Sendable, Hashable {
  /// `Authorization: Bearer …` (RFC 6750).
  case bearer(Secret)
  /// Basic (RFC 7617), sent with the first request.
  case basic(user: String, password: Secret)
  /// Digest or Basic, whichever the server asks for (RFC 7616); costs one extra request per connection.
  case negotiated(user: String, password: Secret)
}

/// Where a source lives and how it is reached.
///
/// The host builds the source's `HTTPClient` from it: credential and headers go to `origin` only,
/// and `origin` alone may be at a private address.
public struct SourceAccess: Sendable {
  /// The address that every other one of the source is relative to.
  public var baseURL: WebURL
  public var credential: Credential?
  /// Beginnings of the paths that the credential is sent to; `nil` sends it to all of the origin. What a
  /// page shows may lead to any path of its server, and need not get the credential there.
  public var credentialPaths: [String]?
  /// Extra header fields for the source's origin, such as a proxy's access key.
  public var headers: HTTPHeaders
  /// A PEM file of certificate authorities to trust beside the system's.
  public var caFile: String?
  /// Most requests per second for the source's origin; `nil` sets no limit.
  public var requestsPerSecond: Double?
  /// Parts of the source's addresses that open a door, such as a key in the path: the host keeps
  /// them out of the archive, its catalog, messages and logs. Fewer than six characters have no effect.
  public var secrets: [Secret]

  public init(
    baseURL: WebURL, credential: Credential? = nil, headers: HTTPHeaders = [:],
    caFile: String? = nil, requestsPerSecond: Double? = nil, secrets: [Secret] = [],
    credentialPaths: [String]? = nil
  ) {
    self.credentialPaths = credentialPaths
    self.secrets = secrets
    self.baseURL = baseURL
    self.credential = credential
    self.headers = headers
    self.caFile = caFile
    self.requestsPerSecond = requestsPerSecond
  }

  public var origin: Origin { baseURL.origin }

  /// Whether the credential may go with a request.
  ///
  /// - Parameter url: Where the request goes.
  public func sendsCredential(to url: WebURL) -> Bool {
    guard url.origin == origin else { return false }
    guard let credentialPaths else { return true }
    let path = url.path
    // Servers read these steps, written so, in ways of their own.
    let climbs = path.split(separator: "/").contains {
      $0.lowercased().replacing("%2e", with: ".") == ".."
    }
    return !climbs && credentialPaths.contains { path.hasPrefix($0) }
  }
}
