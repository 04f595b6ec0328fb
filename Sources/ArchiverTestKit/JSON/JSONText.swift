/// Writes JSON like Go: members in the given order, `<`, `>` and `&` escaped.
enum JSONText {
  /// Omits members whose value is `nil`.
  static func object(_ members: [(String, String?)]) -> String {
    let parts = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
    return "{" + parts.joined(separator: ",") + "}"
  }

  static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  static func string(_ text: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = [0x22]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0x00..<0x20, 0x26, 0x3C, 0x3E:
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the encoded text; `nil` if it is empty, like Go's `omitempty`.
  static func filled(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return string(text)
  }
}
