import ArchiverCore
package import ArchiverStorage

/// Searches an archive with the catalog's index; the results are those of the library's own search.
///
/// The weight of a term in a passage is BM25 in eight levels. An item's weight for a term is that
/// of its best passage; a prefix match counts less than a whole word. Items must have all terms and
/// no excluded ones. Items whose titles equal the query are first; among equals, the one archived
/// last is first.
package struct LibrarySearch {
  /// A found item.
  package struct Match: Sendable {
    package let item: CatalogItem
    /// `nil` for a query with filters only.
    package let score: Double?
    /// `nil` without terms, and if the text is missing.
    package let snippet: Snippet?
    /// The URL within the bundle of the chapter or page of a book from which the snippet is; `nil`
    /// for the item's own page.
    package var place: String?
  }

  package struct Result: Sendable {
    package var matches: [Match] = []
    /// The total number; `nil` if phrases were checked only as far as needed.
    package var total: Int?
    /// The query with misspelled words replaced by words of the index, if nothing was found.
    package var suggestion: String?
    /// Whether the index lacks some items.
    package var isIncomplete = false
  }

  private let root: String
  private let catalog: SQLiteCatalog
  private let words: Words

  /// Searches the archive at `root`; texts for phrases and snippets are read from its library. Items
  /// without a title are found by the words that the library shows instead.
  package init(root: String, catalog: SQLiteCatalog) {
    self.root = root
    self.catalog = catalog
    words = Words.of(LibraryStamp.language(root: root) ?? "en")
  }

  /// Returns at most `limit` items, best first; without terms, those saved last first.
  package func find(_ query: SearchQuery, limit: Int) throws -> Result {
    try catalog.searching { index in
      var result = Result()
      result.isIncomplete = try index.lacksItems()
      let parts = try (query.alternatives.isEmpty ? [query] : query.alternatives)
        .map { try QueryHits($0, index, catalog) }
      let candidates = try LibrarySearch.merged(parts, index)
      var found: Set<Int> = []
      var tried = 0
      for (part, hit) in candidates {
        guard result.matches.count < limit else { break }
        tried += 1
        guard !found.contains(hit.number), let match = try match(hit, parts[part], index)
        else { continue }
        found.insert(hit.number)
        result.matches.append(match)
      }
      result.total =
        parts.allSatisfy(\.isCertain)
        ? Set(candidates.map(\.hit.number)).count
        : tried == candidates.count ? result.matches.count : nil
      if candidates.isEmpty { result.suggestion = try SpellingHelp.suggestion(query, index) }
      return result
    }
  }

  /// Merges the results of several queries in order; an item may occur once per query.
  private static func merged(
    _ parts: [QueryHits], _ index: SearchSnapshot
  ) throws -> [(part: Int, hit: QueryHits.Hit)] {
    let all = parts.enumerated().flatMap { number, part in
      part.hits.map { (part: number, hit: $0) }
    }
    guard parts.count > 1 else { return all }
    if parts.contains(where: { !$0.query.terms.isEmpty }) {
      return all.enumerated().sorted { one, other in
        if one.element.hit.precedes(other.element.hit) { return true }
        if other.element.hit.precedes(one.element.hit) { return false }
        return one.offset < other.offset
      }.map(\.element)
    }
    var order: [Int: Int] = [:]
    for (place, number) in try index.newest(SearchFilter()).enumerated() { order[number] = place }
    return all.sorted { (order[$0.hit.number] ?? 0) < (order[$1.hit.number] ?? 0) }
  }

  /// Returns the item with its snippet; `nil` if it lacks a phrase or state, or has an excluded
  /// one.
  private func match(
    _ hit: QueryHits.Hit, _ part: QueryHits, _ index: SearchSnapshot
  ) throws -> Match? {
    guard let item = try index.item(hit.number) else { return nil }
    let row = LibraryRow(item, words: words)
    guard part.states.passes(item, row) else { return nil }
    var texts = PassageTexts(root: root, item: item, name: row.textName)
    let also = SearchFields(row, item.annotations).also
    let lines = [row.title] + also.split(separator: "\n").map(String.init)
    func first(_ phrase: PhrasePlaces) -> Int? {
      phrase.first(of: hit.number, best: hit.passage, &texts, lines)
    }
    guard !part.excludedPhrases.contains(where: { first($0) != nil }) else { return nil }
    let found = part.phrases.map(first)
    guard !found.contains(nil) else { return nil }
    guard let score = hit.score else { return Match(item: item, score: nil, snippet: nil) }
    let passage = found.first.flatMap { $0 } ?? hit.passage
    let file = texts.file(passage)
    let snippet = Snippet(file?.text ?? "", part.query)
    return Match(
      item: item, score: score, snippet: snippet, place: file?.path(at: snippet?.place ?? 0))
  }
}
