import ArchiverCore

/// The cookies set within one chain of redirects (RFC 6265), discarded with the chain.
///
/// Some servers redirect a request back to itself to test whether the client returns a cookie.
/// Nothing is kept between requests, so visits cannot be linked.
struct RedirectCookies: Sendable, Equatable {
  private struct Cookie: Equatable {
    let name: String
    var value: String
    let domain: String
    let isForHostOnly: Bool
    let path: String
    let isSecure: Bool
  }

  /// The maximum number of cookies of a chain, and of bytes of each.
  private static let (most, longest) = (50, 4_096)

  private var cookies: [Cookie] = []

  /// Stores the cookies that a response sets.
  mutating func take(_ response: HTTPResponse, from url: WebURL) {
    for field in response.headers.values("Set-Cookie") where field.utf8.count <= Self.longest {
      guard let cookie = Self.cookie(field, url) else { continue }
      let isExpired = Self.isExpired(field)
      cookies.removeAll {
        $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
      }
      if !isExpired, cookies.count < Self.most { cookies.append(cookie) }
    }
  }

  /// Returns the value of `Cookie` for a URL; `nil` if there is nothing to send.
  func field(for url: WebURL) -> String? {
    let path = url.path.isEmpty ? "/" : url.path
    let fitting = cookies.filter { cookie in
      (cookie.isForHostOnly ? url.host == cookie.domain : Self.isInside(url.host, cookie.domain))
        && Self.isBelow(path, cookie.path) && (!cookie.isSecure || url.scheme == "https")
    }
    guard !fitting.isEmpty else { return nil }
    return fitting.sorted { $0.path.utf8.count > $1.path.utf8.count }
      .map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  private static func cookie(_ field: String, _ url: WebURL) -> Cookie? {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = parts.first, let sign = pair.firstIndex(of: "=") else { return nil }
    let (name, value) = (trimmed(pair[..<sign]), trimmed(pair[pair.index(after: sign)...]))
    guard !(name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    var domain = attribute("domain", parts)?.lowercased() ?? ""
    if domain.hasPrefix(".") { domain.removeFirst() }
    // A domain without a dot is a top-level domain or the host itself.
    if !domain.isEmpty, domain != url.host {
      guard isInside(url.host, domain), domain.contains(".") else { return nil }
    }
    let path = attribute("path", parts).flatMap { $0.hasPrefix("/") ? $0 : nil }
    return Cookie(
      name: name, value: value, domain: domain.isEmpty ? url.host : domain,
      isForHostOnly: domain.isEmpty, path: path ?? folder(url.path),
      isSecure: attribute("secure", parts) != nil)
  }

  private static func isExpired(_ field: String) -> Bool {
    let age = attribute("max-age", field.split(separator: ";"))
    return age.flatMap { Int($0) }.map { $0 <= 0 } ?? false
  }

  private static func attribute(_ name: String, _ parts: [Substring]) -> String? {
    for part in parts.dropFirst().reversed() {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if trimmed(halves[0]).lowercased() == name {
        return halves.count > 1 ? trimmed(halves[1]) : ""
      }
    }
    return nil
  }

  private static func isInside(_ host: String, _ domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain) && IPAddress(host) == nil
  }

  private static func isBelow(_ path: String, _ folder: String) -> Bool {
    path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  /// The default path of a cookie (RFC 6265 section 5.1.4).
  private static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
