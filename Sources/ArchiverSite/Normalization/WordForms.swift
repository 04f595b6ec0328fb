/// Words with several spellings: inflected forms, joined parts, signs that belong to a word. The
/// list of endings is in `forms.js`; `query.js` does the same.
struct WordForms: Sendable {
  static let shared = WordForms(PackageResources.forms_js)

  /// The prefix of terms that occur in no text: `¤aquill` for an author's name, `¤lde` for a
  /// language, `¤tthewho` for a title, and those of `WordPair`.
  static let mark = "¤"
  private static let joiners: Set<Unicode.Scalar> = ["'", "’", "-", "\u{2010}", "\u{2011}"]
  private static let shortestStem = 3

  private let endings: [(from: String, to: String)]

  init(_ script: [UInt8]) {
    let line = String(decoding: script, as: UTF8.self)
      .split(separator: "\n").first { $0.hasPrefix("var ") }
    let literal =
      line?.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first ?? ""
    endings = literal.split(separator: "|").map { rule in
      let parts = rule.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      return (parts.first ?? "", parts.last ?? "")
    }
  }

  /// Returns other forms of a folded word, in a fixed order.
  func variants(of term: String) -> [String] {
    let bytes = Array(term.utf8)
    guard bytes.count >= WordForms.shortestStem, bytes.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return [] }
    var variants: [String] = []
    func add(_ variant: String) {
      if variant != term, !variants.contains(variant) { variants.append(variant) }
    }
    for (from, to) in endings where term.hasSuffix(from) {
      let stem = bytes.dropLast(from.utf8.count)
      guard stem.count >= WordForms.shortestStem else { continue }
      add(String(decoding: stem, as: UTF8.self) + to)
      guard ["ing", "ed"].contains(from) || ["ing", "ed"].contains(to), let last = stem.last,
        !"aeiou".utf8.contains(last)
      else { continue }
      // As in "running" and "stopped".
      if to.isEmpty, stem.count > WordForms.shortestStem, last == stem.dropLast().last {
        add(String(decoding: stem.dropLast(), as: UTF8.self))
      } else if from.isEmpty {
        add(String(decoding: stem + [last], as: UTF8.self) + to)
      }
    }
    return variants
  }

  /// Returns a word without the signs between its parts, `wifi` for `Wi-Fi`, `2500` for `2,500`;
  /// `nil` if its parts are not all joined.
  static func joined(_ word: String) -> String? {
    let groups = groups(NormalText.of(word))
    guard groups.count == 1, let group = groups.first, group.count > 1 else { return nil }
    return Tokenizer.term(group.flatMap { Array($0.term.utf8) })
  }

  /// Returns the term of a name that includes a sign, `cplusplus` for `C++`, `csharp` for `C#` and
  /// `dotnet` for `.NET`; `nil` for anything else.
  static func signed(_ word: String) -> String? {
    let bytes = Array(word.utf8)
    if bytes.first == dot {
      let name = bytes.dropFirst().prefix(while: Tokenizer.isLetterOrDigit)
      guard let first = name.first, (0x61...0x7A).contains(first | 0x20), name.count > 1,
        bytes[name.endIndex...].allSatisfy({ ".,;:!?)".utf8.contains($0) })
      else { return nil }
      return Tokenizer.term(Array("dot".utf8) + name.map { $0 | 0x20 })
    }
    guard let letter = bytes.first, (0x61...0x7A).contains(letter | 0x20) else { return nil }
    let name = String(decoding: [letter | 0x20], as: UTF8.self)
    let signs = String(
      decoding: bytes.dropFirst().prefix { $0 == 0x2B || $0 == 0x23 }, as: UTF8.self)
    let rest = bytes.dropFirst(1 + signs.utf8.count)
    guard rest.allSatisfy({ ".,;:!?)".utf8.contains($0) }) else { return nil }
    return signs == "++" ? name + "plusplus" : signs == "#" ? name + "sharp" : nil
  }

  /// Returns the term of a whole title or of a query's words and phrases, ignoring separators;
  /// `nil` if there are no words.
  static func whole(_ texts: [String]) -> String? {
    var bytes: [UInt8] = []
    for text in texts {
      for word in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
        let word = String(word)
        if let signed = signed(word) {
          bytes += signed.utf8
        } else {
          for piece in TextPiece.all(in: word) { bytes += piece.term.utf8 }
        }
      }
    }
    return bytes.isEmpty ? nil : mark + "t" + Tokenizer.term(bytes)
  }

  /// Returns the term of the last ten characters of a folder, which are its short id; `nil` if one of them is not a
  /// small letter, digit, hyphen or slash. Sorts before those of `whole`.
  static func ending(_ folder: String) -> String? {
    let end = folder.utf8.suffix(10)
    let isPlain = end.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x2D...0x39).contains(byte) && byte != 0x2E
    }
    return isPlain ? mark + "i" + String(decoding: end, as: UTF8.self) : nil
  }

  private static let umlauts: [Unicode.Scalar: String] = [
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue",
  ]

  /// Returns a word with each umlaut spelled as two letters.
  static func spelt(_ word: String) -> String {
    var spelt = ""
    for scalar in NormalText.of(word).unicodeScalars {
      if let letters = umlauts[scalar] {
        spelt += letters
      } else {
        spelt.unicodeScalars.append(scalar)
      }
    }
    return spelt
  }

  /// Returns a folded word with one letter for each pair of letters that may be an umlaut; `nil` if
  /// it has no such pair.
  static func unspelt(_ term: String) -> String? {
    var bytes: [UInt8] = []
    for byte in term.utf8 {
      if byte == 0x65, let last = bytes.last, [0x61, 0x6F, 0x75].contains(last),
        bytes.count == 1 || bytes[bytes.count - 2] != 0x71
      {
        continue
      }
      bytes.append(byte)
    }
    return bytes.count == term.utf8.count ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the words of a text in normal form, with joined words as one.
  private static func groups(_ text: String) -> [[TextPiece]] {
    let pieces = TextPiece.all(in: text)
    return groups(of: pieces, Array(text.utf8)).map { Array(pieces[$0]) }
  }

  /// Returns the groups of joined words, as ranges of their numbers, in order; `bytes` are the
  /// text's.
  static func groups(of pieces: [TextPiece], _ bytes: [UInt8]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for number in pieces.indices {
      if let last = groups.last, isJoined(pieces[number - 1], pieces[number], bytes) {
        groups[groups.count - 1] = last.lowerBound..<number + 1
      } else {
        groups.append(number..<number + 1)
      }
    }
    return groups
  }

  private static func isJoined(_ one: TextPiece, _ other: TextPiece, _ bytes: [UInt8]) -> Bool {
    guard !one.isDense, !other.isDense, one.range.upperBound < other.range.lowerBound
    else { return false }
    let between = String(
      decoding: bytes[one.range.upperBound..<other.range.lowerBound], as: UTF8.self
    ).unicodeScalars
    guard between.count == 1, let sign = between.first else { return false }
    if joiners.contains(sign) { return true }
    // Join groups of three digits, as in large numbers.
    return (sign == "," || sign == ".") && isNumber(one.term) && isNumber(other.term)
      && other.term.utf8.count == 3
  }

  private static func isNumber(_ term: String) -> Bool {
    term.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static let dot = UInt8(ascii: ".")

  /// Returns the term of a name that begins with a dot here; `nil` otherwise.
  private static func dotted(_ bytes: [UInt8], at place: Int) -> String? {
    guard bytes[place] == dot, place == 0 || bytes[place - 1] != dot else { return nil }
    let name = bytes[(place + 1)...].prefix(while: Tokenizer.isLetterOrDigit)
    guard name.endIndex == bytes.count || !isWord(bytes[name.endIndex]) else { return nil }
    return signed(String(decoding: bytes[place..<name.endIndex], as: UTF8.self))
  }

  /// Calls `body` with the terms of a text in normal form in addition to its words.
  static func forEach(in text: String, _ body: (String) -> Void) {
    let bytes = Array(text.utf8)
    var done = 0
    for place in bytes.indices where (place > done || done == 0) && isSign(bytes[place]) {
      guard place > 0, isWord(bytes[place - 1]) else {
        if let term = dotted(bytes, at: place) { body(term) }
        continue
      }
      if bytes[place] == 0x2B || bytes[place] == 0x23 {
        let isAlone = place < 2 || !isWord(bytes[place - 2])
        let end = bytes[place...].prefix(3).prefix { $0 == bytes[place] }.endIndex
        guard isAlone, end == bytes.count || !isWord(bytes[end]),
          let term = signed(String(decoding: bytes[place - 1..<end], as: UTF8.self))
        else { continue }
        body(term)
        continue
      }
      guard let range = range(around: place, bytes, from: done) else { continue }
      done = range.upperBound
      for group in groups(String(decoding: bytes[range], as: UTF8.self)) where group.count > 1 {
        body(Tokenizer.term(group.flatMap { Array($0.term.utf8) }))
      }
    }
  }

  /// The maximum number of bytes on each side of a sign in which joined words are searched.
  private static let reach = 120

  /// Returns the range of the words joined by signs, one of which is at `place`.
  private static func range(around place: Int, _ bytes: [UInt8], from first: Int) -> Range<Int>? {
    var start = place
    while start > first, place - start < reach, isWord(bytes[start - 1]) { start -= 1 }
    var end = place
    while end < bytes.count, end - place < reach, isWord(bytes[end]) || isSign(bytes[end]) {
      end += 1
    }
    // Do not split a character.
    while start < place, bytes[start] & 0xC0 == 0x80 { start += 1 }
    while end > place, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end - place > 1 ? start..<end : nil
  }

  /// Whether a byte belongs to a word, or may do so: a non-ASCII byte may.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || Tokenizer.isLetterOrDigit(byte)
  }

  /// Whether a byte may join words, or is the first of a longer sign that may.
  private static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x27, 0x2D, 0x2C, 0x2E, 0x2B, 0x23, 0xE2: true
    default: false
    }
  }
}
