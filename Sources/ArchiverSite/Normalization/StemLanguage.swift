import ArchiverCore

/// A language whose inflected words Snowball reduces to stems.
struct StemLanguage: Sendable, Hashable {
  /// ISO 639-1 codes. The order must not change: masks of languages are made of the positions.
  static let codes = [
    "en", "de", "fr", "es", "it", "pt", "nl", "ru", "sv", "da", "no", "fi", "ro", "hu", "tr", "el",
    "ar", "ca", "eu", "ga", "hi", "hy", "id", "lt", "ne", "sr", "ta", "yi",
  ]
  /// Other codes of the same languages, from ISO 639-1 and ISO 639-2.
  private static let aliases = [
    "nb": "no", "nn": "no", "nob": "no", "nno": "no", "nor": "no", "eng": "en", "deu": "de",
    "ger": "de", "fra": "fr", "fre": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl",
    "dut": "nl", "rus": "ru", "swe": "sv", "dan": "da", "fin": "fi", "ron": "ro", "rum": "ro",
    "hun": "hu", "tur": "tr", "ell": "el", "gre": "el", "ara": "ar",
  ]
  /// Folded words that are frequent in one of these languages and rare in the others. The language
  /// of a text is guessed by them.
  private static let frequent: [(code: String, words: [String])] = [
    ("en", ["the", "and", "of", "to", "is", "that", "with", "was", "this", "have"]),
    ("de", ["und", "der", "das", "nicht", "ist", "mit", "den", "auf", "eine", "auch"]),
    ("fr", ["les", "des", "est", "une", "dans", "pour", "qui", "sur", "pas", "plus"]),
    ("es", ["los", "las", "una", "por", "con", "como", "pero", "esta", "mas", "del"]),
    ("it", ["che", "per", "non", "sono", "della", "gli", "anche", "piu", "nel", "di"]),
    ("pt", ["nao", "uma", "com", "para", "os", "mais", "ao", "sao", "foi", "do"]),
    ("nl", ["het", "een", "van", "dat", "niet", "zijn", "voor", "met", "aan", "ook"]),
    ("ru", ["и", "в", "не", "на", "что", "с", "как", "это", "из", "по"]),
    ("sv", ["och", "att", "det", "som", "inte", "for", "till", "av", "ett", "jag"]),
  ]

  /// The position in `codes`.
  let number: Int

  var code: String { StemLanguage.codes[number] }
  /// A mask with the language's bit set.
  var mask: UInt32 { 1 << UInt32(number) }

  init(number: Int) {
    self.number = number
  }

  /// Creates the language of a tag such as `de-AT`, by its primary part; `nil` if Snowball does not support it.
  init?(tag: String) {
    let primary = String(tag.lowercased().prefix { $0 != "-" && $0 != "_" })
    let code = StemLanguage.aliases[primary] ?? primary
    guard let number = StemLanguage.codes.firstIndex(of: code) else { return nil }
    self.number = number
  }

  /// Whether a tag says that the language is unknown, as `und` does (BCP 47).
  static func isUnknown(_ tag: String) -> Bool {
    let primary = tag.lowercased().prefix { $0 != "-" && $0 != "_" }
    return primary.allSatisfy(\.isWhitespace) || primary == "und"
  }

  /// Guesses the language of a text; `nil` unless the text has clearly more frequent words of one
  /// language than of any other.
  init?(ofTextWith hasWord: (String) -> Bool) {
    let counts = StemLanguage.frequent.map { $0.words.count(where: hasWord) }
    guard let most = counts.max(), most >= 3, counts.count(where: { $0 + 2 > most }) == 1,
      let place = counts.firstIndex(of: most)
    else { return nil }
    self.init(tag: StemLanguage.frequent[place].code)
  }

  /// The languages of a mask, in the order of their numbers.
  static func all(in mask: UInt32) -> [StemLanguage] {
    codes.indices.filter { mask & 1 << UInt32($0) != 0 }.map { StemLanguage(number: $0) }
  }

  /// The term of the index for items whose words have stems of this language.
  var term: String { WordForms.mark + "m" + code }
}
