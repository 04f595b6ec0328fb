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

  /// The entries of the catalog's index, without duplicates, each followed by a space.
  ///
  /// A term is preceded by the digit of its score, `7harbour`; a prefix by the letter of the
  /// maximum score of its terms, `hha` for 7.
  var indexed: String {
    var text: [UInt8] = []
    // By the bytes of the prefixes, which are at most eight.
    var beginnings: [UInt64: Int] = [:]
    for term in terms {
      text.append(PassageTerms.digit(term.level))
      text += term.text.utf8
      text.append(0x20)
      PassageTerms.forEachBeginning(of: term.text) { beginning in
        beginnings[beginning, default: 0].raise(to: term.level)
      }
    }
    for (beginning, level) in beginnings.sorted(by: { $0.key < $1.key }) {
      text.append(PassageTerms.letter(level))
      withUnsafeBytes(of: beginning.bigEndian) { bytes in text += bytes.prefix { $0 != 0 } }
      text.append(0x20)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Calls `body` with the bytes of each prefix of one and two characters that is not the whole
  /// term, the first byte in the highest place.
  private static func forEachBeginning(of term: String, _ body: (UInt64) -> Void) {
    var beginning: UInt64 = 0
    var count = 0
    var shift: UInt64 = 64
    for byte in term.utf8 {
      // A byte that continues a character has the bits 10 first.
      if byte & 0xC0 != 0x80 {
        if count > 0 { body(beginning) }
        if count == longestBeginning { return }
        count += 1
      }
      shift -= 8
      beginning |= UInt64(byte) << shift
    }
  }

  /// Returns the term as encoded in the index for a score.
  static func weighted(_ term: String, _ level: Int) -> String {
    "\(Unicode.Scalar(digit(level)))\(term)"
  }

  private static func digit(_ level: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(level) }

  /// Returns a prefix as encoded in the index for a score.
  static func beginning(_ term: String, _ level: Int) -> String {
    "\(Unicode.Scalar(letter(level)))\(term)"
  }

  private static func letter(_ level: Int) -> UInt8 { UInt8(ascii: "a") + UInt8(level) }

  /// Whether the index has an entry for this prefix.
  static func isBeginning(_ term: String) -> Bool {
    term.unicodeScalars.count <= longestBeginning
  }
}

extension Int {
  fileprivate mutating func raise(to other: Int) { self = Swift.max(self, other) }
}
