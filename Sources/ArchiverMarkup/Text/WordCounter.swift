/// Counts words.
package enum WordCounter {
  /// Returns the number of words. Each Chinese, Japanese or Korean character counts as one, because
  /// those scripts have no spaces or short words.
  package static func count(_ text: String) -> Int {
    var copy = text
    return copy.withUTF8 { bytes in
      var count = 0
      // 1 inside a word, else 0: without branches, as every letter of an archive passes here.
      var inWord: UInt64 = 0
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x80 {
          let isLetter = bit(byte, of: letters)
          let isSpace = byte <= 0x20 ? UInt64(1) : 0
          count += Int(isLetter & ~inWord)
          inWord = isLetter | inWord & ~isSpace
          index += 1
          continue
        }
        switch kind(scalar(bytes, &index)) {
        case .character:
          count += 1
          inWord = 0
        case .space: inWord = 0
        case .letter:
          count += Int(1 - inWord)
          inWord = 1
        case .other: break
        }
      }
      return count
    }
  }

  /// The ASCII letters and digits, a bit each: 64 characters in each number.
  private static let letters: (UInt64, UInt64) = (0x03FF << 48, 0x07FF_FFFE_07FF_FFFE)

  @inline(__always)
  private static func bit(_ byte: UInt8, of set: (UInt64, UInt64)) -> UInt64 {
    (byte < 0x40 ? set.0 : set.1) &>> UInt64(byte & 0x3F) & 1
  }

  private enum Kind {
    case character, space, letter, other
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    // Dashes and quotation marks, which are most of what is not ASCII in many texts.
    if (0x2010...0x2027).contains(scalar.value) { return .other }
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
