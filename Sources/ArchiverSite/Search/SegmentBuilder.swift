/// Builds a segment of the search index: the terms of some hundred items and their positions.
///
/// Form of a shard, a script that calls `archiverSearch.shard(NAME, "…")`:
/// 1. The string is a list separated by tabs: term, postings, term, postings, …
/// 2. Terms are sorted by code points. A term is written as a digit, the number of UTF-16 units it shares
///    with the term before it in the shard, and the rest.
/// 3. Postings are groups of passages with the same score. A group is a number, the score (0 to 7) plus 8
///    times the count less one, then for each passage its distance from the previous one in the group,
///    less one; the first counts from -1. If it is shorter, `¤` and a digit for each two passages, from the
///    first on: the first one's score plus one, or 0, plus 9 times the second one's.
/// 4. Digits and numbers are those of `PostingCode`.
/// 5. If the terms of one prefix, such as "con", take more than `longestPrefix` or `longestShortPrefix` bytes, an entry `con*` covers
///    all longer ones: for each passage the maximum of their scores. `*` is in no term and sorts before
///    every character of one, so the entry follows `con` itself. No prefix of the terms of `WordPair` has one.
/// 6. Postings are followed by the stems of the word that differ from it, in the languages of its passages: `<`
///    and the stem in the form of `WordStems.append`.
/// 7. The shards of a `SegmentGroup` have the postings and stems in each of its segments.
struct SegmentBuilder {
  static let levels = 8
  /// The total size of the terms of a prefix, in bytes, above which the prefix has an entry. A
  /// query for a prefix loads all terms that no entry covers, of each segment of a group.
  private static let longestPrefix = 4_000
  /// The same for prefixes of one or two characters. It is lower because so many words begin with
  /// them that all segments of a group should have an entry; otherwise all words are loaded.
  private static let longestShortPrefix = 1_500
  /// The weight of words in a title.
  static let titleWeight = 8

  /// The mean size of a shard, in bytes; a query loads one shard per segment, or two or three for a
  /// prefix.
  private let shardSize: Int
  private var terms = TermTable()
  /// The postings of each term.
  private var postings: [PostingList] = []
  /// The languages of the passages of each term; see `StemLanguage.mask`.
  private var languages: [UInt32] = []
  private(set) var passageCount = 0

  /// Builds a segment of a number of items. Shards of medium-sized segments are smaller, because
  /// these segments are more numerous than large ones. The smallest segment has few shards, because
  /// most updates rewrite it.
  init(itemCount: Int) {
    self.init(shardSize: (32..<1_024).contains(itemCount) ? 2_000 : 4_000)
  }

  init(shardSize: Int) { self.shardSize = shardSize }

  /// Adds the next passage.
  mutating func add(_ passage: PassageTerms) {
    let mask = passage.language?.mask ?? 0
    passage.forEach { term, level in
      let number = terms.number(of: term)
      if number == postings.count {
        postings.append(PostingList())
        languages.append(0)
      }
      languages[number] |= mask
      postings[number].append(Posting(passage: passageCount, level: UInt8(level)))
    }
    passageCount += 1
  }

  /// Returns the score, from 0 to 7, of a term in a passage of `length` terms.
  ///
  /// BM25 with k1 1.2, b 0.75 and a fixed mean length, so that a score does not depend on other passages.
  static func level(frequency: Int, length: Int) -> Int {
    let norm = 1.2 * (0.25 + 0.75 * Double(length) / 700)
    let weight = Double(frequency) / (Double(frequency) + norm)
    return min(levels - 1, Int(weight * Double(levels)))
  }

  /// The position of a term in sorted order.
  private struct Place {
    let number: Int32
    /// The lengths of the term and of its postings, in bytes.
    let length: Int32
    let size: Int32
  }

  /// A prefix that has an entry, and the longer terms, by their indexes in sorted order.
  private struct Beginning {
    let term: [UInt8]
    let longer: Range<Int>
  }

  /// Calls `body` with the shards in term order, each as soon as it is complete. `size` replaces
  /// the mean size of a shard.
  ///
  /// Postings are encoded twice, because the codes of all terms together take more memory than the segment.
  func forEachShard(size: Int? = nil, _ body: (ShardWriter.Shard) throws -> Void) rethrows {
    var shards = ShardWriter(size: size ?? shardSize)
    var bytes: [UInt8] = []
    var list: [Posting] = []
    func encode(_ number: Int) {
      bytes.removeAll(keepingCapacity: true)
      postings[number].decode(to: &list)
      SegmentBuilder.code(list, to: &bytes)
    }
    let sorted = terms.sorted().map { number in
      encode(Int(number))
      return Place(
        number: number, length: Int32(terms.withTerm(Int(number)) { $0.count }),
        size: Int32(bytes.count))
    }
    var beginnings: [Beginning] = []
    addBeginnings(sorted[...], length: 1, to: &beginnings)
    var next = beginnings[...]
    let stemmer = WordStemmer()
    for (index, place) in sorted.enumerated() {
      // An entry for a prefix comes before the first longer term.
      while let first = next.first, first.longer.lowerBound == index {
        bytes.removeAll(keepingCapacity: true)
        SegmentBuilder.code(best(sorted[first.longer]), to: &bytes)
        try first.term.withUnsafeBufferPointer { try shards.add($0, bytes[...], body) }
        next.removeFirst()
      }
      let number = Int(place.number)
      encode(number)
      try terms.withTerm(number) { term in
        WordStems.append(term, languages[number], stemmer, to: &bytes)
        try shards.add(term, bytes[...], body)
      }
    }
    try shards.finish(body)
  }

  /// Adds each prefix of at least this many characters that needs an entry, in order.
  private func addBeginnings(
    _ sorted: ArraySlice<Place>, length: Int, to beginnings: inout [Beginning]
  ) {
    var rest = sorted
    while let first = rest.first {
      let beginning = terms.withTerm(Int(first.number)) { SegmentBuilder.prefix(of: $0, length) }
      // In sorted order, terms with a common prefix are adjacent, the prefix itself first.
      let group = rest.prefix { terms.withTerm(Int($0.number)) { $0.starts(with: beginning) } }
      rest = rest[group.endIndex...]
      if WordPair.isTerm(beginning) { continue }
      let longer = first.length == beginning.count ? group.dropFirst() : group
      let size = longer.reduce(0) { $0 + Int($1.size + $1.length) }
      let limit = length > 2 ? SegmentBuilder.longestPrefix : SegmentBuilder.longestShortPrefix
      guard size > limit else { continue }
      // No query looks for all marked terms.
      if !beginning.elementsEqual(WordForms.mark.utf8) {
        beginnings.append(Beginning(term: beginning + [UInt8(ascii: "*")], longer: longer.indices))
      }
      addBeginnings(longer, length: length + 1, to: &beginnings)
    }
  }

  /// Returns the first characters of a term.
  private static func prefix(of term: UnsafeBufferPointer<UInt8>, _ length: Int) -> [UInt8] {
    var count = 0
    let prefix = term.prefix { byte in
      // A byte that continues a character has the bits 10 first.
      if byte & 0xC0 != 0x80 { count += 1 }
      return count <= length
    }
    return Array(prefix)
  }

  /// Returns the maximum score of any of the terms in each passage that has one.
  private func best(_ terms: ArraySlice<Place>) -> [Posting] {
    // The score plus one; 0 for none.
    var best = [UInt8](repeating: 0, count: passageCount)
    var list: [Posting] = []
    for term in terms {
      postings[Int(term.number)].decode(to: &list)
      for posting in list where best[posting.passage] <= posting.level {
        best[posting.passage] = posting.level + 1
      }
    }
    return best.indices.compactMap { passage in
      best[passage] == 0 ? nil : Posting(passage: passage, level: best[passage] - 1)
    }
  }

  /// Appends the code of postings, which must be sorted by passage.
  static func code(_ postings: [Posting], to bytes: inout [UInt8]) {
    // Most terms of an archive occur once.
    if postings.count == 1 {
      PostingCode.append(Int(postings[0].level), to: &bytes)
      return PostingCode.append(postings[0].passage, to: &bytes)
    }
    let start = bytes.count
    for level in 0..<levels {
      let count = postings.count { $0.level == UInt8(level) }
      guard count > 0 else { continue }
      PostingCode.append((count - 1) * levels + level, to: &bytes)
      var last = -1
      for posting in postings where posting.level == UInt8(level) {
        PostingCode.append(posting.passage - last - 1, to: &bytes)
        last = posting.passage
      }
    }
    let pairs = (postings.last?.passage ?? 0) / 2 + 1
    guard ShardPostings.denseMark.count + pairs < bytes.count - start else { return }
    var digits = [Int](repeating: 0, count: pairs)
    for posting in postings {
      digits[posting.passage / 2] += (Int(posting.level) + 1) * (posting.passage % 2 == 0 ? 1 : 9)
    }
    bytes.replaceSubrange(
      start..., with: ShardPostings.denseMark + digits.map { PostingCode.digits[$0] })
  }
}
