/// Divides a style sheet into tokens (CSS Syntax Module Level 3 section 4.3), in linear time.
/// Comments and the tokens `<!--` and `-->` are left out. A malformed string or URL becomes a line
/// feed, which no value may contain.
struct CSSTokenizer {
  private var bytes: [UInt8]
  private var index = 0

  static func tokens(_ css: some Collection<UInt8>) -> [CSSToken] {
    var tokenizer = CSSTokenizer(bytes: Array(css))
    var tokens = [CSSToken]()
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }

  private init(bytes: [UInt8]) {
    self.bytes = CSSTokenizer.preprocessed(bytes)
  }

  private static let bad = CSSToken.symbol(0x0A)

  /// Returns UTF-8 without a byte order mark and without zeros, and with line feeds only (section
  /// 3.3).
  private static func preprocessed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isLittle = bytes[0] == 0xFF
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
        isLittle
          ? UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
          : UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
      }
      bytes = Array(String(decoding: units, as: UTF16.self).utf8)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard bytes.contains(where: { $0 == 0x0D || $0 == 0x0C || $0 == 0 }) else { return bytes }
    var clean = [UInt8]()
    clean.reserveCapacity(bytes.count)
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case 0x0D: clean.append(0x0A)
      case 0x0A where place > 0 && bytes[place - 1] == 0x0D: continue
      case 0x0C: clean.append(0x0A)
      case 0: clean += [0xEF, 0xBF, 0xBD]
      default: clean.append(byte)
      }
    }
    return clean
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { buffer in
      index + buffer.count <= bytes.count
        && bytes[index..<(index + buffer.count)].elementsEqual(buffer)
    }
  }

  private mutating func next() -> CSSToken? {
    skipComments()
    guard let byte = peek() else { return nil }
    if CSSTokenizer.isSpace(byte) {
      while let space = peek(), CSSTokenizer.isSpace(space) { index += 1 }
      return .whitespace
    }
    if byte == 0x22 || byte == 0x27 { return string(byte) }
    if startsNumber() { return number() }
    if startsName(0) { return name() }
    if byte == 0x23, startsNameCharacter(1) {
      index += 1
      return .hash(readName())
    }
    if byte == 0x40, startsName(1) {
      index += 1
      return .atKeyword(readName().lowercased())
    }
    index += 1
    return .symbol(byte)
  }

  private mutating func skipComments() {
    while true {
      if starts(with: "/*") {
        index += 2
        while index < bytes.count, !starts(with: "*/") { index += 1 }
        index = min(bytes.count, index + 2)
      } else if starts(with: "<!--") {
        index += 4
      } else if starts(with: "-->") {
        index += 3
      } else {
        return
      }
    }
  }

  private mutating func name() -> CSSToken {
    let name = readName()
    guard peek() == 0x28 else { return .identifier(name) }
    index += 1
    guard name.lowercased() == "url" else { return .function(name.lowercased()) }
    var ahead = 0
    while let space = peek(ahead), CSSTokenizer.isSpace(space) { ahead += 1 }
    if peek(ahead) == 0x22 || peek(ahead) == 0x27 {
      index += ahead
      let value = string(bytes[index])
      while let byte = peek(), byte != 0x29 { index += 1 }
      index = min(bytes.count, index + 1)
      if case .string(let text) = value { return .url(text) }
      return CSSTokenizer.bad
    }
    return bareURL()
  }

  private mutating func bareURL() -> CSSToken {
    var value = [UInt8]()
    var isGood = true
    while let space = peek(), CSSTokenizer.isSpace(space) { index += 1 }
    while let byte = peek(), byte != 0x29 {
      if byte == 0x5C, startsNameCharacter(0) {
        value += String(readEscape()).utf8
        continue
      }
      index += 1
      if CSSTokenizer.isSpace(byte) {
        while let space = peek(), CSSTokenizer.isSpace(space) { index += 1 }
        if let next = peek(), next != 0x29 { isGood = false }
      } else if [0x22, 0x27, 0x28, 0x5C, 0x7F].contains(byte) || byte < 0x20 {
        isGood = false
      } else {
        value.append(byte)
      }
    }
    index = min(bytes.count, index + 1)
    return isGood ? .url(String(decoding: value, as: UTF8.self)) : CSSTokenizer.bad
  }

  private mutating func string(_ quote: UInt8) -> CSSToken {
    index += 1
    var value = [UInt8]()
    while let byte = peek() {
      if byte == quote {
        index += 1
        break
      }
      if byte == 0x0A { return CSSTokenizer.bad }
      if byte == 0x5C {
        if peek(1) == nil {
          index += 1
        } else if peek(1) == 0x0A {
          index += 2
        } else {
          value += String(readEscape()).utf8
        }
      } else {
        value.append(byte)
        index += 1
      }
    }
    return .string(String(decoding: value, as: UTF8.self))
  }

  private mutating func number() -> CSSToken {
    let start = index
    if peek() == 0x2B || peek() == 0x2D { index += 1 }
    digits()
    if peek() == 0x2E, let digit = peek(1), (0x30...0x39).contains(digit) {
      index += 1
      digits()
    }
    let value = String(decoding: bytes[start..<index], as: UTF8.self)
    if peek() == 0x25 {
      index += 1
      return .number(value + "%")
    }
    guard startsName(0) else { return .number(value) }
    let unit = readName()
    let isPlain = unit.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D
    }
    return .number(isPlain ? value + unit : value)
  }

  private mutating func digits() {
    while let digit = peek(), (0x30...0x39).contains(digit) { index += 1 }
  }

  private func startsNumber() -> Bool {
    var offset = 0
    if peek() == 0x2B || peek() == 0x2D { offset = 1 }
    if peek(offset) == 0x2E { offset += 1 }
    return peek(offset).map { (0x30...0x39).contains($0) } ?? false
  }

  private func startsName(_ offset: Int) -> Bool {
    guard let byte = peek(offset) else { return false }
    if byte == 0x2D {
      return peek(offset + 1) == 0x2D || startsNameCharacter(offset + 1, digits: false)
    }
    return startsNameCharacter(offset, digits: false)
  }

  private func startsNameCharacter(_ offset: Int, digits: Bool = true) -> Bool {
    guard let byte = peek(offset) else { return false }
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x5F, 0x80...: return true
    case 0x30...0x39, 0x2D: return digits
    case 0x5C: return peek(offset + 1) != nil && peek(offset + 1) != 0x0A
    default: return false
    }
  }

  private mutating func readName() -> String {
    var name = [UInt8]()
    while startsNameCharacter(0), let byte = peek() {
      if byte == 0x5C {
        name += String(readEscape()).utf8
      } else {
        name.append(byte)
        index += 1
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Consumes an escape: a backslash and what follows it.
  private mutating func readEscape() -> Character {
    index += 1
    var value: UInt32 = 0
    var count = 0
    while count < 6, let digit = peek().flatMap({ Character(UnicodeScalar($0)).hexDigitValue }) {
      value = value << 4 | UInt32(digit)
      count += 1
      index += 1
    }
    if count > 0 {
      if let space = peek(), CSSTokenizer.isSpace(space) { index += 1 }
      return Character(value == 0 ? "\u{FFFD}" : UnicodeScalar(value) ?? "\u{FFFD}")
    }
    // A whole character, which may have several bytes.
    let start = index
    index += 1
    while let byte = peek(), byte & 0xC0 == 0x80 { index += 1 }
    let text = String(
      decoding: bytes[min(start, bytes.count)..<min(index, bytes.count)], as: UTF8.self)
    index = min(index, bytes.count)
    return text.first ?? "\u{FFFD}"
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
