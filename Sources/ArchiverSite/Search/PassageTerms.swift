/// The terms of a passage with their score buckets.
struct PassageTerms: Sendable {
  struct Term: Sendable {
    let text: String
    /// From 0 to 7.
    let level: Int
  }

  /// The maximum length, in characters, of prefixes that have entries in the catalog's index. Few
  /// words begin with a longer prefix, so the index finds them by their terms.
  private static let longestBeginning = 2

  /// Without duplicates.
  let terms: [Term]

  /// Creates an empty list.
  init() { terms = [] }

  /// Scores the terms of a passage; `fields`, some of which have a higher weight, are given with an
  /// item's first passage only.
  init(_ text: String, _ fields: SearchFields?, _ counter: inout TermCounter) {
    if let fields {
      counter.add(fields.title, weight: SegmentBuilder.titleWeight)
      for label in fields.labels { counter.add(label, weight: SearchFields.labelWeight) }
      for note in fields.notes { counter.add(note, weight: 1) }
    }
    counter.add(text, weight: 1)
    let length = counter.length
    var terms: [Term] = []
    counter.drain { term, count in
      let level = SegmentBuilder.level(frequency: count, length: length)
      terms.append(Term(text: term, level: level))
    }
    for term in fields?.terms ?? [] {
      terms.append(Term(text: term, level: SegmentBuilder.levels - 1))
    }
    self.terms = terms
  }

  private init(_ terms: [Term]) { self.terms = terms }

  /// Returns the terms and one that occurs in no text.
  func adding(_ term: String) -> PassageTerms {
    PassageTerms(terms + [Term(text: term, level: SegmentBuilder.levels - 1)])
  }

  /// The entries of the catalog's index, without duplicates, in byte order.
  ///
  /// A term is preceded by the digit of its score, `7harbour`; a prefix by the letter of the
  /// maximum score of its terms, `hha` for 7.
  var entries: [String] {
    var entries: [String] = []
    var beginnings: [ByteKey: Int] = [:]
    for term in terms {
      entries.append(PassageTerms.weighted(term.text, term.level))
      for size in 1...PassageTerms.longestBeginning {
        let beginning = term.text.unicodeScalars.prefix(size)
        guard beginning.endIndex < term.text.unicodeScalars.endIndex else { break }
        beginnings[ByteKey(String(beginning)), default: 0].raise(to: term.level)
      }
    }
    entries += beginnings.map { PassageTerms.beginning($0.key.text, $0.value) }
    return entries.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the term as encoded in the index for a score.
  static func weighted(_ term: String, _ level: Int) -> String { "\(level)\(term)" }

  /// Returns a prefix as encoded in the index for a score.
  static func beginning(_ term: String, _ level: Int) -> String {
    "\(Unicode.Scalar(UInt8(ascii: "a") + UInt8(level)))\(term)"
  }

  /// Whether the index has an entry for this prefix.
  static func isBeginning(_ term: String) -> Bool {
    term.unicodeScalars.count <= longestBeginning
  }
}

extension Int {
  fileprivate mutating func raise(to other: Int) { self = Swift.max(self, other) }
}
