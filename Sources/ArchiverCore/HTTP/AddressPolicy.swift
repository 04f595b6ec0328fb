/// Which addresses may be connected to; one value used by every request of a source.
///
/// A public address may always be reached. A private one (loopback, RFC 1918, link-local, metadata
/// services and the like) only when it belongs to an origin or host named here.
public struct AddressPolicy: Sendable, Hashable {
  /// A host that may be at a private address; `port` `nil` means any port.
  public struct AllowedHost: Sendable, Hashable {
    /// Lower-case; an IPv6 literal in brackets.
    public let host: String
    public let port: Int?

    public init(host: String, port: Int? = nil) {
      self.host = host.lowercased()
      self.port = port
    }

    /// Parses `HOST` or `HOST:PORT`, where an IPv6 host stands in brackets; `nil` when it is neither.
    public init?(_ text: String) {
      // An address would take other characters too, percent-encoded; no host has them.
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

  /// Whether a private address may answer for this origin.
  public func allowsPrivateAddress(for origin: Origin) -> Bool {
    origins.contains(origin)
      || hosts.contains(AllowedHost(host: origin.host, port: origin.port))
      || hosts.contains(AllowedHost(host: origin.host))
  }
}
