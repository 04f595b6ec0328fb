/// The items that match the excluded terms of a query.
struct ExcludedItems {
  /// The items with an excluded word, author or language.
  private(set) var items: Set<Int> = []
  /// The passages that may contain the excluded phrases.
  let phrases: [PhrasePlaces]

  init(_ query: SearchQuery, _ index: IndexReader) {
    for term in query.excluded.terms { items.formUnion(TermList(term, index).items) }
    for found in RequiredItems.each(query.excluded.filters, index) { items.formUnion(found) }
    phrases = query.excluded.phrases.map { PhrasePlaces($0, index) }
  }
}
