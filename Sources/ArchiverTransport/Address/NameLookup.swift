#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The system's resolver.
enum NameLookup {
  /// Returns the address that a host in numeric form stands for; asks no server.
  static func numeric(_ host: String) -> IPAddress? {
    lookUp(host, flags: AI_NUMERICHOST).first
  }

  /// Returns every address of a name, an international one included; blocks. Empty when it has none.
  static func addresses(of name: String) -> [IPAddress] {
    #if canImport(Glibc)
      let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
      return inUTF8 { lookUp(name, flags: isASCII ? 0 : internationalName) }
    #else
      return lookUp(name, flags: 0)
    #endif
  }

  #if canImport(Glibc)
    /// `AI_IDN` of `netdb.h`, which only C's GNU mode shows.
    private static let internationalName: Int32 = 0x40

    /// Runs a body in a locale whose characters are UTF-8, which international names need.
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
