/// Builds a segment of the search index: the terms of some hundred items and their positions.
///
/// Form of a shard, a script that calls `archiverSearch.shard(NAME, "…")`:
/// 1. The string is a list separated by tabs: term, postings, term, postings, …
/// 2. Terms are sorted by code points. A term is written as a digit, the number of UTF-16 units it shares
///    with the term before it in the shard, and the rest.
/// 3. Postings are groups of passages with the same score. A group is a number, the score (0 to 7) plus 8
///    times the count less one, then for each passage its distance from the previous one in the group,
///    less one; the first counts from -1.
/// 4. Digits and numbers are those of `PostingCode`.
/// 5. If the terms of one prefix, such as "con", take more space than two shards, an entry `con*` covers
///    all longer ones: for each passage the maximum of their scores. `*` is in no term and sorts before
///    every character of one, so the entry follows `con` itself.
/// 6. Postings are followed by the stems of the word that differ from it, in the languages of its passages: `<`
///    and the stem in the form of `WordStems.append`.
struct SegmentBuilder {
  static let levels = 8
  /// The weight of words of a title.
  static let titleWeight = 8

  /// The mean size of a shard, in bytes; a query loads one shard per segment, or two or three for a
  /// prefix.
  private let shardSize: Int
  private var terms = TermTable()
  /// One list for each term.
  private var postings: [PostingList] = []
  /// The languages of the passages of each term; see `StemLanguage.mask`.
  private var languages: [UInt32] = []
  private(set) var passageCount = 0

  /// Builds a segment of a number of items. Segments of medium size are more numerous than large ones, so
  /// their shards are smaller. The only one of fewer items is rewritten by most updates, so its shards
  /// are few.
  init(itemCount: Int) {
    shardSize = (32..<2_048).contains(itemCount) ? 2_000 : 4_000
  }

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

  /// Returns the score of a term in a passage with a number of terms, from 0 to 7.
  ///
  /// BM25 with k1 1.2, b 0.75 and a fixed mean length, so that a passage does not depend on others.
  static func level(frequency: Int, length: Int) -> Int {
    let norm = 1.2 * (0.25 + 0.75 * Double(length) / 700)
    let weight = Double(frequency) / (Double(frequency) + norm)
    return min(levels - 1, Int(weight * Double(levels)))
  }

  /// A range of the terms.
  struct Shard {
    /// A short text that sorts after all terms of the previous shard and not after any of this one.
    let start: String
    let bytes: [UInt8]
  }

  /// An entry of a shard.
  private struct Entry {
    let term: [UInt8]
    let postings: [UInt8]
  }

  /// A term in sorted order, with the range of its postings and stems in the encoded ones of all terms.
  private struct Coded {
    let number: Int
    let length: Int
    let postings: Range<Int>
  }

  /// Calls `body` with the shards in term order, each as soon as it is complete.
  func forEachShard(_ body: (Shard) throws -> Void) rethrows {
    var bytes: [UInt8] = []
    let stemmer = WordStemmer()
    var list: [Posting] = []
    let sorted = terms.sorted().map { number in
      let start = bytes.count
      postings[number].decode(to: &list)
      SegmentBuilder.code(list, to: &bytes)
      let length = terms.withTerm(number) { term in
        WordStems.append(term, languages[number], stemmer, to: &bytes)
        return term.count
      }
      return Coded(number: number, length: length, postings: start..<bytes.count)
    }
    var beginnings: [(place: Int, entry: Entry)] = []
    addBeginnings(sorted[...], length: 1, to: &beginnings)
    var shards = ShardWriter(size: shardSize)
    var next = beginnings[...]
    for (place, coded) in sorted.enumerated() {
      // An entry for a prefix comes before the first longer term.
      while let first = next.first, first.place == place {
        try first.entry.term.withUnsafeBufferPointer {
          try shards.add($0, first.entry.postings[...], body)
        }
        next.removeFirst()
      }
      try terms.withTerm(coded.number) { try shards.add($0, bytes[coded.postings], body) }
    }
    try shards.finish(body)
  }

  /// Adds an entry for each prefix of at least this many characters that needs one, in order, with
  /// the index of the first longer term.
  private func addBeginnings(
    _ sorted: ArraySlice<Coded>, length: Int, to beginnings: inout [(place: Int, entry: Entry)]
  ) {
    var rest = sorted
    while let first = rest.first {
      let beginning = terms.withTerm(first.number) { SegmentBuilder.prefix(of: $0, length) }
      // In sorted order, terms with a common prefix are adjacent, the prefix itself first.
      let group = rest.prefix { terms.withTerm($0.number) { $0.starts(with: beginning) } }
      rest = rest[group.endIndex...]
      let longer = first.length == beginning.count ? group.dropFirst() : group
      let size = longer.reduce(0) { $0 + $1.postings.count + $1.length }
      guard size > 2 * shardSize else { continue }
      var code: [UInt8] = []
      SegmentBuilder.code(best(longer), to: &code)
      let star = UInt8(ascii: "*")
      beginnings.append((longer.startIndex, Entry(term: beginning + [star], postings: code)))
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
  private func best(_ terms: ArraySlice<Coded>) -> [Posting] {
    // The score plus one; 0 for none.
    var best = [UInt8](repeating: 0, count: passageCount)
    var list: [Posting] = []
    for term in terms {
      postings[term.number].decode(to: &list)
      for posting in list where best[posting.passage] <= posting.level {
        best[posting.passage] = posting.level + 1
      }
    }
    return best.indices.compactMap { passage in
      best[passage] == 0 ? nil : Posting(passage: passage, level: best[passage] - 1)
    }
  }

  private static func code(_ postings: [Posting], to bytes: inout [UInt8]) {
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
  }
}

/// Writes the entries of a segment, in the order of their terms, to shards.
private struct ShardWriter {
  /// The mean size of a shard, in bytes.
  let size: Int
  /// Those of the shard that is being written; no start before the first.
  private var start: String?
  private var bytes: [UInt8] = []
  private var previous: [UInt8] = []

  init(size: Int) { self.size = size }

  /// Calls `finished` with the shard before the entry, if the entry begins the next one.
  mutating func add(
    _ term: UnsafeBufferPointer<UInt8>, _ postings: ArraySlice<UInt8>,
    _ finished: (SegmentBuilder.Shard) throws -> Void
  ) rethrows {
    var shared = ShardWriter.shared(term, previous)
    if start == nil || isFirst(term, postings, after: bytes.count) {
      try finish(finished)
      let scalars = String(decoding: term, as: UTF8.self).unicodeScalars
      start = String(scalars.prefix(shared.characters + 1))
      bytes = []
      shared = (0, 0, 0)
    } else {
      bytes.append(0x09)
    }
    bytes.append(PostingCode.digits[shared.units])
    bytes += term[shared.bytes...]
    bytes.append(0x09)
    bytes += postings
    previous.replaceSubrange(previous.indices, with: term)
  }

  /// Calls `finished` with the shard that is being written, if there is one.
  func finish(_ finished: (SegmentBuilder.Shard) throws -> Void) rethrows {
    if let start { try finished(.init(start: start, bytes: bytes)) }
  }

  /// Whether an entry begins a shard, after a shard of a number of bytes.
  ///
  /// Besides the limits of the size, the entry itself decides, so that a change of one entry leaves the
  /// other shards as they are. The chance grows with the entry: a long one is rarely loaded with others.
  private func isFirst(
    _ term: UnsafeBufferPointer<UInt8>, _ postings: ArraySlice<UInt8>, after shardSize: Int
  ) -> Bool {
    guard shardSize >= size / 2 else { return false }
    guard shardSize < 2 * size else { return true }
    let chance = Fingerprint.mixed(Fingerprint.of(term)) % UInt64(size / 2)
    return chance < UInt64(term.count + postings.count)
  }

  /// Returns the length of the common prefix of two terms in bytes, characters and UTF-16 units.
  private static func shared(
    _ term: UnsafeBufferPointer<UInt8>, _ previous: [UInt8]
  ) -> (bytes: Int, characters: Int, units: Int) {
    var bytes = zip(term, previous).prefix { $0 == $1 }.count
    // Do not split a character.
    while bytes > 0, bytes < term.count, term[bytes] & 0xC0 == 0x80 { bytes -= 1 }
    var (characters, units) = (0, 0)
    for byte in term[..<bytes] where byte & 0xC0 != 0x80 {
      characters += 1
      units += byte >= 0xF0 ? 2 : 1
    }
    return (bytes, characters, units)
  }
}
