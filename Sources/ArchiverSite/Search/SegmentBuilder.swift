/// Builds a segment of the search index: the terms of some hundred items and their positions.
///
/// Form of a shard, a script that calls `archiverSearch.shard(SEGMENT, NUMBER, "…")`:
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
struct SegmentBuilder {
  static let levels = 8
  /// The weight of words of a title.
  static let titleWeight = 8

  /// The size in bytes at which a shard ends; a query loads one shard per segment, or two or three
  /// for a prefix.
  private let shardSize: Int
  private var identifiers: [ByteKey: Int] = [:]
  private var postings: [[Posting]] = []
  private(set) var passageCount = 0

  /// A passage and a score, from 0 to 7, in four bytes, as a segment has hundreds of thousands.
  struct Posting {
    private let packed: UInt32

    init(passage: Int, level: UInt8) {
      packed = UInt32(passage) << 3 | UInt32(level)
    }

    var passage: Int { Int(packed >> 3) }
    var level: UInt8 { UInt8(packed & 7) }
  }

  /// Builds a segment of a number of items. Small segments are more numerous than large ones, so
  /// their shards are smaller.
  init(itemCount: Int) {
    shardSize = itemCount < 2_048 ? 2_000 : 4_000
  }

  /// Adds the next passage.
  mutating func add(_ passage: PassageTerms) {
    for term in passage.terms {
      let key = ByteKey(term.text)
      let identifier: Int
      if let known = identifiers[key] {
        identifier = known
      } else {
        identifier = postings.count
        identifiers[key] = identifier
        postings.append([])
      }
      postings[identifier].append(
        Posting(passage: passageCount, level: UInt8(term.level)))
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
    var bytes: [UInt8]
  }

  private struct Entry {
    let term: String
    let postings: [UInt8]
    /// See `ByteKey.head`.
    let head: UInt64

    init(_ term: String, _ postings: [UInt8]) {
      self.term = term
      self.postings = postings
      head = ByteKey.head(of: term)
    }
  }

  /// Returns the shards in term order.
  func shards() -> [Shard] {
    var entries = identifiers.map { term, identifier in
      Entry(term.text, SegmentBuilder.code(postings[identifier]))
    }
    SegmentBuilder.sort(&entries)
    var beginnings: [Entry] = []
    addBeginnings(entries[...], length: 1, to: &beginnings)
    entries += beginnings
    SegmentBuilder.sort(&entries)
    var shards: [Shard] = []
    var previous = ""
    for entry in entries {
      var shared = previous
      if shards.last.map({ $0.bytes.count >= shardSize }) ?? true {
        shards.append(Shard(start: SegmentBuilder.start(entry.term, after: previous), bytes: []))
        shared = ""
      } else {
        shards[shards.count - 1].bytes.append(0x09)
      }
      SegmentBuilder.append(entry.term, after: shared, to: &shards[shards.count - 1].bytes)
      shards[shards.count - 1].bytes.append(0x09)
      shards[shards.count - 1].bytes += entry.postings
      previous = entry.term
    }
    return shards
  }

  /// Adds an entry for each prefix of at least this many characters that needs one.
  private func addBeginnings(
    _ entries: ArraySlice<Entry>, length: Int, to beginnings: inout [Entry]
  ) {
    var rest = entries
    while let first = rest.first {
      let beginning = String(first.term.unicodeScalars.prefix(length))
      // In sorted order, terms with a common prefix are adjacent, the prefix itself first.
      let group = rest.prefix { $0.term.utf8.starts(with: beginning.utf8) }
      rest = rest[group.endIndex...]
      let longer = first.term.utf8.count == beginning.utf8.count ? group.dropFirst() : group
      let size = longer.reduce(0) { $0 + $1.postings.count + $1.term.utf8.count }
      guard size > 2 * shardSize else { continue }
      beginnings.append(Entry(beginning + "*", SegmentBuilder.code(best(longer))))
      addBeginnings(longer, length: length + 1, to: &beginnings)
    }
  }

  /// Returns the maximum score of any of the terms in each passage that has one.
  private func best(_ entries: ArraySlice<Entry>) -> [Posting] {
    var best: [UInt8?] = Array(repeating: nil, count: passageCount)
    for entry in entries {
      guard let identifier = identifiers[ByteKey(entry.term)] else { continue }
      for posting in postings[identifier] {
        best[posting.passage] = max(best[posting.passage] ?? 0, posting.level)
      }
    }
    return best.enumerated().compactMap { passage, level in
      level.map { Posting(passage: passage, level: $0) }
    }
  }

  /// Swift compares strings by canonical form; the order of UTF-8 bytes is that of code points.
  private static func sort(_ entries: inout [Entry]) {
    entries.sort {
      $0.head == $1.head ? ByteKey.compare($0.term, $1.term) < 0 : $0.head < $1.head
    }
  }

  private static func start(_ term: String, after previous: String) -> String {
    let shared = zip(term.unicodeScalars, previous.unicodeScalars).prefix { $0 == $1 }.count
    return String(term.unicodeScalars.prefix(shared + 1))
  }

  private static func append(_ term: String, after previous: String, to bytes: inout [UInt8]) {
    var shared = 0
    var rest = term.unicodeScalars[...]
    for scalar in previous.unicodeScalars {
      guard rest.first == scalar else { break }
      shared += UTF16.width(scalar)
      rest = rest.dropFirst()
    }
    bytes.append(PostingCode.digits[shared])
    bytes += String(rest).utf8
  }

  private static func code(_ postings: [Posting]) -> [UInt8] {
    var bytes: [UInt8] = []
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
    return bytes
  }
}
