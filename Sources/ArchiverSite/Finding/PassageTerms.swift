/// The terms of a passage as the catalog's index has them.
///
/// A term has the digit of its weight before it, `7harbour`; the beginning of words the letter of
/// the greatest weight that any of them has, `hha` for 7. A beginning is one or two characters long:
/// of longer ones so few words begin that the index finds them by their own terms.
enum PassageTerms {
  private static let longestBeginning = 2

  /// Returns each term and each beginning once, in order.
  static func weighted(_ text: String, title: String) -> [String] {
    var counts: [String: Int] = [:]
    var length = 0
    var tokenizer = Tokenizer()
    for (part, weight) in [(title, SegmentBuilder.titleWeight), (text, 1)] {
      tokenizer.tokens(of: part) { term in
        length += 1
        counts[term, default: 0] += weight
      }
    }
    var terms: [String] = []
    var beginnings: [String: Int] = [:]
    for (term, frequency) in counts {
      let level = SegmentBuilder.level(frequency: frequency, length: length)
      terms.append(weighted(term, level))
      for size in 1...longestBeginning {
        let beginning = term.unicodeScalars.prefix(size)
        guard beginning.endIndex < term.unicodeScalars.endIndex else { break }
        beginnings[String(beginning), default: 0].raise(to: level)
      }
    }
    terms += beginnings.map { self.beginning($0.key, $0.value) }
    return terms.sorted()
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
