/// Reads HTML and XML.
struct MarkupLexer {
  private var reader: ByteReader
  private var found: [CodeToken] = []

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
    guard reader.byte() == 0x3C || reader.byte() == 0x26 else { return reader.place += 1 }
    if reader.has(MarkupLexer.comment) {
      reader.skip(behind: Array("-->".utf8))
      add(.comment, start)
    } else if reader.has(MarkupLexer.text) {
      reader.skip(behind: Array("]]>".utf8))
      add(.string, start)
    } else if reader.byte() == 0x3C, reader.byte(1) == 0x21 || reader.byte(1) == 0x3F {
      reader.skip(behind: [0x3E])
      add(.meta, start)
    } else if reader.byte() == 0x3C,
      reader.byte(1).map({ ByteReader.isLetter($0) || $0 == 0x2F }) == true
    {
      tag()
    } else if reader.byte() == 0x26 {
      reader.place += 1
      reader.skip { ByteReader.isWord($0) || $0 == 0x23 }
      if reader.byte() == 0x3B {
        reader.place += 1
        add(.number, start)
      }
    } else {
      reader.place += 1
    }
  }

  private static let comment = Array("<!--".utf8)
  private static let text = Array("<![CDATA[".utf8)

  private mutating func tag() {
    reader.place += reader.byte(1) == 0x2F ? 2 : 1
    let name = reader.place
    reader.skip(while: MarkupLexer.isName)
    add(.keyword, name)
    while let byte = reader.byte(), byte != 0x3E, byte != 0x3C {
      let start = reader.place
      if byte == 0x22 || byte == 0x27 {
        reader.place += 1
        reader.skip { $0 != byte }
        if !reader.isAtEnd { reader.place += 1 }
        add(.string, start)
      } else if MarkupLexer.isName(byte) {
        reader.skip(while: MarkupLexer.isName)
        add(.name, start)
      } else {
        reader.place += 1
      }
    }
  }

  private mutating func add(_ kind: CodeToken.Kind, _ start: Int) {
    if reader.place > start { found.append(CodeToken(kind, start..<reader.place)) }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    ByteReader.isWord(byte) || byte == 0x2D || byte == 0x3A || byte == 0x2E || byte == 0x40
  }
}
