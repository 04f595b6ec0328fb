/// The terms for pairs of adjacent words, by which the index finds phrases.
///
/// A pair is one of `bucketCount` terms, chosen by a hash of its words, because an index of all
/// pairs themselves would be several times as large. Texts decide between pairs of one term.
/// Characters of scripts without word spaces are no words; the index has pairs of them anyway.
/// `query.js` makes the same terms.
struct WordPair {
  /// The number of terms for pairs: three digits of base 36, the first at most 9, so that no term
  /// begins like those of `WordForms.mark` and a letter.
  static let bucketCount: UInt32 = 10 * 36 * 36
  /// The size of a term in bytes.
  static let size = mark.count + 3

  private static let mark = Array(WordForms.mark.utf8)
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

  /// The hash of the previous word; `nil` if no word precedes.
  private var previous: UInt32?

  /// Takes the next term of a text, in the order of `Tokenizer`. Returns the bucket of the pair
  /// that it ends, from 0 to `bucketCount` - 1; `nil` if it ends none.
  mutating func bucket(endingWith term: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard !WordPair.isDense(term) else {
      previous = nil
      return nil
    }
    let bucket = previous.map { previous in
      let hash = Fingerprint.short(term, from: previous)
      return (hash ^ hash >> 15) % WordPair.bucketCount
    }
    // The separator keeps "a bc" and "ab c" apart.
    previous = Fingerprint.short(CollectionOfOne(0x20), from: Fingerprint.short(term))
    return bucket
  }

  /// Returns the term of a bucket.
  static func term(_ bucket: UInt32) -> [UInt8] {
    mark + [bucket / 1_296, bucket / 36 % 36, bucket % 36].map { digits[Int($0)] }
  }

  /// Whether a term, or the start of one, is that of a pair.
  static func isTerm(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: mark) && bytes.dropFirst(mark.count).first.map { $0 &- 0x30 < 10 } == true
  }

  /// Whether a term consists of characters of a script without word spaces.
  private static func isDense(_ term: UnsafeBufferPointer<UInt8>) -> Bool {
    // Those characters have at least three bytes.
    guard let first = term.first, first >= 0xE0 else { return false }
    return CharacterClass(Tokenizer.scalar(term, 0).0) == .dense
  }
}
