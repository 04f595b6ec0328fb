/// Builds a segment of the search index: the terms of some hundred items and where they stand.
///
/// Form of a shard, a script that calls `archiverSearch.shard(SEGMENT, NUMBER, "…")`:
/// 1. The string is a list separated by tabs: term, postings, term, postings, …
/// 2. Terms are in the order of their code points. A term is written as a digit that tells how many
///    UTF-16 units it shares with the one before it in the shard, and the rest.
/// 3. Postings are groups of passages of equal weight. A group is a number that is the weight
///    (0 to 7) plus 8 times one less than the count, then for each passage how far it is from the
///    one before it in the group, less one; the first counts from -1.
/// 4. Digits and numbers are those of `PostingCode`.
struct SegmentBuilder {
  /// A shard is ended once it has so many bytes; a query loads one or two of each segment.
  static let shardSize = 4_000
  static let levels = 8
  /// How many times a word of a title counts.
  static let titleWeight = 8

  private var identifiers: [String: Int] = [:]
  private var postings: [[(passage: Int32, level: UInt8)]] = []
  private var counts: [Int32] = []
  private var touched: [Int] = []
  private var tokenizer = Tokenizer()
  private(set) var passageCount = 0

  /// Adds the next passage; `title` counts more and is given with an item's first passage only.
  mutating func add(_ text: String, title: String) {
    var length = 0
    count(title, weight: Int32(SegmentBuilder.titleWeight), &length)
    count(text, weight: 1, &length)
    for identifier in touched {
      let level = SegmentBuilder.level(frequency: Int(counts[identifier]), length: length)
      postings[identifier].append((Int32(passageCount), UInt8(level)))
      counts[identifier] = 0
    }
    touched.removeAll(keepingCapacity: true)
    passageCount += 1
  }

  /// Returns how much a term weighs in a passage of so many terms, from 0 to 7.
  ///
  /// BM25 with k1 1.2, b 0.75 and a fixed mean length, so that a passage does not depend on others.
  static func level(frequency: Int, length: Int) -> Int {
    let norm = 1.2 * (0.25 + 0.75 * Double(length) / 700)
    let weight = Double(frequency) / (Double(frequency) + norm)
    return min(levels - 1, Int(weight * Double(levels)))
  }

  private mutating func count(_ text: String, weight: Int32, _ length: inout Int) {
    var tokenizer = self.tokenizer
    tokenizer.tokens(of: text) { term in
      length += 1
      let identifier: Int
      if let known = identifiers[term] {
        identifier = known
      } else {
        identifier = postings.count
        identifiers[term] = identifier
        postings.append([])
        counts.append(0)
      }
      if counts[identifier] == 0 { touched.append(identifier) }
      counts[identifier] &+= weight
    }
    self.tokenizer = tokenizer
  }

  /// A part of the terms and the first of them.
  struct Shard {
    let first: String
    var bytes: [UInt8]
  }

  /// Returns the shards in the order of their terms.
  func shards() -> [Shard] {
    // Swift compares strings by their canonical form; UTF-8 orders as code points do.
    let terms = identifiers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    var shards: [Shard] = []
    var previous = ""
    for (term, identifier) in terms {
      if shards.last.map({ $0.bytes.count >= SegmentBuilder.shardSize }) ?? true {
        shards.append(Shard(first: term, bytes: []))
        previous = ""
      } else {
        shards[shards.count - 1].bytes.append(0x09)
      }
      SegmentBuilder.append(term, after: previous, to: &shards[shards.count - 1].bytes)
      shards[shards.count - 1].bytes.append(0x09)
      SegmentBuilder.append(postings[identifier], to: &shards[shards.count - 1].bytes)
      previous = term
    }
    return shards
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

  private static func append(
    _ postings: [(passage: Int32, level: UInt8)], to bytes: inout [UInt8]
  ) {
    for level in 0..<levels {
      let count = postings.count { $0.level == UInt8(level) }
      guard count > 0 else { continue }
      PostingCode.append((count - 1) * levels + level, to: &bytes)
      var last = -1
      for posting in postings where posting.level == UInt8(level) {
        PostingCode.append(Int(posting.passage) - last - 1, to: &bytes)
        last = Int(posting.passage)
      }
    }
  }
}
