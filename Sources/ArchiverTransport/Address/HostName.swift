import ArchiverCore

/// The host of a URL, classified before it is resolved.
enum HostName: Hashable {
  /// An address in whatever numeric form the system's resolver understands (`0x7f.1`, `2130706433`).
  case literal(IPAddress)
  /// A name in the public name space; percent-encoding removed, lower-case.
  case name(String)
  /// A name that means this machine, the local network or a metadata service, whatever it resolves to.
  case local(String)
  /// An invalid host.
  case invalid

  /// Reads a host as `WebURL` gives it, an IPv6 literal in brackets.
  init(urlHost: String) {
    if urlHost.hasPrefix("[") {
      let inner = urlHost.hasSuffix("]") ? String(urlHost.dropFirst().dropLast()) : ""
      self = IPAddress(inner).map { .literal($0) } ?? .invalid
      return
    }
    guard let decoded = HostName.decoded(urlHost), HostName.isPlausible(decoded) else {
      self = .invalid
      return
    }
    var name = decoded.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    if let address = NameLookup.numeric(name) {
      self = .literal(address)
    } else if HostName.endsInNumber(name) {
      self = .invalid
    } else {
      self = HostName.isLocal(name) ? .local(name) : .name(name)
    }
  }

  /// Returns the host without percent-encoding; `nil` if the result is not UTF-8.
  private static func decoded(_ host: String) -> String? {
    guard host.utf8.contains(UInt8(ascii: "%")) else { return host }
    return URLComponents(string: "http://\(host)/")?.host
  }

  private static func isPlausible(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 1024
      && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/\\@#?:%<>[]^|".utf8.contains($0) }
  }

  // A name whose last label is a number must be an IPv4 address (WHATWG URL, host parsing).
  private static func endsInNumber(_ name: String) -> Bool {
    let last = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    return !last.isEmpty && last.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Special-use top-level names (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`), names without
  /// a dot, and metadata services that answer at public addresses.
  private static func isLocal(_ name: String) -> Bool {
    let suffixes = [".localhost", ".local", ".internal", ".home.arpa"]
    return (name.utf8.allSatisfy { $0 < 0x80 } && !name.contains("."))
      || suffixes.contains { name.hasSuffix($0) } || name == "home.arpa"
      || ["metadata.packet.net", "metadata.platformequinix.com"].contains(name)
  }
}
