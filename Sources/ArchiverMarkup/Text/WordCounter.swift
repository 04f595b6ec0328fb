/// Counts words as readers do.
package enum WordCounter {
  /// Returns the number of words; each Chinese, Japanese or Korean character is one, because those
  /// scripts put no spaces between words or use short ones.
  package static func count(_ text: String) -> Int {
    var count = 0
    var inWord = false
    for scalar in text.unicodeScalars {
      if isIdeographic(scalar.value) {
        count += 1
        inWord = false
      } else if scalar.properties.isWhitespace {
        inWord = false
      } else if !inWord, isWordLike(scalar) {
        count += 1
        inWord = true
      }
    }
    return count
  }

  private static func isWordLike(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      return (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
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
