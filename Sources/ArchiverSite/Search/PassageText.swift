import ArchiverStorage

/// An item's text as search takes it: cut into passages, each with its terms.
struct PassageText: Sendable {
  /// Of the whole text.
  let fingerprint: UInt64
  let passages: [String]
  /// One for each passage.
  let terms: [PassageTerms]

  init(_ text: String, _ fields: SearchFields) {
    fingerprint = WordHash.of(text)
    passages = Passages.cut(text)
    terms = PassageText.terms(of: passages, fields)
  }

  /// Returns the terms of passages; the fields count with the first.
  static func terms(of passages: [String], _ fields: SearchFields) -> [PassageTerms] {
    var counter = TermCounter()
    return passages.enumerated().map { number, passage in
      PassageTerms(passage, number == 0 ? fields : nil, &counter)
    }
  }
}
