/// Reads programs, one byte after the other, in one pass.
struct ProgramLexer {
  private var reader: ByteReader
  private let grammar: CodeGrammar
  private var found: [CodeToken] = []

  init(_ bytes: [UInt8], _ grammar: CodeGrammar) {
    reader = ByteReader(bytes)
    self.grammar = grammar
  }

  func tokens() -> [CodeToken] {
    var lexer = self
    while !lexer.reader.isAtEnd { lexer.step() }
    return lexer.found
  }

  private mutating func step() {
    let start = reader.place
    guard let byte = reader.byte() else { return }
    if let kind = comment() ?? quote() ?? number(byte) ?? meta(byte) ?? word(byte) {
      if reader.place > start { found.append(CodeToken(kind, start..<reader.place)) }
    }
    if reader.place == start { reader.place += 1 }
  }

  private mutating func comment() -> CodeToken.Kind? {
    if let block = grammar.blockComment, reader.has(block.open) {
      reader.place += block.open.count
      var depth = 1
      while !reader.isAtEnd, depth > 0 {
        if reader.has(block.close) {
          depth -= 1
          reader.place += block.close.count
        } else if grammar.nestsComments, reader.has(block.open) {
          depth += 1
          reader.place += block.open.count
        } else {
          reader.place += 1
        }
      }
      return .comment
    }
    guard grammar.lineComments.contains(where: { reader.has($0) }), beginsComment else {
      return nil
    }
    reader.skipLine()
    return .comment
  }

  /// Whether the sign is where a comment may begin: in shells, `$#` and `a#b` do not begin one.
  private var beginsComment: Bool {
    guard reader.byte() == 0x23, grammar.hasDollarNames || grammar.hasHyphens, reader.place > 0
    else { return true }
    return reader.bytes[reader.place - 1] <= 0x20 || reader.bytes[reader.place - 1] == 0x3B
  }

  private mutating func quote() -> CodeToken.Kind? {
    guard let quote = grammar.quotes.first(where: { reader.has($0.mark) }) else { return nil }
    let start = reader.place
    reader.skip(quote)
    // In JSON a string before a colon is a name.
    if grammar.names.first == "json" {
      let end = reader.place
      reader.skip { $0 == 0x20 || $0 == 0x09 }
      let isKey = reader.byte() == 0x3A
      reader.place = end
      if isKey { return .name }
    }
    return reader.place > start ? .string : nil
  }

  private mutating func number(_ byte: UInt8) -> CodeToken.Kind? {
    guard ByteReader.isDigit(byte) else { return nil }
    while let next = reader.byte() {
      let isExponent = next == 0x2B || next == 0x2D
      if ByteReader.isWord(next) {
        reader.place += 1
      } else if next == 0x2E, reader.byte(1).map(ByteReader.isDigit) == true {
        reader.place += 1
      } else if isExponent, reader.bytes[reader.place - 1] | 0x20 == 0x65,
        reader.byte(1).map(ByteReader.isDigit) == true
      {
        reader.place += 1
      } else {
        break
      }
    }
    return .number
  }

  private mutating func meta(_ byte: UInt8) -> CodeToken.Kind? {
    let isDollar = byte == 0x24 && grammar.hasDollarNames
    guard isDollar || grammar.metaSigns.contains(byte) else { return nil }
    let start = reader.place
    if byte == 0x3A, start > 0, reader.bytes[start - 1] == 0x3A || reader.byte(1) == 0x3A {
      return nil
    }
    reader.place += 1
    if byte == 0x23, reader.byte() == 0x5B {
      reader.skip { $0 != 0x5D && $0 != 0x0A }
      if reader.byte() == 0x5D { reader.place += 1 }
      return .meta
    }
    guard let next = reader.byte(), ByteReader.isLetter(next) else {
      reader.place = start
      return nil
    }
    reader.skip(while: ByteReader.isWord)
    return isDollar ? .name : .meta
  }

  private mutating func word(_ byte: UInt8) -> CodeToken.Kind? {
    guard ByteReader.isLetter(byte) else { return nil }
    let start = reader.place
    reader.skip(while: ByteReader.isWord)
    if grammar.hasHyphens {
      while reader.byte() == 0x2D, reader.byte(1).map(ByteReader.isWord) == true {
        reader.place += 1
        reader.skip(while: ByteReader.isWord)
      }
    }
    // Longer names are no keywords.
    guard reader.place - start <= 40 else { return nil }
    let word = reader.word(from: start)
    if grammar.keywords.contains(grammar.ignoresCase ? word.lowercased() : word) { return .keyword }
    let isType = grammar.hasTypes && (0x41...0x5A).contains(byte)
    return isType ? .type : nil
  }
}
