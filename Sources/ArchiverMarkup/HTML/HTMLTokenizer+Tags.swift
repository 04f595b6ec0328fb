extension HTMLTokenizer {
  /// Reads markup that begins with `<`; `nil` if it gives no token.
  mutating func markup() -> Token? {
    let next = byte(position + 1)
    if Self.isLetter(next) { return readTag(at: position + 1, .startTag) }
    switch next {
    case UInt8(ascii: "/"): return endTag()
    case UInt8(ascii: "!"): return declaration()
    case UInt8(ascii: "?"): return bogusComment(position + 1)
    default: return text(position, position + 1)
    }
  }

  private mutating func endTag() -> Token? {
    guard position + 2 < count else { return text(position, count) }
    let next = input[position + 2]
    if Self.isLetter(next) { return readTag(at: position + 2, .endTag) }
    if next == UInt8(ascii: ">") {
      position += 3
      return nil
    }
    return bogusComment(position + 2)
  }

  /// Reads a tag whose name begins at an index; an unfinished tag is ignored.
  mutating func readTag(at start: Int, _ token: Token) -> Token {
    beginTag()
    position = start
    name = readName(stopsAtEquals: false)
    tag = HTMLTag(name: name)
    guard readAttributes() else {
      position = count
      return .end
    }
    if token == .startTag { lastStartTag = name }
    return token
  }

  /// Reads a name in lower case; the first byte is always part of it.
  private mutating func readName(stopsAtEquals: Bool) -> Int32 {
    let start = position
    var index = start
    var isPlain = true
    while index < count {
      let byte = input[index]
      if byte < 0x40 {
        if Self.endsName(byte) { break }
        if byte == UInt8(ascii: "="), stopsAtEquals, index > start { break }
        if byte == 0 { isPlain = false }
      } else if byte < 0x5B, byte > 0x40 {
        isPlain = false
      }
      index += 1
    }
    position = index
    let bytes = UnsafeBufferPointer(rebasing: input[start..<index])
    if isPlain { return names.id(bytes) }
    return names.id(lowered(bytes))
  }

  private func lowered(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var lowered: [UInt8] = []
    lowered.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == 0 {
        lowered.append(contentsOf: Self.replacementBytes)
      } else {
        lowered.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
    }
    return lowered
  }

  mutating func skipSpace() {
    while position < count, Self.isSpace(input[position]) { position += 1 }
  }

  /// Reads attributes up to the end of the tag; returns false at the end of input.
  private mutating func readAttributes() -> Bool {
    while true {
      skipSpace()
      guard position < count else { return false }
      switch input[position] {
      case UInt8(ascii: ">"):
        position += 1
        return true
      case UInt8(ascii: "/"):
        position += 1
        if byte(position) == UInt8(ascii: ">"), position < count {
          isSelfClosing = true
          position += 1
          return true
        }
      default:
        let name = readName(stopsAtEquals: true)
        skipSpace()
        guard byte(position) == UInt8(ascii: "=") else {
          add(name, .empty)
          continue
        }
        position += 1
        skipSpace()
        guard position < count, let value = readValue() else { return false }
        add(name, value)
      }
    }
  }

  /// Reads a value; `nil` at the end of input.
  private mutating func readValue() -> HTMLSlice? {
    let quote = input[position]
    if quote == UInt8(ascii: ">") { return .empty }
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return valueSlice { Self.isSpace($0) || $0 == UInt8(ascii: ">") }
    }
    position += 1
    let value = valueSlice { $0 == quote }
    position += 1
    return value
  }

  @inline(__always)
  private mutating func valueSlice(_ isEnd: (UInt8) -> Bool) -> HTMLSlice? {
    let start = position
    while position < count {
      let byte = input[position]
      if isEnd(byte) { return HTMLSlice(start: start, count: position - start) }
      if byte == UInt8(ascii: "&") || byte == 0 { return copiedValue(start, isEnd) }
      position += 1
    }
    return nil
  }

  /// Continues a value that differs from the input.
  private mutating func copiedValue(_ start: Int, _ isEnd: (UInt8) -> Bool) -> HTMLSlice? {
    let sideStart = side.count
    side.append(contentsOf: input[start..<position])
    while position < count {
      let byte = input[position]
      if isEnd(byte) {
        return HTMLSlice(start: count + sideStart, count: side.count - sideStart)
      }
      if byte == UInt8(ascii: "&"), readReference(inAttribute: true) { continue }
      if byte == 0 {
        side.append(contentsOf: Self.replacementBytes)
      } else {
        side.append(byte)
      }
      position += 1
    }
    return nil
  }

  /// Reads a character reference into `side`; returns false if the `&` is literal.
  mutating func readReference(inAttribute: Bool) -> Bool {
    if byte(position + 1) == UInt8(ascii: "#") { return readNumber() }
    guard Self.isLetter(byte(position + 1)),
      let match = HTMLCharacterReferences.all.match(
        UnsafeBufferPointer(rebasing: input[(position + 1)...]))
    else { return false }
    if inAttribute, !match.hasSemicolon {
      let next = byte(position + 1 + match.count)
      if next == UInt8(ascii: "=") || Self.isLetter(next) || Self.isDigit(next) { return false }
    }
    side.append(contentsOf: match.text)
    position += 1 + match.count
    return true
  }

  private mutating func readNumber() -> Bool {
    var index = position + 2
    let isHex = byte(index) | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    let start = index
    var number: UInt32 = 0
    while index < count, let digit = Self.digit(input[index], isHex: isHex) {
      number = min(number * (isHex ? 16 : 10) + digit, 0x11_0000)
      index += 1
    }
    guard index > start else { return false }
    if byte(index) == UInt8(ascii: ";") { index += 1 }
    HTMLCharacterReferences.append(HTMLCharacterReferences.codePoint(number), to: &side)
    position = index
    return true
  }

  private static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
    if isDigit(byte) { return UInt32(byte - 0x30) }
    guard isHex, (0x61...0x66).contains(byte | 0x20) else { return nil }
    return UInt32((byte | 0x20) - 0x61 + 10)
  }
}
