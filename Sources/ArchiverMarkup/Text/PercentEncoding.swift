/// Percent-encoded text (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// Returns the bytes with each `%XX` decoded; other percent signs stay.
  package static func decodedBytes(_ text: some StringProtocol) -> [UInt8] {
    var bytes = [UInt8]()
    bytes.reserveCapacity(text.utf8.count)
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns the decoded text, or the text itself if the result is not UTF-8.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    return String(validating: decodedBytes(text), as: UTF8.self) ?? text
  }

  /// Returns the triplet of a byte, in upper case.
  static func triplet(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// Returns the value of a hexadecimal digit; `nil` for another byte or none.
  static func digit(_ byte: UInt8?) -> UInt8? {
    switch byte {
    case .some(let digit) where (0x30...0x39).contains(digit): digit - 0x30
    case .some(let digit) where (0x61...0x66).contains(digit | 0x20): (digit | 0x20) - 0x57
    default: nil
    }
  }
}
