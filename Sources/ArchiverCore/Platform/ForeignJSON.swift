/// Decodes JSON of other programs, which may contain errors for which a strict decoder rejects the whole text.
///
/// One text or number must not make a response of a hundred items unreadable. Repaired are:
/// - escapes of half a surrogate pair, which JavaScript and Python write for texts cut in the middle
///   of a character or for names of files that are not UTF-8; they become U+FFFD;
/// - bytes that are not UTF-8, which become U+FFFD;
/// - control characters that are not escaped, which stay in their text;
/// - numbers beyond the range of `Double`, which become its maximum;
/// - `NaN` and `Infinity`, which Python writes; they become `null`;
/// - values nested deeper than 500 levels, which become a text that says so.
///
/// Text in UTF-16 or UTF-32 is decoded without repairs (RFC 8259, section 8.1 allows UTF-8 only).
public enum ForeignJSON {
  /// Throws the decoder's error for the unchanged text.
  public static func decode<T: Decodable>(_ type: T.Type, from text: Data) throws -> T {
    let isUTF8 = !text.prefix(4).contains { $0 == 0 || $0 >= 0xFE }
    // Decoders that tolerate members of a wrong type would not report these.
    if isUTF8, text.withUnsafeBytes({ hasBrokenCharacter($0) }),
      let value = try? JSONDecoder().decode(type, from: repair(text))
    {
      return value
    }
    do {
      return try JSONDecoder().decode(type, from: text)
    } catch {
      guard isUTF8, case let repaired = repair(text), repaired != text,
        let value = try? JSONDecoder().decode(type, from: repaired)
      else { throw error }
      return value
    }
  }

  /// Whether the text is not UTF-8 or may have an escaped surrogate without its other half.
  private static func hasBrokenCharacter(_ text: UnsafeRawBufferPointer) -> Bool {
    let bytes = text.bindMemory(to: UInt8.self)
    guard (try? UTF8Span(validating: Span(_unsafeElements: bytes))) != nil else { return true }
    var start = 0
    while let place = bytes.index(of: UInt8(ascii: "\\"), from: start) {
      start = min(place + 2, bytes.count)
      // Escapes of surrogates begin with \uD.
      guard place + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "u"),
        bytes[place + 2] | 0x20 == UInt8(ascii: "d"), let unit = JSONRepair.unit(bytes[place...]),
        0xD800...0xDFFF ~= unit
      else { continue }
      guard JSONRepair.isPair(bytes[place...]) else { return true }
      start = place + 12
    }
    return false
  }

  private static func repair(_ text: Data) -> Data {
    // Replaces bytes that are not UTF-8.
    var tokens = JSONRepair(Array(String(decoding: text, as: UTF8.self).utf8))
    return Data(tokens.repaired())
  }
}

/// Copies JSON text, token by token.
private struct JSONRepair {
  private let text: [UInt8]
  private var place = 0
  private var result: [UInt8] = []
  /// The number of open brackets before `place`.
  private var depth = 0
  /// The length of the result at the start of a value that is nested too deeply.
  private var cut: Int?

  /// Below the decoder's own limit of 512.
  private static let maxDepth = 500

  init(_ text: [UInt8]) {
    self.text = text
    result.reserveCapacity(text.count + 16)
  }

  mutating func repaired() -> [UInt8] {
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\""): copyText()
      case UInt8(ascii: "-"), 0x30...0x39, UInt8(ascii: "I"), UInt8(ascii: "N"): copyNumber()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth == JSONRepair.maxDepth + 1 { cut = result.count }
        copy(1)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        copy(1)
        if depth == JSONRepair.maxDepth + 1, let cut {
          result.replaceSubrange(cut..., with: Array("\"(nested too deeply)\"".utf8))
        }
        depth -= 1
      default: copy(1)
      }
    }
    return result
  }

  private mutating func copyText() {
    copy(1)
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\""): return copy(1)
      case UInt8(ascii: "\\"): copyEscape()
      case 0..<0x20:
        let digits = String(text[place], radix: 16)
        result += Array(
          ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
        place += 1
      default: copy(1)
      }
    }
  }

  private mutating func copyEscape() {
    guard let unit = JSONRepair.unit(text[place...]), 0xD800...0xDFFF ~= unit else {
      return copy(2)
    }
    if JSONRepair.isPair(text[place...]) { return copy(12) }
    result += Array("\\uFFFD".utf8)
    place += 6
  }

  private mutating func copyNumber() {
    let token = text[place...].prefix { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      }
    }
    let words = String(decoding: token, as: UTF8.self)
    place += token.count
    if ["NaN", "Infinity", "-Infinity"].contains(words) {
      result += Array("null".utf8)
    } else if !words.utf8.contains(where: { $0 == UInt8(ascii: "n") || $0 == UInt8(ascii: "N") }),
      let number = Double(words), number.isInfinite
    {
      let greatest = Double.greatestFiniteMagnitude
      result += Array("\(number < 0 ? -greatest : greatest)".utf8)
    } else {
      result += token
    }
  }

  private mutating func copy(_ count: Int) {
    let end = min(place + count, text.count)
    result += text[place..<end]
    place = end
  }

  /// Returns the UTF-16 unit of an escape `\uXXXX` at the start of a text.
  static func unit(_ text: some RandomAccessCollection<UInt8>) -> UInt16? {
    let escape = text.prefix(6)
    guard escape.count == 6, escape.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
      return nil
    }
    return UInt16(String(decoding: escape.suffix(4), as: UTF8.self), radix: 16)
  }

  /// Whether a text starts with the escapes of both halves of a pair.
  static func isPair(_ text: some RandomAccessCollection<UInt8>) -> Bool {
    guard let high = unit(text), 0xD800...0xDBFF ~= high, let low = unit(text.dropFirst(6)) else {
      return false
    }
    return 0xDC00...0xDFFF ~= low
  }
}
