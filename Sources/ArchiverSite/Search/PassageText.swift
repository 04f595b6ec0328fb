import ArchiverStorage

/// An item's text as search takes it: cut into passages, each with its terms.
struct PassageText: Sendable {
  /// Of the whole text.
  let fingerprint: UInt64
  let passages: [String]
  /// One for each passage.
  let terms: [PassageTerms]

  /// `title` is what counts as the item's title.
  init(_ text: String, title: String) {
    fingerprint = WordHash.of(text)
    passages = Passages.cut(text)
    terms = PassageText.terms(of: passages, title: title)
  }

  /// Returns the terms of passages; the title counts with the first.
  static func terms(of passages: [String], title: String) -> [PassageTerms] {
    var counter = TermCounter()
    return passages.enumerated().map { number, passage in
      PassageTerms(passage, title: number == 0 ? title : "", &counter)
    }
  }
}
