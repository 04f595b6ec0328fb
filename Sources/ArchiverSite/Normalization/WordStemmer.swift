import CStemmer

/// Reduces folded words to stems with Snowball (libstemmer).
///
/// Not thread-safe: a stemmer of the library has a buffer.
final class WordStemmer {
  /// The stemmers, by the numbers of the languages; `nil` until first used.
  private var stemmers = [OpaquePointer?](repeating: nil, count: StemLanguage.codes.count)

  deinit {
    for stemmer in stemmers { if let stemmer { sb_stemmer_delete(stemmer) } }
  }

  /// Whether a term of the index is a word that may have other forms: at least three letters of an
  /// alphabet and no digits.
  static func isWord(_ term: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (3...60).contains(term.count) else { return false }
    var count = 0
    for byte in term {
      switch byte {
      case 0x61...0x7A: count += 1
      // The second and following bytes of a character.
      case 0x80...0xBF: continue
      // Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic; then the scripts of India.
      case 0xC3...0xDF, 0xE0: count += 1
      default: return false
      }
    }
    return count >= 3
  }

  /// Calls `body` with the stem of a word. A no-op if the library does not support the language or
  /// cannot allocate memory.
  func withStem(
    _ word: UnsafeBufferPointer<UInt8>, _ language: StemLanguage,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let stemmer = stemmer(language),
      let stem = sb_stemmer_stem(stemmer, word.baseAddress, Int32(word.count))
    else { return }
    let count = Int(sb_stemmer_length(stemmer))
    if count > 0 { body(UnsafeBufferPointer(start: stem, count: count)) }
  }

  private func stemmer(_ language: StemLanguage) -> OpaquePointer? {
    if let known = stemmers[language.number] { return known }
    stemmers[language.number] = sb_stemmer_new(language.code, "UTF_8")
    return stemmers[language.number]
  }
}
