/// The stems of words as the index lists them, and how they lead to other forms of a word.
///
/// The stems of a word are the word itself and those of the languages in which it occurs. The other forms
/// of a word have a stem in common with it and begin with what the word and that stem have in common,
/// except the last letter of a long stem, which may differ as in "history" and "histories". So they are next to
/// each other in the index.
enum WordStems {
  /// The separator before each stem; no number of `PostingCode` contains it.
  static let separator = UInt8(ascii: "<")
  /// The maximum number of words of the index that a query may add for one of its own.
  static let limit = 64

  /// Appends the stems of a term that differ from it, each once.
  ///
  /// - Parameters:
  ///   - languages: Those of the passages that have the term; see `StemLanguage.mask`.
  static func append(
    _ term: UnsafeBufferPointer<UInt8>, _ languages: UInt32, _ stemmer: WordStemmer,
    to bytes: inout [UInt8]
  ) {
    guard languages != 0, WordStemmer.isWord(term) else { return }
    var known: [[UInt8]] = []
    for language in StemLanguage.all(in: languages) {
      stemmer.withStem(term, language) { stem in
        guard !stem.elementsEqual(term), !known.contains(where: { $0.elementsEqual(stem) })
        else { return }
        known.append(Array(stem))
        bytes.append(separator)
        append(stem, after: term, to: &bytes)
      }
    }
  }

  /// Appends a text relative to another one: a digit, the number of UTF-16 units to remove from the
  /// end of the other, then the text to append.
  static func append(
    _ text: UnsafeBufferPointer<UInt8>, after other: UnsafeBufferPointer<UInt8>,
    to bytes: inout [UInt8]
  ) {
    var shared = zip(text, other).prefix { $0 == $1 }.count
    while shared > 0, isInside(text, shared) || isInside(other, shared) { shared -= 1 }
    bytes.append(PostingCode.digits[other[shared...].count { $0 & 0xC0 != 0x80 }])
    bytes += text[shared...]
  }

  /// Whether an offset is within a character.
  private static func isInside(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    offset < text.count && text[offset] & 0xC0 == 0x80
  }

  /// Returns the prefix of the words that may have a stem in common with a word; `nil` if it is too
  /// short, so that too many words begin with it.
  static func prefix(of word: String, _ stem: String) -> String? {
    var shared = zip(word.unicodeScalars, stem.unicodeScalars).prefix { $0 == $1 }.map(\.0)
    if shared.count > 4, shared.count == stem.unicodeScalars.count { shared.removeLast() }
    let isLatin = shared.first.map { $0.value < 0x80 } ?? true
    guard shared.count >= (isLatin ? 4 : 3) else { return nil }
    return String(String.UnicodeScalarView(shared))
  }
}
