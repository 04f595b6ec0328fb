import ArchiverCore

/// An IPv4 or IPv6 address as bytes in network order: four or sixteen of them.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// Makes an address from its bytes; `nil` unless there are four or sixteen.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads the address from a socket address; `nil` if it is neither IPv4 nor IPv6 or too short.
  init?(socketAddress: UnsafePointer<sockaddr>, length: Int) {
    let raw = UnsafeRawBufferPointer(start: socketAddress, count: length)
    let offset: Int
    let count: Int
    switch Int32(socketAddress.pointee.sa_family) {
    case AF_INET: (offset, count) = (4, 4)
    case AF_INET6: (offset, count) = (8, 16)
    default: return nil
    }
    guard raw.count >= offset + count else { return nil }
    bytes = Array(raw[offset..<offset + count])
  }

  /// Parses the standard text form: four decimal numbers, or IPv6 (RFC 4291) without a zone.
  package init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }

  package var isIPv4: Bool { bytes.count == 4 }

  package var description: String {
    var text = [CChar](repeating: 0, count: 64)
    let family = isIPv4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
