extension HTMLTokenizer {
  /// Reads markup that begins with `<!`.
  mutating func declaration() -> Token? {
    let start = position + 2
    if byte(start) == UInt8(ascii: "-"), byte(start + 1) == UInt8(ascii: "-") {
      return comment(start + 2)
    }
    if hasWord("doctype", at: start) { return doctype(start + 7) }
    if allowsCDATA, hasWord("[CDATA[", at: start), byte(start + 1) == UInt8(ascii: "C"),
      input[start..<(start + 7)].elementsEqual("[CDATA[".utf8)
    {
      position = start + 7
      content = .cdata
      return next()
    }
    return bogusComment(start)
  }

  /// Whether the word is at an index, ignoring case.
  func hasWord(_ word: StaticString, at index: Int) -> Bool {
    guard index + word.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<word.utf8CodeUnitCount {
      let byte = input[index + offset]
      let wanted = word.utf8Start[offset]
      if byte != wanted, !(Self.isLetter(byte) && byte | 0x20 == wanted | 0x20) { return false }
    }
    return true
  }

  /// Reads everything up to the next `>` as a comment.
  mutating func bogusComment(_ start: Int) -> Token {
    var index = start
    while index < count, input[index] != UInt8(ascii: ">") { index += 1 }
    return comment(start, index, next: index + 1)
  }

  private mutating func comment(_ start: Int, _ end: Int, next: Int) -> Token {
    slice = replaced(start, end)
    position = min(next, count)
    return .comment
  }

  /// Returns a range of the input with NUL replaced by U+FFFD and, if requested, in lower case.
  private mutating func replaced(_ start: Int, _ end: Int, isLower: Bool = false) -> HTMLSlice {
    let range = input[start..<end]
    let changes = { (byte: UInt8) in byte == 0 || (isLower && (0x41...0x5A).contains(byte)) }
    guard range.contains(where: changes) else {
      return HTMLSlice(start: start, count: end - start)
    }
    let sideStart = side.count
    for byte in range {
      if byte == 0 {
        side.append(contentsOf: Self.replacementBytes)
      } else {
        side.append(changes(byte) ? byte | 0x20 : byte)
      }
    }
    return HTMLSlice(start: count + sideStart, count: side.count - sideStart)
  }

  private mutating func comment(_ start: Int) -> Token {
    let dash = UInt8(ascii: "-")
    if start < count, input[start] == UInt8(ascii: ">") {
      return comment(start, start, next: start + 1)
    }
    if byte(start) == dash, byte(start + 1) == UInt8(ascii: ">") {
      return comment(start, start, next: start + 2)
    }
    var index = start
    while index < count {
      if input[index] == dash, byte(index + 1) == dash {
        if byte(index + 2) == UInt8(ascii: ">") { return comment(start, index, next: index + 3) }
        if byte(index + 2) == UInt8(ascii: "!"), byte(index + 3) == UInt8(ascii: ">") {
          return comment(start, index, next: index + 4)
        }
      }
      index += 1
    }
    var rest = input[start...]
    if rest.count > 2, rest.last == UInt8(ascii: "!"), rest.dropLast().last == dash,
      rest.dropLast(2).last == dash
    {
      rest = rest.dropLast(3)
    } else if rest.last == dash {
      rest = rest.dropLast(rest.dropLast().last == dash ? 2 : 1)
    }
    return comment(start, start + rest.count, next: count)
  }

  // MARK: Doctype

  private mutating func doctype(_ start: Int) -> Token {
    position = start
    hasDoctypeName = false
    slice = .empty
    publicIdentifier = nil
    systemIdentifier = nil
    forcesQuirks = !readDoctype()
    return .doctype
  }

  /// Reads the rest of a doctype; returns false if it selects quirks mode.
  private mutating func readDoctype() -> Bool {
    skipSpace()
    guard position < count else { return false }
    if takesClose() { return false }
    let start = position
    while position < count, !Self.isSpace(input[position]), input[position] != UInt8(ascii: ">") {
      position += 1
    }
    slice = replaced(start, position, isLower: true)
    hasDoctypeName = true
    skipSpace()
    guard position < count else { return false }
    if takesClose() { return true }
    if hasWord("public", at: position) {
      position += 6
      guard let identifier = readIdentifier() else { return false }
      publicIdentifier = identifier.slice
      guard identifier.isWhole else { return false }
      return readSecondIdentifier()
    }
    if hasWord("system", at: position) {
      position += 6
      guard let identifier = readIdentifier() else { return false }
      systemIdentifier = identifier.slice
      return identifier.isWhole && readEnd()
    }
    skipDoctype()
    return false
  }

  /// Reads the system identifier that may follow a public one.
  private mutating func readSecondIdentifier() -> Bool {
    skipSpace()
    guard position < count else { return false }
    if takesClose() { return true }
    guard let identifier = readIdentifier() else { return false }
    systemIdentifier = identifier.slice
    return identifier.isWhole && readEnd()
  }

  /// Skips up to and including the `>`.
  private mutating func readEnd() -> Bool {
    skipSpace()
    guard position < count else { return false }
    skipDoctype()
    return true
  }

  private mutating func takesClose() -> Bool {
    guard input[position] == UInt8(ascii: ">") else { return false }
    position += 1
    return true
  }

  private mutating func skipDoctype() {
    while position < count, input[position] != UInt8(ascii: ">") { position += 1 }
    position = min(position + 1, count)
  }

  /// Reads a quoted identifier; `nil` without one, incomplete if `>` or the end of input ends it.
  private mutating func readIdentifier() -> (slice: HTMLSlice, isWhole: Bool)? {
    skipSpace()
    guard position < count else { return nil }
    let quote = input[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      skipDoctype()
      return nil
    }
    position += 1
    let start = position
    while position < count, input[position] != quote, input[position] != UInt8(ascii: ">") {
      position += 1
    }
    let slice = replaced(start, position)
    let isWhole = position < count && input[position] == quote
    position = min(position + 1, count)
    return (slice, isWhole)
  }
}
