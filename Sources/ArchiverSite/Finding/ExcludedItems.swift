import ArchiverStorage

/// The items that match the excluded terms of a query.
struct ExcludedItems {
  /// The numbers of items with an excluded word, author or language.
  private(set) var numbers: Set<Int> = []
  /// The passages that may contain the excluded phrases.
  private(set) var phrases: [PhrasePlaces] = []

  init(_ query: SearchQuery, _ index: SearchSnapshot) throws(StorageError) {
    for term in query.excluded.terms { try numbers.formUnion(ExcludedItems.having(term, index)) }
    for found in try RequiredItems.each(query.excluded.filters, index) { numbers.formUnion(found) }
    for phrase in query.excluded.phrases { phrases.append(try PhrasePlaces(phrase, index)) }
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
