import ArchiverCore
package import ArchiverStorage

/// Finds items of an archive as the library's own search does, with the catalog's index.
///
/// A text's weight in a passage is BM25, in eight steps; an item's weight for a term is that of
/// its best passage, the beginning of a word counting less than a whole one; all terms must be in
/// an item, and nothing that is excluded. Items whose title is the query are first; among equals the one
/// that came into the archive last.
package struct LibrarySearch {
  /// An item that was found.
  package struct Match: Sendable {
    package let item: CatalogItem
    /// `nil` when only filters were given.
    package let score: Double?
    /// `nil` without terms, and when the text is not there.
    package let snippet: Snippet?
    /// The address, within the bundle, of the chapter or page of a book that the snippet is of; `nil`
    /// for the item's own page.
    package var place: String?
  }

  package struct Result: Sendable {
    package var matches: [Match] = []
    /// How many there are in all; `nil` when phrases were looked for no further than needed.
    package var total: Int?
    /// The query with a word of the index for each that is mistyped; only where nothing was found.
    package var suggestion: String?
    /// Whether the index does not have all items yet.
    package var isIncomplete = false
  }

  private let root: String
  private let catalog: any SearchCatalog
  private let words: Words

  /// Searches the archive at `root`; texts for phrases and snippets are read from its library.
  package init(root: String, catalog: any SearchCatalog) {
    self.root = root
    self.catalog = catalog
    words = .english
  }

  /// Returns at most `limit` items, best first; without terms those saved last first.
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

  /// Returns what several queries find, in one order; an item may be there for each of them.
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

  /// Returns the item with its snippet; `nil` when it lacks a phrase or state, or has one that is excluded.
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
