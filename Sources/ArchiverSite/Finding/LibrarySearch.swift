import ArchiverCore
package import ArchiverStorage

/// Finds items of an archive as the library's own search does, with the catalog's index.
///
/// A text's weight in a passage is BM25, in eight steps; an item's weight for a term is that of
/// its best passage, the beginning of a word counting less than a whole one; all terms must be in
/// an item, and nothing that is excluded. Among equals the one that came into the archive last is first.
package struct LibrarySearch {
  /// An item that was found.
  package struct Match: Sendable {
    package let item: CatalogItem
    /// `nil` when only filters were given.
    package let score: Double?
    /// `nil` without terms, and when the text is not there.
    package let snippet: Snippet?
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

  private struct Hit {
    let number: Int
    /// `nil` without terms.
    let score: Double?
    let passage: Int
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
      let sources = try index.sources()
      let filter = query.filter(sources: sources)
      let left = query.excludedFilter(sources: sources)
      let excluded = try ExcludedItems(query, index)
      let hits =
        try query.terms.isEmpty
        ? index.newest(filter, except: left).map { Hit(number: $0, score: nil, passage: 0) }
        : rank(query, index.items(filter, except: left), index)
      let required = try RequiredItems.numbers(query.filters, index)
      let staying = hits.filter { hit in
        !excluded.numbers.contains(hit.number) && required?.contains(hit.number) != false
      }
      var tried = 0
      for hit in staying {
        guard result.matches.count < limit else { break }
        tried += 1
        let phrases = excluded.phrases(of: hit.number)
        if let match = try match(hit, query, without: phrases, index) {
          result.matches.append(match)
        }
      }
      let isCertain = query.phrases.isEmpty && query.excluded.phrases.isEmpty
      result.total =
        isCertain ? staying.count : tried == staying.count ? result.matches.count : nil
      if staying.isEmpty { result.suggestion = try SpellingHelp.suggestion(query, index) }
      return result
    }
  }

  /// Returns the item with its snippet; `nil` when it lacks a phrase or has one that is excluded.
  private func match(
    _ hit: Hit, _ query: SearchQuery, without excluded: [String], _ index: SearchSnapshot
  ) throws -> Match? {
    guard let item = try index.item(hit.number) else { return nil }
    let row = LibraryRow(item, words: words)
    var passages = PassageTexts(root: root, item: item, name: row.textName)
    var found = query.phrases.isEmpty ? hit.passage : nil
    if found == nil || !excluded.isEmpty {
      // The pages look no further than this, as every passage is a file to load there.
      for number in [hit.passage] + (0..<8).filter({ $0 != hit.passage }) {
        guard let text = passages[number] else { continue }
        let pieces = TextPiece.all(in: row.title + "\n" + text).map { ByteKey($0.term) }
        if excluded.contains(where: { Snippet.hasPhrase(pieces, $0) }) { return nil }
        if found == nil, query.phrases.allSatisfy({ Snippet.hasPhrase(pieces, $0) }) {
          found = number
        }
        if found != nil, excluded.isEmpty { break }
      }
    }
    guard let found else { return nil }
    guard let score = hit.score else { return Match(item: item, score: nil, snippet: nil) }
    return Match(item: item, score: score, snippet: Snippet(passages[found] ?? "", query))
  }

  private func rank(
    _ query: SearchQuery, _ items: [SearchSnapshot.Item], _ index: SearchSnapshot
  ) throws -> [Hit] {
    var positions: [Int32] = Array(repeating: -1, count: (items.map(\.number).max() ?? 0) + 1)
    for (position, item) in items.enumerated() { positions[item.number] = Int32(position) }
    var lists: [TermList] = []
    for term in query.terms {
      lists.append(try TermList(term, positions: positions, count: items.count, index))
    }
    let order = lists.indices.sorted { (lists[$0].size, $0) < (lists[$1].size, $1) }
    guard let rarest = order.first else { return [] }
    var hits: [(position: Int, score: Double)] = []
    for position in items.indices where items[position].passes {
      var score = 0.0
      for list in order {
        guard lists[list].weights[position] > 0 else {
          score = -1
          break
        }
        score += lists[list].rarity * lists[list].weights[position]
      }
      if score >= 0 { hits.append((position, score)) }
    }
    hits.sort { $0.score != $1.score ? $0.score > $1.score : $0.position > $1.position }
    return hits.map { hit in
      Hit(
        number: items[hit.position].number, score: hit.score,
        passage: Int(lists[rarest].passages[hit.position]))
    }
  }
}
