/// The text of a program as bytes, with a place in it.
struct ByteReader {
  let bytes: [UInt8]
  var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { place >= bytes.count }

  /// The byte at the place and so many after; `nil` beyond the end.
  func byte(_ ahead: Int = 0) -> UInt8? {
    place + ahead < bytes.count ? bytes[place + ahead] : nil
  }

  func has(_ prefix: [UInt8]) -> Bool {
    guard place + prefix.count <= bytes.count else { return false }
    for (offset, byte) in prefix.enumerated() where bytes[place + offset] != byte { return false }
    return true
  }

  /// Skips to the end of the line.
  mutating func skipLine() {
    while let byte = byte(), byte != 0x0A { place += 1 }
  }

  /// Skips past a mark, or else to the end.
  mutating func skip(behind mark: [UInt8]) {
    while !isAtEnd {
      if has(mark) {
        place += mark.count
        return
      }
      place += 1
    }
  }

  /// Skips past a quoted text; the position is at its opening quotation mark.
  mutating func skip(_ quote: CodeGrammar.Quote) {
    place += quote.mark.count
    while let byte = byte() {
      if byte == 0x5C, quote.hasEscapes {
        place = min(place + 2, bytes.count)
      } else if has(quote.mark) {
        place += quote.mark.count
        return
      } else if byte == 0x0A, !quote.isLong {
        return
      } else {
        place += 1
      }
    }
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = byte(), condition(byte) { place += 1 }
  }

  /// The text from a place to here.
  func word(from start: Int) -> String { String(decoding: bytes[start..<place], as: UTF8.self) }

  /// Letters, digits, underscores and what is not ASCII.
  static func isWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte >= 0x80
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
