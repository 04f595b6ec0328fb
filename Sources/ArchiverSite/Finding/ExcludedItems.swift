import ArchiverStorage

/// The items that what a query excludes is in.
struct ExcludedItems {
  /// The numbers of those that have an excluded word, author or language.
  private(set) var numbers: Set<Int> = []
  /// Where the excluded phrases may be.
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
