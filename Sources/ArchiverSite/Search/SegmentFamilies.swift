#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The words of a segment that have the same stems, collected while the segment is written.
///
/// A family is an entry of a shard with the key of `WordFamily`; its value lists the words except the
/// stem itself, in the order of their bytes. Queries try the stem as a word in any case.
struct SegmentFamilies {
  /// A word of a family.
  fileprivate struct Member {
    /// The stem, in `stems`.
    let start: Int32
    let length: UInt8
    /// The number of the language.
    let language: UInt8
    /// The number of the word's term.
    let term: Int32
    /// The position of the word in the order of the terms.
    let place: Int32
  }

  private let stemmer = WordStemmer()
  private var stems: [UInt8] = []
  private var members: [Member] = []

  /// Adds a term that occurs in texts of some languages and appends its links to `bytes`: for each
  /// language `<`, the language's code and the stem after the word.
  mutating func add(
    _ term: UnsafeBufferPointer<UInt8>, number: Int, place: Int, languages: UInt32,
    to bytes: inout [UInt8]
  ) {
    guard languages != 0, WordStemmer.isWord(term) else { return }
    for language in StemLanguage.all(in: languages) {
      stemmer.withStem(term, language) { stem in
        bytes.append(WordFamily.separator)
        bytes += language.code.utf8
        WordFamily.append(stem, after: term, to: &bytes)
        guard !stem.elementsEqual(term), stem.count <= Int(UInt8.max) else { return }
        members.append(
          Member(
            start: Int32(stems.count), length: UInt8(stem.count),
            language: UInt8(language.number), term: Int32(number), place: Int32(place)))
        stems += stem
      }
    }
  }

  /// Calls `body` with the key and the value of each family, in the order of the keys.
  ///
  /// - Parameter terms: The table that has the terms added.
  func entries(of terms: TermTable) -> Entries {
    let codes = StemLanguage.codes.map { Array($0.utf8) }
    let sorted = members.sorted { one, other in
      let order = compare(one, other)
      if order != 0 { return order < 0 }
      if one.language != other.language {
        return codes[Int(one.language)].lexicographicallyPrecedes(codes[Int(other.language)])
      }
      return one.place < other.place
    }
    return Entries(families: self, members: sorted[...], terms: terms)
  }

  /// Compares the stems of two words. The sign after the stem in a key precedes all letters, so a prefix
  /// is first.
  private func compare(_ one: Member, _ other: Member) -> Int {
    let order = stems.withUnsafeBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      return Int(
        memcmp(
          base + Int(one.start), base + Int(other.start), Int(min(one.length, other.length))))
    }
    return order == 0 ? Int(one.length) - Int(other.length) : order
  }

  /// The families, in the order of their keys.
  struct Entries: IteratorProtocol {
    fileprivate let families: SegmentFamilies
    fileprivate var members: ArraySlice<Member>
    fileprivate let terms: TermTable

    mutating func next() -> (key: [UInt8], value: [UInt8])? {
      guard let first = members.first else { return nil }
      let family = members.prefix {
        $0.language == first.language && families.compare($0, first) == 0
      }
      members = members[family.endIndex...]
      return families.stems.withUnsafeBufferPointer { stems in
        let range = Int(first.start)..<Int(first.start) + Int(first.length)
        let stem = UnsafeBufferPointer(rebasing: stems[range])
        var value: [UInt8] = []
        for member in family {
          if !value.isEmpty { value.append(WordFamily.separator) }
          terms.withTerm(Int(member.term)) { WordFamily.append($0, after: stem, to: &value) }
        }
        return (
          WordFamily.key(stem, StemLanguage(number: Int(first.language))), value
        )
      }
    }
  }
}
