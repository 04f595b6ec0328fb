import ArchiverStorage

/// The items that what a query excludes is in.
struct ExcludedItems {
  /// The numbers of those that have an excluded word, author or language.
  private(set) var numbers: Set<Int> = []
  /// For each excluded phrase the numbers of those that have all its words; only their texts tell
  /// whether they have it.
  private(set) var suspects: [(phrase: String, numbers: Set<Int>)] = []

  init(_ query: SearchQuery, _ index: SearchSnapshot) throws(StorageError) {
    for term in query.excluded.terms { try numbers.formUnion(ExcludedItems.having(term, index)) }
    for found in try RequiredItems.each(query.excluded.filters, index) { numbers.formUnion(found) }
    for phrase in query.excluded.phrases {
      var common: Set<Int>?
      for piece in TextPiece.terms(of: phrase) {
        let term = SearchQuery.Term(
          term: piece.term, isWhole: piece.isWhole, isPrefix: !piece.isWhole)
        let having = try ExcludedItems.having(term, index)
        common = common?.intersection(having) ?? having
      }
      suspects.append((phrase, common ?? []))
    }
  }

  /// Returns the excluded phrases that the item of a number may have.
  func phrases(of number: Int) -> [String] {
    suspects.filter { $0.numbers.contains(number) }.map(\.phrase)
  }

  static func having(
    _ term: SearchQuery.Term, _ index: SearchSnapshot
  ) throws(StorageError) -> Set<Int> {
    var numbers: Set<Int> = []
    for entry in TermList.entries(of: term) {
      try index.passages(entry.texts, isPrefix: entry.isPrefix) { numbers.insert($0.item) }
    }
    return numbers
  }
}
