/// Byte classes of text: bytes that are copied and bytes that need processing.
enum TextByte {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }

  /// Whether a byte is neither white space, nor escaped, nor a control character.
  static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x3E
      ? byte != 0x7F
      : byte > 0x20 && byte != 0x26 && byte != 0x3C && byte != 0x3E
  }

  /// Whether a byte of an attribute's value is escaped or replaced.
  static func isEscapedInValue(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x26 || byte == 0x3C || byte == 0x3E || byte == 0x7F
  }
}

extension [UInt8] {
  /// Appends ` name="value"` with the value escaped and without control characters.
  mutating func appendAttribute(_ name: String, _ value: String) {
    append(0x20)
    append(contentsOf: name.utf8)
    append(contentsOf: "=\"".utf8)
    appendEscapedValue(value)
    append(0x22)
  }

  /// Appends text for use between double quotes; control characters become spaces.
  mutating func appendEscapedValue(_ value: String) {
    // Most values are copied whole.
    guard !value.utf8.allSatisfy({ !TextByte.isEscapedInValue($0) }) else {
      return append(contentsOf: value.utf8)
    }
    for byte in value.utf8 {
      switch byte {
      case 0x26: append(contentsOf: "&amp;".utf8)
      case 0x22: append(contentsOf: "&quot;".utf8)
      case 0x3C: append(contentsOf: "&lt;".utf8)
      case 0x3E: append(contentsOf: "&gt;".utf8)
      case 0..<0x20, 0x7F: append(0x20)
      default: append(byte)
      }
    }
  }

  /// Appends one byte of text, escaped if necessary.
  mutating func appendEscapedText(_ byte: UInt8) {
    switch byte {
    case 0x26: append(contentsOf: "&amp;".utf8)
    case 0x3C: append(contentsOf: "&lt;".utf8)
    case 0x3E: append(contentsOf: "&gt;".utf8)
    case 0..<0x09, 0x0B..<0x20, 0x7F: break
    default: append(byte)
    }
  }
}

/// Decodes what `appendEscapedValue` wrote.
enum CanonicalValue {
  static func decoded(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(0x26) else { return text }
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      rest = rest[ampersand...]
      if let entity = entities.first(where: { rest.hasPrefix($0.0) }) {
        result += entity.1
        rest = rest.dropFirst(entity.0.count)
      } else {
        result += "&"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  private static let entities = [
    ("&amp;", "&"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"),
  ]
}
