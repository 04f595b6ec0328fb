/// Divides text into search terms.
///
/// The text is read in normal form (`NormalText`). A term is a run of letters and digits, folded,
/// of at most `longest` bytes. In scripts without word spaces, each two adjacent characters are a
/// term; the last character of a run is one too, so that a single character is found as a prefix.
struct Tokenizer {
  static let longest = 60

  private let folding = Folding.shared
  private var term: [UInt8] = []
  private var previous: Unicode.Scalar?

  /// Calls `body` with each term in order.
  mutating func tokens(of text: String, _ body: (String) -> Void) {
    terms(of: text) { body(String(decoding: $0, as: UTF8.self)) }
  }

  /// Calls `body` with the bytes of each term in order.
  mutating func terms(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    terms(ofNormal: NormalText.of(text), body)
  }

  /// Calls `body` with the bytes of each term of a text in the normal form.
  mutating func terms(ofNormal normal: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = normal
    text.withUTF8 { utf8 in
      var index = 0
      while index < utf8.count {
        let byte = utf8[index]
        if let end = plainWord(utf8, index, body) {
          index = end
        } else if byte < 0x80 {
          index = ascii(utf8, index, body)
        } else {
          let (scalar, length) = Tokenizer.scalar(utf8, index)
          other(scalar, body)
          index += length
        }
      }
    }
    endDense(body)
    endWord(body)
  }

  /// Reads a word of ASCII only, the most frequent case, without copying it; returns the rest, or
  /// `nil` if there is no such word.
  private mutating func plainWord(
    _ utf8: UnsafeBufferPointer<UInt8>, _ start: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Int? {
    guard term.isEmpty, previous == nil else { return nil }
    var end = start
    while end < utf8.count, Tokenizer.isLetterOrDigit(utf8[end]) { end += 1 }
    let length = end - start
    // A non-ASCII byte may continue the word.
    guard length > 0, length <= Tokenizer.longest, end == utf8.count || utf8[end] < 0x80
    else { return nil }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Tokenizer.longest) { word in
      // Lower-cases letters; digits have the bit already.
      for place in 0..<length { word[place] = utf8[start + place] | 0x20 }
      body(UnsafeBufferPointer(rebasing: word[..<length]))
    }
    return end
  }

  /// Reads a run of letters and digits, or a single other byte; returns the rest.
  private mutating func ascii(
    _ utf8: UnsafeBufferPointer<UInt8>, _ start: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Int {
    if previous != nil { endDense(body) }
    var end = start
    while end < utf8.count, Tokenizer.isLetterOrDigit(utf8[end]) { end += 1 }
    guard end > start else {
      endWord(body)
      return start + 1
    }
    let known = term.count
    term.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
    // Lower-cases letters; digits have the bit already.
    term.withUnsafeMutableBufferPointer { term in
      for index in known..<term.count { term[index] |= 0x20 }
    }
    return end
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
  }

  private mutating func other(
    _ scalar: Unicode.Scalar, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    switch CharacterClass(scalar) {
    case .mark: break
    case .word:
      endDense(body)
      folding.append(scalar, to: &term)
    case .dense:
      endWord(body)
      let folded = folding.dense(scalar)
      if let previous { Tokenizer.send([previous, folded], to: body) }
      previous = folded
    case .other:
      endDense(body)
      endWord(body)
    }
  }

  private mutating func endWord(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard !term.isEmpty else { return }
    if term.count > Tokenizer.longest { term = term.wholeCharacters(Tokenizer.longest) }
    term.withUnsafeBufferPointer(body)
    term.removeAll(keepingCapacity: true)
  }

  /// Returns the term of folded bytes, truncated to the maximum length.
  static func term(_ folded: [UInt8]) -> String {
    String(decoding: folded.wholeCharacters(longest), as: UTF8.self)
  }

  private mutating func endDense(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard let last = previous else { return }
    Tokenizer.send([last], to: body)
    previous = nil
  }

  private static func send(
    _ scalars: [Unicode.Scalar], to body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var bytes: [UInt8] = []
    for scalar in scalars { bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter }
    bytes.withUnsafeBufferPointer(body)
  }

  static func scalar(
    _ utf8: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> (Unicode.Scalar, Int) {
    let first = utf8[index]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for offset in 1..<length where index + offset < utf8.count {
      value = value << 6 | UInt32(utf8[index + offset] & 0x3F)
    }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

extension Collection<UInt8> {
  /// Returns the first bytes of UTF-8, at most a number, without part of a character at the end.
  func wholeCharacters(_ limit: Int) -> [UInt8] {
    guard count > limit else { return Array(self) }
    var bytes = Array(prefix(limit))
    while let last = bytes.last, last >= 0x80, String(validating: bytes, as: UTF8.self) == nil {
      bytes.removeLast()
    }
    return bytes
  }
}
