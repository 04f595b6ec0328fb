/// A credential for HTTP authentication.
public enum Credential: Sendable, Hashable {
  /// `Authorization: Bearer …` (RFC 6750).
  case bearer(Secret)
  /// Basic (RFC 7617), sent with the first request.
  case basic(user: String, password: Secret)
  /// Digest or Basic, whichever the server asks for (RFC 7616); costs one extra request per connection.
  case negotiated(user: String, password: Secret)
}

/// The location of a source, and how it is accessed.
///
/// The host builds the source's `HTTPClient` from it: credential and headers are sent to `origin`
/// only, and only `origin` may have a private address.
public struct SourceAccess: Sendable {
  /// The base URL of all other URLs of the source.
  public var baseURL: WebURL
  public var credential: Credential?
  /// The path prefixes to which the credential is sent; `nil` sends it to the whole origin. Content
  /// may refer to any path of its server, which need not get the credential.
  public var credentialPaths: [String]?
  /// Extra header fields for the source's origin, such as a proxy's access key.
  public var headers: HTTPHeaders
  /// A PEM file of certificate authorities to trust besides the system's.
  public var caFile: String?
  /// The maximum number of requests per second to the source's origin; `nil` for no limit.
  public var requestsPerSecond: Double?
  /// Credentials in the source's URLs, such as a key in the path. The host redacts them in archive,
  /// catalog, messages and logs. Those of fewer than six characters have no effect.
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

  /// Whether the credential may be sent with a request.
  ///
  /// - Parameter url: The URL of the request.
  public func sendsCredential(to url: WebURL) -> Bool {
    guard url.origin == origin else { return false }
    guard let credentialPaths else { return true }
    let path = url.path
    // Servers differ in how they interpret encoded dot segments.
    let climbs = path.utf8.split(separator: UInt8(ascii: "/")).contains { segment in
      [UInt8(ascii: "."), UInt8(ascii: "%")].contains(segment.first)
        && Substring(segment).lowercased().replacing("%2e", with: ".") == ".."
    }
    return !climbs && credentialPaths.contains { path.hasPrefix($0) }
  }
}
