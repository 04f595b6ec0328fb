/// Parses the output of `djvutxt --detail=page`: for each page a list such as `(page 0 0 200 300
/// "words")`, or `()` without text, with strings as in C (djvused(1), "Hidden text syntax").
enum DjVuText {
  /// Returns the text of each page; empty for one without.
  static func pages(_ bytes: [UInt8]) -> [String] {
    var pages: [String] = []
    var words: [UInt8] = []
    var depth = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x28:
        if depth == 0 { words = [] }
        depth += 1
      case 0x29 where depth > 0:
        depth -= 1
        if depth == 0 { pages.append(String(decoding: words, as: UTF8.self)) }
      case 0x22:
        index += 1
        readString(bytes, &index, into: &words)
      default: break
      }
      index += 1
    }
    return pages
  }

  private static let escapes: [UInt8: UInt8] = [
    0x61: 0x07, 0x62: 0x08, 0x74: 0x09, 0x6E: 0x0A, 0x76: 0x0B, 0x66: 0x0C, 0x72: 0x0D,
  ]

  /// Reads a string up to its closing quote, where `index` then is.
  private static func readString(_ bytes: [UInt8], _ index: inout Int, into words: inout [UInt8]) {
    while index < bytes.count, bytes[index] != 0x22 {
      guard bytes[index] == 0x5C, index + 1 < bytes.count else {
        words.append(bytes[index])
        index += 1
        continue
      }
      index += 1
      let digits = bytes[index...].prefix(3).prefix { (0x30...0x37).contains($0) }
      if digits.isEmpty {
        words.append(escapes[bytes[index]] ?? bytes[index])
        index += 1
      } else {
        words.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 << 3 | Int($1 & 7) }))
        index += digits.count
      }
    }
  }
}
