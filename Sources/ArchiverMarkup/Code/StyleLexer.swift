/// Reads style sheets and the languages that are compiled to them.
struct StyleLexer {
  private var reader: ByteReader
  private var found: [CodeToken] = []
  /// Whether a colon came since the last declaration, so that words are values.
  private var isValue = false

  init(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
  }

  func tokens() -> [CodeToken] {
    var lexer = self
    while !lexer.reader.isAtEnd { lexer.step() }
    return lexer.found
  }

  private mutating func step() {
    let start = reader.place
    guard let byte = reader.byte() else { return }
    switch byte {
    case 0x2F where reader.byte(1) == 0x2A:
      reader.place += 2
      reader.skip(behind: Array("*/".utf8))
      add(.comment, start)
    case 0x2F where reader.byte(1) == 0x2F && (start == 0 || reader.bytes[start - 1] != 0x3A):
      reader.skipLine()
      add(.comment, start)
    case 0x22, 0x27:
      reader.skip(CodeGrammar.Quote(byte == 0x22 ? "\"" : "'"))
      add(.string, start)
    case 0x40, 0x24:
      reader.place += 1
      reader.skip(while: StyleLexer.isName)
      add(byte == 0x40 ? .keyword : .name, start)
    case 0x23 where isValue, 0x30...0x39:
      reader.place += 1
      reader.skip { ByteReader.isWord($0) || $0 == 0x2E || $0 == 0x25 }
      add(.number, start)
    case 0x3A, 0x3B, 0x7B, 0x7D:
      isValue = byte == 0x3A
      reader.place += 1
    case _ where StyleLexer.isName(byte):
      reader.skip(while: StyleLexer.isName)
      if !isValue { add(reader.byte() == 0x3A ? .name : .type, start) }
    default: reader.place += 1
    }
  }

  private mutating func add(_ kind: CodeToken.Kind, _ start: Int) {
    if reader.place > start { found.append(CodeToken(kind, start..<reader.place)) }
  }

  private static func isName(_ byte: UInt8) -> Bool { ByteReader.isWord(byte) || byte == 0x2D }
}
