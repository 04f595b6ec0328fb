/// The terms of a passage and how much each weighs there.
struct PassageTerms: Sendable {
  struct Term: Sendable {
    let text: String
    /// From 0 to 7.
    let level: Int
  }

  /// Beginnings have entries of their own in the catalog's index up to so many characters: with
  /// longer ones so few words begin that the index finds them by their own terms.
  private static let longestBeginning = 2

  /// Each once.
  let terms: [Term]

  /// No terms.
  init() { terms = [] }

  /// Weighs the terms of a passage; `fields`, of which some count more, are given with an item's first only.
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

  /// Returns them and one that no text has.
  func adding(_ term: String) -> PassageTerms {
    PassageTerms(terms + [Term(text: term, level: SegmentBuilder.levels - 1)])
  }

  /// The entries of the catalog's index, each once, in the order of their bytes.
  ///
  /// A term has the digit of its weight before it, `7harbour`; the beginning of words the letter of
  /// the greatest weight that any of them has, `hha` for 7.
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

  /// Returns the term as the index has it for a weight.
  static func weighted(_ term: String, _ level: Int) -> String { "\(level)\(term)" }

  /// Returns the beginning of words as the index has it for a weight.
  static func beginning(_ term: String, _ level: Int) -> String {
    "\(Unicode.Scalar(UInt8(ascii: "a") + UInt8(level)))\(term)"
  }

  /// Whether the index has an entry for the words that begin with a term.
  static func isBeginning(_ term: String) -> Bool {
    term.unicodeScalars.count <= longestBeginning
  }
}

extension Int {
  fileprivate mutating func raise(to other: Int) { self = Swift.max(self, other) }
}
