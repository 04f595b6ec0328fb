/// Language tags (BCP 47) as books, comics and catalogs give them.
package enum LanguageTag {
  /// Returns the tag for a code or a name of a language; `nil` if the language is unknown or undetermined.
  ///
  /// A code of three letters becomes one of two. A country's code becomes that of its language, as `jp` does,
  /// unless another language has it.
  package static func tag(_ text: String) -> String? {
    let tag = String(text.filter { !$0.isWhitespace }.map { $0 == "_" ? "-" : $0 })
    let primary = tag.prefix { $0 != "-" }.lowercased()
    if primary == "und" { return nil }
    let rest = tag.drop { $0 != "-" }
    if let code = codes[primary] ?? mistakes[primary] { return code + rest }
    let isCode = (2...3).contains(primary.utf8.count) && tag.utf8.count <= 35
    return isCode ? tag : names[primary]
  }

  /// Returns the tag; the unchanged text if it does not name a language.
  package static func corrected(_ text: String) -> String { tag(text) ?? text }

  /// Whether a tag names a language in a script that is written from right to left: the tag's own script, or else
  /// the one that the language is usually written in.
  package static func isRightToLeft(_ text: String) -> Bool {
    let subtags = corrected(text).lowercased().split(separator: "-")
    // A script's subtag has four letters (RFC 5646 section 2.2.3); a variant of four characters begins with a digit.
    let script = subtags.dropFirst().first { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }
    if let script { return rightToLeftScripts.contains(script) }
    return subtags.first.map(rightToLeftLanguages.contains) ?? false
  }

  private static let rightToLeftScripts: Set<Substring> = [
    "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa", "yezi",
  ]

  private static let rightToLeftLanguages: Set<Substring> = [
    "apc", "ar", "arc", "ary", "arz", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "khw",
    "ks",
    "lrc", "mzn", "nqo", "pnb", "prs", "ps", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
  ]

  private static let codes = [
    "eng": "en", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "spa": "es", "ita": "it",
    "por": "pt", "nld": "nl", "dut": "nl", "rus": "ru", "pol": "pl", "ces": "cs", "cze": "cs",
    "jpn": "ja", "zho": "zh", "chi": "zh", "kor": "ko", "ara": "ar", "heb": "he", "fas": "fa",
    "per": "fa", "tur": "tr", "swe": "sv", "dan": "da", "nor": "no", "nob": "nb", "fin": "fi",
    "hun": "hu", "ell": "el", "gre": "el", "ukr": "uk", "ron": "ro", "rum": "ro", "bul": "bg",
    "hrv": "hr", "srp": "sr", "slk": "sk", "slv": "sl", "lat": "la", "cat": "ca", "hin": "hi",
    "urd": "ur", "vie": "vi", "tha": "th",
  ]

  /// Country codes that are not language codes of ISO 639-1, with the language that is probably meant.
  private static let mistakes = [
    "by": "be", "cn": "zh", "cz": "cs", "dk": "da", "gb": "en", "gr": "el", "il": "he", "jp": "ja",
    "kz": "kk", "rs": "sr", "ua": "uk", "us": "en", "vn": "vi",
  ]

  private static let names = [
    "english": "en", "german": "de", "deutsch": "de", "french": "fr", "spanish": "es",
    "italian": "it", "portuguese": "pt", "dutch": "nl", "russian": "ru", "polish": "pl",
    "japanese": "ja", "chinese": "zh", "korean": "ko", "arabic": "ar", "hebrew": "he",
  ]
}
