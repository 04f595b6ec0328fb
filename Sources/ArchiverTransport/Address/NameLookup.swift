import ArchiverCore

/// The system's resolver.
enum NameLookup {
  /// Returns the address of a host in numeric form, without a query.
  static func numeric(_ host: String) -> IPAddress? {
    lookUp(host, flags: AI_NUMERICHOST).first
  }

  /// Returns all addresses of a name, international ones included; empty if there are none. Blocks.
  static func addresses(of name: String) -> [IPAddress] {
    #if canImport(Glibc)
      let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
      return inUTF8 { lookUp(name, flags: isASCII ? 0 : internationalName) }
    #else
      return lookUp(name, flags: 0)
    #endif
  }

  #if canImport(Glibc)
    /// `AI_IDN` of `netdb.h`, which is declared in C's GNU mode only.
    private static let internationalName: Int32 = 0x40

    /// Runs a closure in a UTF-8 locale, which international names need.
    static func inUTF8<Result>(_ body: () -> Result) -> Result {
      guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return body() }
      let previous = uselocale(locale)
      defer {
        uselocale(previous)
        freelocale(locale)
      }
      return body()
    }
  #endif

  private static func lookUp(_ host: String, flags: Int32) -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_flags = flags
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses = [IPAddress]()
    var entry = list
    while let current = entry?.pointee {
      if let pointer = current.ai_addr,
        let address = IPAddress(socketAddress: pointer, length: Int(current.ai_addrlen)),
        !addresses.contains(address)
      {
        addresses.append(address)
      }
      entry = current.ai_next
    }
    return addresses
  }
}
