/// Reads settings: a key, a sign, a value on each line.
struct KeyLexer {
  private var reader: ByteReader
  private let grammar: CodeGrammar
  private var found: [CodeToken] = []

  init(_ bytes: [UInt8], _ grammar: CodeGrammar) {
    reader = ByteReader(bytes)
    self.grammar = grammar
  }

  func tokens() -> [CodeToken] {
    var lexer = self
    while !lexer.reader.isAtEnd { lexer.line() }
    return lexer.found
  }

  private mutating func line() {
    reader.skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x2D }
    let start = reader.place
    if reader.byte() == 0x5B {
      reader.skip { $0 != 0x0A && $0 != 0x23 }
      add(.type, start)
    } else if let byte = reader.byte(), ByteReader.isWord(byte) || byte == 0x22 || byte == 0x27 {
      key(start)
    }
    while let byte = reader.byte(), byte != 0x0A { value(byte) }
    if !reader.isAtEnd { reader.place += 1 }
  }

  /// A key ends at a colon before white space, or at an equals sign.
  private mutating func key(_ start: Int) {
    var end = start
    while end < reader.bytes.count, reader.bytes[end] != 0x0A {
      let byte = reader.bytes[end]
      let next = end + 1 < reader.bytes.count ? reader.bytes[end + 1] : 0x0A
      if byte == 0x3D || (byte == 0x3A && next <= 0x20) {
        reader.place = end
        return add(.name, start)
      }
      guard byte != 0x23, byte != 0x7B, byte != 0x2C else { return }
      end += 1
    }
  }

  private mutating func value(_ byte: UInt8) {
    let start = reader.place
    let before = start > 0 ? reader.bytes[start - 1] : 0x0A
    if before <= 0x20, grammar.lineComments.contains(where: { reader.has($0) }) {
      reader.skipLine()
      add(.comment, start)
    } else if before <= 0x20 || before == 0x3D || before == 0x5B || before == 0x2C,
      let quote = grammar.quotes.first(where: { reader.has($0.mark) })
    {
      reader.skip(quote)
      add(.string, start)
    } else if ByteReader.isWord(byte) {
      reader.skip { ByteReader.isWord($0) || $0 == 0x2E }
      let word = reader.word(from: start).prefix(40)
      if grammar.keywords.contains(word.lowercased()) {
        add(.keyword, start)
      } else if ByteReader.isDigit(byte) {
        add(.number, start)
      }
    } else if byte == 0x26 || byte == 0x2A, before <= 0x20 {
      reader.place += 1
      reader.skip(while: ByteReader.isWord)
      add(.meta, start)
    } else {
      reader.place += 1
    }
  }

  private mutating func add(_ kind: CodeToken.Kind, _ start: Int) {
    if reader.place > start { found.append(CodeToken(kind, start..<reader.place)) }
  }
}

/// Reads differences: lines that came, lines that went, places.
struct DifferenceLexer {
  private var reader: ByteReader

  init(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
  }

  func tokens() -> [CodeToken] {
    var reader = reader
    var found: [CodeToken] = []
    while let byte = reader.byte() {
      let start = reader.place
      reader.skipLine()
      if reader.place > start, let kind = DifferenceLexer.kind(byte) {
        found.append(CodeToken(kind, start..<reader.place))
      }
      if !reader.isAtEnd { reader.place += 1 }
    }
    return found
  }

  private static func kind(_ byte: UInt8) -> CodeToken.Kind? {
    switch byte {
    case 0x2B: .string
    case 0x2D: .name
    case 0x40: .meta
    // Lines that stayed have no colour.
    default: nil
    }
  }
}
