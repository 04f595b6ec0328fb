/// The purpose of an IP address, by the IANA special-purpose registries (RFC 6890 and its
/// successors).
package enum AddressClass: String, Sendable, CaseIterable {
  /// A public address of the Internet.
  case global
  case unspecified
  case loopback
  /// RFC 1918.
  case privateUse
  /// RFC 3927, RFC 4291: also where cloud providers put their metadata services.
  case linkLocal
  /// Carrier-grade NAT, RFC 6598.
  case shared
  /// A cloud metadata service at an address that looks public.
  case metadata
  case protocolAssignment
  case documentation
  case benchmarking
  case multicast
  case broadcast
  case reserved
  /// RFC 4193.
  case uniqueLocal
  /// Deprecated site-local addresses, RFC 3879.
  case siteLocal
  /// An IPv4 address inside an IPv6 one in the deprecated way (RFC 4291), or for a stateless translator.
  case embeddedIPv4
  /// RFC 6052 and RFC 8215.
  case nat64
  /// RFC 3056 and its relay's anycast address, RFC 7526.
  case sixToFour
  /// RFC 4380.
  case teredo
  /// RFC 6666 and RFC 9780.
  case discard

  /// Whether a page may cause requests to the address.
  package var isPublic: Bool { self == .global }
}

extension IPAddress {
  /// The class of the address. An IPv4-mapped address has the class of its IPv4 address.
  package var addressClass: AddressClass {
    if isIPv4 { return AddressRange.first(of: AddressRange.version4, holding: bytes) ?? .global }
    if bytes.starts(with: AddressRange.mapped), let inner = IPAddress(bytes: Array(bytes[12...])) {
      return inner.addressClass
    }
    if let found = AddressRange.first(of: AddressRange.version6, holding: bytes) { return found }
    // Global unicast is 2000::/3. Unassigned addresses in 0000::/8 are not routed; the rest is
    // reserved, and overlay networks use some of it.
    return bytes[0] >> 5 == 1 || bytes[0] == 0 ? .global : .reserved
  }

  package var isPublic: Bool { addressClass.isPublic }
}

/// A prefix of addresses.
struct AddressRange: Sendable {
  let prefix: [UInt8]
  let bits: Int
  let use: AddressClass

  init(_ prefix: [UInt8], _ bits: Int, _ use: AddressClass) {
    self.prefix = prefix
    self.bits = bits
    self.use = use
  }

  func contains(_ bytes: [UInt8]) -> Bool {
    let whole = bits / 8
    guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
    let shift = 8 - bits % 8
    return shift == 8 || bytes[whole] >> shift == prefix[whole] >> shift
  }

  static func first(of ranges: [AddressRange], holding bytes: [UInt8]) -> AddressClass? {
    ranges.first { $0.contains(bytes) }?.use
  }

  static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  // Of two nested ranges the narrower comes first.
  static let version4 = [
    AddressRange([0], 8, .unspecified),
    AddressRange([10], 8, .privateUse),
    AddressRange([100, 64], 10, .shared),
    AddressRange([127], 8, .loopback),
    AddressRange([168, 63, 129, 16], 32, .metadata),
    AddressRange([169, 254], 16, .linkLocal),
    AddressRange([172, 16], 12, .privateUse),
    AddressRange([192, 0, 0], 24, .protocolAssignment),
    AddressRange([192, 0, 2], 24, .documentation),
    AddressRange([192, 88, 99], 24, .sixToFour),
    AddressRange([192, 168], 16, .privateUse),
    AddressRange([198, 18], 15, .benchmarking),
    AddressRange([198, 51, 100], 24, .documentation),
    AddressRange([203, 0, 113], 24, .documentation),
    AddressRange([224], 4, .multicast),
    AddressRange([255, 255, 255, 255], 32, .broadcast),
    AddressRange([240], 4, .reserved),
  ]

  static let version6 = [
    AddressRange([UInt8](repeating: 0, count: 16), 128, .unspecified),
    AddressRange([UInt8](repeating: 0, count: 15) + [1], 128, .loopback),
    AddressRange([UInt8](repeating: 0, count: 12), 96, .embeddedIPv4),
    AddressRange([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0], 96, .embeddedIPv4),
    AddressRange([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96, .nat64),
    AddressRange([0, 0x64, 0xFF, 0x9B, 0, 1], 48, .nat64),
    AddressRange([1, 0, 0, 0, 0, 0, 0, 0], 64, .discard),
    AddressRange([1, 0, 0, 0, 0, 0, 0, 1], 64, .discard),
    AddressRange([0x20, 0x01, 0, 0], 32, .teredo),
    AddressRange([0x20, 0x01, 0, 2, 0, 0], 48, .benchmarking),
    AddressRange([0x20, 0x01, 0], 23, .protocolAssignment),
    AddressRange([0x20, 0x01, 0x0D, 0xB8], 32, .documentation),
    AddressRange([0x20, 0x02], 16, .sixToFour),
    AddressRange([0x3F, 0xFF, 0], 20, .documentation),
    AddressRange([0xFC], 7, .uniqueLocal),
    AddressRange([0xFE, 0x80], 10, .linkLocal),
    AddressRange([0xFE, 0xC0], 10, .siteLocal),
    AddressRange([0xFF], 8, .multicast),
  ]
}
