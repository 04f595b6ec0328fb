/// An absolute `http` or `https` URL in normal form (RFC 3986 section 6).
///
/// Scheme and host are in lower case, a default port is dropped, the path is at least `/`, user and
/// password are never included. Two URLs are equal if their normal forms are.
public struct WebURL: Sendable, Hashable {
  /// The complete URL in normal form, fragment included.
  public let absoluteString: String
  /// `http` or `https`.
  public let scheme: String
  /// The host as written in a URL: lower-case, an IPv6 literal in brackets.
  public let host: String
  /// The port; `nil` if it is the scheme's default.
  public let port: Int?

  /// Parses an absolute URL. Returns `nil` if the text is not a URL, its scheme is not http or
  /// https, or it has no host.
  ///
  /// Lenient like browsers: surrounding white space and control characters are removed, and
  /// characters not allowed in a URL are percent-encoded.
  public init?(_ text: some StringProtocol) {
    if let form = NormalForm(text.utf8) {
      self.init(form, String(text))
    } else {
      self.init(parsing: text)
    }
  }

  /// Parses a URL without the check for normal form.
  init?(parsing text: some StringProtocol) {
    self.init(url: URL(string: WebURL.cleaned(text)))
  }

  /// Resolves an absolute or relative reference against this URL (RFC 3986 section 5).
  public func resolving(_ reference: some StringProtocol) -> WebURL? {
    if let form = NormalForm(reference.utf8) { return WebURL(form, String(reference)) }
    return resolving(parsing: reference)
  }

  /// Resolves a reference without the check for normal form.
  func resolving(parsing reference: some StringProtocol) -> WebURL? {
    let reference = WebURL.cleaned(reference)
    guard !reference.isEmpty else { return withoutFragment }
    guard let base = URL(string: absoluteString) else { return nil }
    return WebURL(url: URL(string: reference, relativeTo: base)?.absoluteURL)
  }

  private init?(url: URL?) {
    guard let url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let host = components.encodedHost?.lowercased(), !host.isEmpty
    else { return nil }
    components.scheme = scheme
    components.encodedHost = host
    components.user = nil
    components.password = nil
    if components.port == (scheme == "https" ? 443 : 80) { components.port = nil }
    if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
    guard (components.port ?? 1) > 0, (components.port ?? 1) <= 65535,
      let text = components.string
    else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = components.port
    self.absoluteString = text
  }

  private init(_ form: NormalForm, _ text: String) {
    absoluteString = text
    scheme = form.isSecure ? "https" : "http"
    host = String(decoding: form.host, as: UTF8.self)
    port = form.port
  }

  /// Wraps a text in normal form with the origin of `other`.
  private init(normal text: Substring, of other: WebURL) {
    absoluteString = String(text)
    scheme = other.scheme
    host = other.host
    port = other.port
  }

  private static func cleaned(_ text: some StringProtocol) -> String {
    var bytes = [UInt8]()
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 where byte > 0x1F && byte != 0x7F { bytes.append(byte) }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes.drop { $0 == 0x20 }, as: UTF8.self)
  }
}

extension WebURL {
  /// Scheme, host and port, which decide where a credential may be sent (RFC 6454).
  public var origin: Origin {
    Origin(scheme: scheme, host: host, port: port ?? (scheme == "https" ? 443 : 80))
  }

  /// The path, percent-encoded, starting with `/`.
  public var path: String { String(absoluteString[pathStart..<(queryMark ?? fragmentMark ?? end)]) }

  /// The query without its question mark, percent-encoded.
  public var query: String? {
    queryMark.map { mark in
      String(absoluteString[absoluteString.utf8.index(after: mark)..<(fragmentMark ?? end)])
    }
  }

  /// The fragment without its hash, percent-encoded.
  public var fragment: String? {
    fragmentMark.map { String(absoluteString[absoluteString.utf8.index(after: $0)...]) }
  }

  /// The URL without its fragment, as in a request.
  public var withoutFragment: WebURL {
    guard let mark = fragmentMark else { return self }
    return WebURL(normal: absoluteString[..<mark], of: self)
  }

  /// The URL without query and fragment, for storage and logs if the query is a signature.
  public var withoutQuery: WebURL {
    guard let mark = queryMark ?? fragmentMark else { return self }
    return WebURL(normal: absoluteString[..<mark], of: self)
  }

  /// Returns this URL with path segments appended; each is percent-encoded.
  public func appending(_ segments: String...) -> WebURL {
    changing {
      var path = $0.percentEncodedPath
      for segment in segments {
        if !path.hasSuffix("/") { path += "/" }
        path += WebURL.percentEncoded(segment)
      }
      $0.percentEncodedPath = path
    }
  }

  /// Returns this URL with its query replaced by these fields, in order.
  public func settingQuery(_ fields: [(name: String, value: String)]) -> WebURL {
    changing {
      $0.percentEncodedQuery = fields.map { field in
        WebURL.percentEncoded(field.name) + "=" + WebURL.percentEncoded(field.value)
      }.joined(separator: "&")
      if fields.isEmpty { $0.query = nil }
    }
  }

  /// Returns path, query and fragment of this URL on another one's origin.
  public func rebased(onto other: WebURL) -> WebURL {
    changing {
      $0.scheme = other.scheme
      $0.encodedHost = other.host
      $0.port = other.port
    }
  }

  /// Percent-encodes everything except unreserved characters (RFC 3986 section 2.3).
  public static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes = [UInt8]()
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // URLs of images pass here many times, so the components of a normal form are found by their
  // delimiters (RFC 3986 section 3) without parsing again.

  private var end: String.Index { absoluteString.endIndex }

  private var pathStart: String.Index {
    let bytes = absoluteString.utf8
    let authority = bytes.index(bytes.startIndex, offsetBy: scheme.utf8.count + 3)
    return bytes[authority...].firstIndex(of: 0x2F) ?? bytes.endIndex
  }

  /// A question mark after the number sign belongs to the fragment.
  private var queryMark: String.Index? {
    guard let mark = first(0x3F) else { return nil }
    return fragmentMark.map { $0 < mark } == true ? nil : mark
  }

  private var fragmentMark: String.Index? { first(0x23) }

  /// Returns the index of the first occurrence of an ASCII byte. Called for every component, hence
  /// the fast path.
  private func first(_ byte: UInt8) -> String.Index? {
    let text = absoluteString.utf8
    // Outer `nil`: storage is not contiguous. Inner `nil`: the byte is absent.
    let found: Int?? = text.withContiguousStorageIfAvailable { bytes in
      bytes.index(of: byte, from: 0)
    }
    guard let found else { return text.firstIndex(of: byte) }
    return found.map { text.index(text.startIndex, offsetBy: $0) }
  }

  private var components: URLComponents {
    URLComponents(string: absoluteString) ?? URLComponents()
  }

  private func changing(_ change: (inout URLComponents) -> Void) -> WebURL {
    var components = components
    change(&components)
    return WebURL(components.string ?? "") ?? self
  }
}

extension WebURL: CustomStringConvertible, Codable {
  public var description: String { absoluteString }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let url = WebURL(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not an http or https URL")
    }
    self = url
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(absoluteString)
  }
}

/// Scheme, host and port of a URL (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  public let scheme: String
  /// The host in lower case; an IPv6 literal is in brackets.
  public let host: String
  public let port: Int

  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  public var description: String { "\(scheme)://\(host):\(port)" }
}
