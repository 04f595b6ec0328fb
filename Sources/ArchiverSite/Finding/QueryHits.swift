import ArchiverStorage

/// The items that a query without alternatives finds in the index, before their texts are checked.
struct QueryHits {
  struct Hit {
    /// The item's number in the index.
    let item: Int
    /// The item's score; `nil` without terms.
    let score: Double?
    let passage: Int
    /// Whether the title equals the query.
    var isTitle = false

    /// Whether it is sorted before another.
    func precedes(_ other: Hit) -> Bool {
      if isTitle != other.isTitle { return isTitle }
      let (own, its) = (score ?? 0, other.score ?? 0)
      return own != its ? own > its : item > other.item
    }
  }

  /// The query, with the forms of words that the index adds.
  let query: SearchQuery
  let phrases: [PhrasePlaces]
  let excludedPhrases: [PhrasePlaces]
  let states: StateTest
  /// The hits, best first; without terms, the item saved last first.
  private(set) var hits: [Hit] = []

  /// Whether no texts or states have to be checked.
  var isCertain: Bool { phrases.isEmpty && excludedPhrases.isEmpty && states.isEmpty }

  /// Looks the query up in the index.
  init(
    _ asked: SearchQuery, _ index: IndexReader, _ items: LibraryItems, _ catalog: SQLiteCatalog
  ) throws(StorageError) {
    var query = asked
    let asksSource = [query.filters, query.excluded.filters].contains { $0["source"] != nil }
    let sources = asksSource ? try items.sources() : []
    var excluded: Set<Int> = []
    for term in query.excluded.terms { excluded.formUnion(TermList(term, index).items) }
    for found in RequiredItems.each(query.excluded.filters, index) { excluded.formUnion(found) }
    excludedPhrases = query.excluded.phrases.map { PhrasePlaces($0, index) }
    phrases = query.phrases.map { PhrasePlaces($0, index) }
    states = try StateTest(query, catalog)
    QueryStems.extend(&query.terms, index)
    self.query = query
    let passing = try items.passing(
      SearchQuery.filter(query.filters, sources: sources),
      except: SearchQuery.filter(query.excluded.filters, sources: sources))
    let found =
      query.terms.isEmpty
      ? try items.newestFirst().map { Hit(item: $0, score: nil, passage: 0) }
      : QueryHits.rank(query, index)
    let required = RequiredItems.each(query.filters, index)
    let phrases = phrases
    hits = found.filter { hit in
      passing[hit.item] && !excluded.contains(hit.item)
        && required.allSatisfy { $0.contains(hit.item) }
        && phrases.allSatisfy { $0.mayBe(in: hit.item) }
    }
  }

  private static func rank(_ query: SearchQuery, _ index: IndexReader) -> [Hit] {
    let lists = query.terms.map { TermList($0, index) }
    let order = lists.indices.sorted { (lists[$0].size, $0) < (lists[$1].size, $1) }
    guard let rarest = order.first, lists[rarest].size > 0 else { return [] }
    let titled = query.whole.map(index.items(whole:)) ?? []
    var hits: [Hit] = []
    for item in lists[rarest].weights.indices {
      var score = 0.0
      for list in order {
        guard lists[list].weights[item] > 0 else {
          score = -1
          break
        }
        score += lists[list].rarity * lists[list].weights[item]
      }
      guard score >= 0 else { continue }
      hits.append(
        Hit(
          item: item, score: score, passage: Int(lists[rarest].passages[item]),
          isTitle: titled.contains(item)))
    }
    return hits.sorted { $0.precedes($1) }
  }
}
