/// The items required by filters for authors, languages and properties, which are terms of the
/// index.
enum RequiredItems {
  /// Returns the items that pass all of these filters; `nil` without such filters.
  static func items(
    _ filters: [String: [String]], _ index: IndexReader
  ) -> Set<Int>? {
    var items: Set<Int>?
    for found in each(filters, index) { items = items?.intersection(found) ?? found }
    return items
  }

  /// Returns the matching items for each filter: for each author's name, for each property,
  /// and for all languages together.
  static func each(
    _ filters: [String: [String]], _ index: IndexReader
  ) -> [Set<Int>] {
    var found: [Set<Int>] = []
    for author in filters["author"] ?? [] {
      var common: Set<Int>?
      for piece in TextPiece.terms(of: author) {
        let having = having(SearchFields.authorMark + piece.term, !piece.isWhole, index)
        common = common?.intersection(having) ?? having
      }
      found.append(common ?? [])
    }
    for thing in filters["has"] ?? [] {
      found.append(having(SearchFields.havingMark + thing.lowercased(), false, index))
    }
    guard let languages = filters["lang"] else { return found }
    var any: Set<Int> = []
    for tag in languages.flatMap({ $0.split(separator: ",").map(String.init) }) {
      guard let term = SearchFields.languageTerm(tag) else { continue }
      any.formUnion(having(term, false, index))
    }
    return found + [any]
  }

  private static func having(_ term: String, _ isPrefix: Bool, _ index: IndexReader) -> Set<Int> {
    TermList(SearchQuery.Term(term: term, isWhole: !isPrefix, isPrefix: isPrefix), index).items
  }
}
