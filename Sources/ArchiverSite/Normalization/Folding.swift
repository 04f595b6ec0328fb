/// Normalises letters for search: case, accents, ligatures, width.
///
/// The table is `fold.js`, which the pages use too, so that queries are folded like texts.
struct Folding: Sendable {
  static let shared = Folding(PackageResources.fold_js)

  private let table: [UInt32: [UInt8]]

  init(_ script: [UInt8]) {
    var table: [UInt32: [UInt8]] = [:]
    let text = String(decoding: script, as: UTF8.self)
    let literal = text.split(separator: "\"").last { $0.contains("|") } ?? ""
    // Split by scalars: a mark after a separator would form one `Character` with it.
    for group in literal.unicodeScalars.split(separator: "|") {
      let parts = group.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      for scalar in parts[1] { table[scalar.value] = Array(String(parts[0]).utf8) }
    }
    self.table = table
  }

  /// Returns a text in normal form, with letters folded and everything else unchanged.
  func fold(_ text: String) -> String {
    var bytes: [UInt8] = []
    for scalar in NormalText.of(text).unicodeScalars { append(scalar, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the folded form of a character of a script without word spaces.
  func dense(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard let folded = table[scalar.value] else { return scalar }
    return String(decoding: folded, as: UTF8.self).unicodeScalars.first ?? scalar
  }

  /// Appends the folded form of a letter or digit, and other ASCII characters unchanged.
  func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if scalar.isASCII {
      let byte = UInt8(scalar.value)
      bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      return
    }
    if let folded = table[scalar.value] {
      bytes += folded
      return
    }
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      guard !CharacterClass.isMark(lower) else { continue }
      if let folded = table[lower.value] {
        bytes += folded
      } else if let encoded = UTF8.encode(lower) {
        bytes += encoded
      }
    }
  }
}

/// The class of a character in search; `tokens.js` has the same ranges.
enum CharacterClass {
  case word, dense, mark, other

  init(_ scalar: Unicode.Scalar) {
    // ASCII characters, which are frequent, are neither dense nor marks.
    if !scalar.isASCII, CharacterClass.isDense(scalar.value) {
      self = .dense
    } else if !scalar.isASCII, CharacterClass.isMark(scalar) {
      self = .mark
    } else {
      self = CharacterClass.isOfWord(scalar) ? .word : .other
    }
  }

  /// Whether a character is a letter, digit or mark.
  static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return Tokenizer.isLetterOrDigit(UInt8(scalar.value)) }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      return true
    default: return false
    }
  }

  /// Scripts written without spaces between words: Thai to Khmer, Kana, Han, Hangul.
  private static func isDense(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3041...0x30FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3134F:
      true
    default: false
    }
  }

  /// Whether search drops the character without ending a word: accents and vowel points, and
  /// characters that only control line breaks, joining or display, such as soft hyphens (`Format`
  /// and `Extend` of UAX #29). Not the zero-width space (U+200B), which separates words of Khmer
  /// and Thai. Marks of other scripts, such as Indic vowels, are part of the word.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00AD, 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05C7, 0x0610...0x061A, 0x061C,
      0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8,
      0x06EA...0x06ED, 0x0730...0x074A, 0x08D3...0x08E1, 0x08E3...0x08FF, 0x180B...0x180F,
      0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200C...0x200F, 0x202A...0x202E, 0x2060...0x206F,
      0x20D0...0x20FF, 0x302A...0x302F, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF, 0xE0001,
      0xE0020...0xE007F, 0xE0100...0xE01EF:
      true
    default: false
    }
  }
}
