/// The IP addresses that requests of a source may connect to.
///
/// Public addresses are always allowed. A private address (loopback, RFC 1918, link-local, metadata
/// services and the like) is allowed only for an origin or host named here.
public struct AddressPolicy: Sendable, Hashable {
  /// A host that may have a private address. A `port` of `nil` means any port.
  public struct AllowedHost: Sendable, Hashable {
    /// The host in lower case; an IPv6 literal is in brackets.
    public let host: String
    public let port: Int?

    public init(host: String, port: Int? = nil) {
      self.host = host.lowercased()
      self.port = port
    }

    /// Parses `HOST` or `HOST:PORT`, with an IPv6 host in brackets; `nil` for anything else.
    public init?(_ text: String) {
      // A URL would accept other characters, percent-encoded; no host name has them.
      let isHost = text.unicodeScalars.allSatisfy {
        !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0)
          || ".-_:[]".unicodeScalars.contains($0)
      }
      guard isHost, let url = WebURL("http://\(text)/"), url.path == "/",
        url.query == nil
      else { return nil }
      let saysPort =
        text.drop { $0 != "]" }.contains(":") || (!text.hasPrefix("[") && text.contains(":"))
      self.init(host: url.host, port: saysPort ? url.origin.port : nil)
    }
  }

  public var origins: Set<Origin>
  public var hosts: Set<AllowedHost>

  public init(origins: Set<Origin> = [], hosts: Set<AllowedHost> = []) {
    self.origins = origins
    self.hosts = hosts
  }

  /// Whether this origin may have a private address.
  public func allowsPrivateAddress(for origin: Origin) -> Bool {
    origins.contains(origin)
      || hosts.contains(AllowedHost(host: origin.host, port: origin.port))
      || hosts.contains(AllowedHost(host: origin.host))
  }
}
