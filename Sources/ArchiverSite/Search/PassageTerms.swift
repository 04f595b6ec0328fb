/// The terms of a passage with their score buckets.
struct PassageTerms: Sendable {
  private struct Term {
    /// The end of the term in `bytes`.
    let end: Int32
    /// The score, from 0 to 7.
    let level: UInt8
  }

  /// The distinct terms, concatenated.
  private var bytes: [UInt8] = []
  private var terms: [Term] = []
  /// The language of the words, for their other forms; `nil` if unknown.
  private(set) var language: StemLanguage?

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
    for pair in counter.drainPairs() { add(pair, level: 0) }
    for term in fields?.terms ?? [] { add(term.utf8, level: SegmentBuilder.levels - 1) }
    if fields != nil, let language = self.language {
      add(language.term.utf8, level: SegmentBuilder.levels - 1)
    }
  }

  private mutating func add(_ term: some Collection<UInt8>, level: Int) {
    bytes += term
    terms.append(Term(end: Int32(bytes.count), level: UInt8(level)))
  }

  /// Calls `body` with the bytes of each term and its score from 0 to 7.
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

  /// Returns the terms and an additional one that occurs in no text.
  func adding(_ term: String) -> PassageTerms {
    var more = self
    more.add(term.utf8, level: SegmentBuilder.levels - 1)
    return more
  }
}
