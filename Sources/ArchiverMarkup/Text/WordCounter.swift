/// Counts words.
package enum WordCounter {
  /// Returns the number of words. Each Chinese, Japanese or Korean character counts as one, because
  /// those scripts have no spaces or short words.
  package static func count(_ text: String) -> Int {
    var copy = text
    return copy.withUTF8 { bytes in
      var count = 0
      var inWord = false
      var index = 0
      while index < bytes.count {
        let kind: Kind
        if bytes[index] < 0x80 {
          // The common case, in which property lookups would dominate the time.
          kind = asciiKind(bytes[index])
          index += 1
        } else {
          kind = self.kind(scalar(bytes, &index))
        }
        switch kind {
        case .character:
          count += 1
          inWord = false
        case .space: inWord = false
        case .letter:
          if !inWord { count += 1 }
          inWord = true
        case .other: break
        }
      }
      return count
    }
  }

  private enum Kind {
    case character, space, letter, other
  }

  private static func asciiKind(_ byte: UInt8) -> Kind {
    if byte <= 0x20 { return .space }
    if byte >= 0x30 && byte <= 0x39 { return .letter }
    return byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A ? .letter : .other
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    if isIdeographic(scalar.value) { return .character }
    let properties = scalar.properties
    if properties.isWhitespace { return .space }
    return properties.isAlphabetic || properties.numericType != nil ? .letter : .other
  }

  /// Decodes the character at `index`; a string is always well-formed.
  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> Unicode.Scalar {
    let lead = bytes[index]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for byte in bytes[(index + 1)..<(index + length)] { value = value << 6 | UInt32(byte & 0x3F) }
    index += length
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static func isIdeographic(_ value: UInt32) -> Bool {
    switch value {
    case 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0x20000...0x3134F:
      true
    default: false
    }
  }
}
