/// The terms of a passage with their score buckets.
struct PassageTerms: Sendable {
  private struct Term {
    /// In `bytes`.
    let end: Int32
    /// From 0 to 7.
    let level: UInt8
  }

  /// The maximum length, in characters, of prefixes that have entries in the catalog's index. Few
  /// words begin with a longer prefix, so the index finds them by their terms.
  private static let longestBeginning = 2

  /// The terms, one after another, without duplicates.
  private var bytes: [UInt8] = []
  private var terms: [Term] = []
  /// The language of the words, whose other forms the index lists; `nil` for an unknown one.
  private(set) var language: StemLanguage?
  /// `SearchFields.whole`, which only the catalog's index has with the other terms.
  private var title: String?

  /// Creates an empty list.
  init() {}

  /// Scores the terms of a passage; `fields`, some of which have a higher weight, are given with an
  /// item's first passage only. Its language is that of the fields or, if they have none, is guessed;
  /// other passages are given it.
  init(
    _ text: String, _ fields: SearchFields?, _ counter: inout TermCounter,
    language: StemLanguage? = nil
  ) {
    if let fields {
      counter.add(fields.title, weight: SegmentBuilder.titleWeight)
      for label in fields.labels { counter.add(label, weight: SearchFields.labelWeight) }
      for note in fields.notes { counter.add(note, weight: 1) }
    }
    counter.add(text, weight: 1)
    self.language = fields.map { $0.stemLanguage(hasWord: counter.has) } ?? language
    let length = counter.length
    let isGerman = self.language == GermanCompounds.language
    let stemmer = WordStemmer()
    var parts: [[UInt8]: Int] = [:]
    counter.drain { term, count in
      add(term, level: SegmentBuilder.level(frequency: count, length: length))
      guard isGerman else { return }
      GermanCompounds.shared.forEachPart(of: term, stemmer) {
        parts[Array($0), default: 0] += count
      }
    }
    for (part, count) in parts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      add(
        part + GermanCompounds.mark.utf8,
        level: SegmentBuilder.level(frequency: count, length: length))
    }
    for term in fields?.terms ?? [] { add(term.utf8, level: SegmentBuilder.levels - 1) }
    title = fields?.whole
    if fields != nil, let language = self.language {
      add(language.term.utf8, level: SegmentBuilder.levels - 1)
    }
  }

  private mutating func add(_ term: some Collection<UInt8>, level: Int) {
    bytes += term
    terms.append(Term(end: Int32(bytes.count), level: UInt8(level)))
  }

  /// Calls `body` with the bytes of each term and its score from 0 to 7. Without the title's.
  func forEach(_ body: (UnsafeBufferPointer<UInt8>, _ level: Int) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for term in terms {
        let end = Int(term.end)
        body(UnsafeBufferPointer(rebasing: bytes[start..<end]), Int(term.level))
        start = end
      }
    }
  }

  /// Returns the terms and one that occurs in no text.
  func adding(_ term: String) -> PassageTerms {
    var more = self
    more.add(term.utf8, level: SegmentBuilder.levels - 1)
    return more
  }

  /// The entries of the catalog's index, without duplicates, each followed by a space.
  ///
  /// A term is preceded by the digit of its score, `7harbour`; a prefix by the letter of the
  /// maximum score of its terms, `hha` for 7.
  var indexed: String {
    var text: [UInt8] = []
    var beginnings = Beginnings()
    text.reserveCapacity(bytes.count + 2 * terms.count)
    forEach { term, level in
      text.append(PassageTerms.digit(level))
      text += term
      text.append(0x20)
      PassageTerms.forEachBeginning(of: term) { beginnings.raise($0, to: level) }
    }
    if let title { text += "\(PassageTerms.weighted(title, SegmentBuilder.levels - 1)) ".utf8 }
    for (beginning, level) in beginnings.sorted {
      text.append(PassageTerms.letter(level))
      withUnsafeBytes(of: beginning.bigEndian) { bytes in text += bytes.prefix { $0 != 0 } }
      text.append(0x20)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Calls `body` with the bytes of each prefix of one and two characters that is not the whole
  /// term, the first byte in the highest place.
  private static func forEachBeginning(
    of term: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Void
  ) {
    var beginning: UInt64 = 0
    var count = 0
    var shift: UInt64 = 64
    for byte in term {
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

/// The maximum score of each prefix of a passage's terms. A prefix is given as a number with its
/// bytes, at most eight, from the highest place on.
private struct Beginnings {
  /// By the first two bytes, for prefixes of ASCII; 0 without one, or else the score plus one.
  private var ascii = [UInt8](repeating: 0, count: 1 << 15)
  private var others: [UInt64: Int] = [:]

  mutating func raise(_ beginning: UInt64, to level: Int) {
    let place = Int(beginning >> 48)
    if beginning << 16 == 0, place < ascii.count, place & 0x80 == 0 {
      ascii[place] = max(ascii[place], UInt8(level) + 1)
    } else {
      others[beginning] = max(others[beginning] ?? 0, level)
    }
  }

  /// In the order of their bytes.
  var sorted: [(beginning: UInt64, level: Int)] {
    var found = others.map { (beginning: $0, level: $1) }
    for (place, level) in ascii.enumerated() where level > 0 {
      found.append((UInt64(place) << 48, Int(level) - 1))
    }
    return found.sorted { $0.beginning < $1.beginning }
  }
}
