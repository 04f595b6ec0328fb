import ArchiverCore

/// Writes JSON values as text with sorted keys, so that equal values give equal bytes.
struct JSONText: Sendable {
  private(set) var bytes: [UInt8] = []

  init() {}

  static func bytes(of value: JSONValue) -> [UInt8] {
    var text = JSONText()
    text.write(value)
    return text.bytes
  }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): raw(value ? "true" : "false")
    case .integer(let value): raw(String(value))
    case .number(let value): raw(value.isFinite ? String(value) : "null")
    case .string(let value): string(value)
    case .array(let elements): array(elements)
    case .object(let members): object(members)
    }
  }

  /// Writes JSON text unchanged, or punctuation between values.
  mutating func raw(_ text: String) {
    bytes += text.utf8
  }

  mutating func string(_ text: String) {
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22: raw("\\\"")
      case 0x5C: raw("\\\\")
      case 0x0A: raw("\\n")
      case 0x0D: raw("\\r")
      case 0x09: raw("\\t")
      case 0..<0x20: raw("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }

  private mutating func array(_ elements: [JSONValue]) {
    raw("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { raw(",") }
      write(element)
    }
    raw("]")
  }

  private mutating func object(_ members: [String: JSONValue]) {
    raw("{")
    for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { raw(",") }
      string(member.key)
      raw(":")
      write(member.value)
    }
    raw("}")
  }
}
