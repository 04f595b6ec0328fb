/// The items required by filters for authors, languages and properties, which are terms of the
/// index.
enum RequiredItems {
  /// Returns the matching items for each filter: for each author's name, for each property,
  /// and for all languages together.
  static func each(
    _ filters: [String: [String]], _ index: IndexReader
  ) -> [Set<Int>] {
    var found: [Set<Int>] = []
    for author in filters["author"] ?? [] {
      let names = TextPiece.terms(of: author).map {
        having(SearchFields.authorMark + $0.term, isWhole: $0.isWhole, index)
      }
      found.append(names.dropFirst().reduce(names.first ?? []) { $0.intersection($1) })
    }
    for thing in filters["has"] ?? [] {
      found.append(having(SearchFields.havingMark + thing.lowercased(), index))
    }
    guard let languages = filters["lang"] else { return found }
    var any: Set<Int> = []
    for tag in languages.flatMap({ $0.split(separator: ",").map(String.init) }) {
      guard let term = SearchFields.languageTerm(tag) else { continue }
      any.formUnion(having(term, index))
    }
    return found + [any]
  }

  private static func having(
    _ term: String, isWhole: Bool = true, _ index: IndexReader
  ) -> Set<Int> {
    TermList(SearchQuery.Term(term, isWhole: isWhole), index).items
  }
}
