import ArchiverStorage

/// The items that a query without alternatives finds in the index, before their texts are checked.
struct QueryHits {
  struct Hit {
    /// The item's number.
    let number: Int
    /// The item's position among all items, in the order of archiving.
    let position: Int
    /// `nil` without terms.
    let score: Double?
    let passage: Int
    /// Whether the title equals the query.
    var isTitle = false

    /// Whether it is sorted before another.
    func precedes(_ other: Hit) -> Bool {
      if isTitle != other.isTitle { return isTitle }
      let (own, its) = (score ?? 0, other.score ?? 0)
      return own != its ? own > its : position > other.position
    }
  }

  /// With the forms of words that the index adds.
  let query: SearchQuery
  let phrases: [PhrasePlaces]
  let excludedPhrases: [PhrasePlaces]
  let states: StateTest
  /// Best first; without terms, those saved last first.
  private(set) var hits: [Hit] = []

  /// Whether no texts or states have to be checked.
  var isCertain: Bool { phrases.isEmpty && excludedPhrases.isEmpty && states.isEmpty }

  /// Looks the query up in the index.
  init(_ asked: SearchQuery, _ index: SearchSnapshot, _ catalog: SQLiteCatalog) throws {
    var query = asked
    let sources = try index.sources()
    let filter = query.filter(sources: sources)
    let left = query.excludedFilter(sources: sources)
    let excluded = try ExcludedItems(query, index)
    excludedPhrases = excluded.phrases
    phrases = try query.phrases.map { try PhrasePlaces($0, index) }
    states = try StateTest(query, catalog)
    let items = try index.items(filter, except: left)
    try QueryStems.extend(&query.terms, index, items)
    self.query = query
    let found =
      try query.terms.isEmpty
      ? QueryHits.newest(index.newest(filter, except: left), items)
      : QueryHits.rank(query, items, index)
    let required = try RequiredItems.numbers(query.filters, index)
    let phrases = phrases
    hits = found.filter { hit in
      !excluded.numbers.contains(hit.number) && required?.contains(hit.number) != false
        && phrases.allSatisfy { $0.mayBe(in: hit.number) }
    }
  }

  private static func newest(_ numbers: [Int], _ items: [SearchSnapshot.Item]) -> [Hit] {
    let positions = QueryHits.positions(items)
    return numbers.map {
      Hit(number: $0, position: Int(positions[$0]), score: nil, passage: 0)
    }
  }

  /// Returns the position of each number; -1 for removed items.
  private static func positions(_ items: [SearchSnapshot.Item]) -> [Int32] {
    var positions: [Int32] = Array(repeating: -1, count: (items.map(\.number).max() ?? 0) + 1)
    for (position, item) in items.enumerated() { positions[item.number] = Int32(position) }
    return positions
  }

  private static func rank(
    _ query: SearchQuery, _ items: [SearchSnapshot.Item], _ index: SearchSnapshot
  ) throws -> [Hit] {
    let positions = positions(items)
    var lists: [TermList] = []
    for term in query.terms {
      lists.append(try TermList(term, positions: positions, count: items.count, index))
    }
    let order = lists.indices.sorted { (lists[$0].size, $0) < (lists[$1].size, $1) }
    guard let rarest = order.first else { return [] }
    let titled = try query.whole.map {
      try ExcludedItems.having(
        SearchQuery.Term(term: $0, isWhole: true, isPrefix: false), index)
    }
    var hits: [Hit] = []
    for position in items.indices where items[position].passes {
      var score = 0.0
      for list in order {
        guard lists[list].weights[position] > 0 else {
          score = -1
          break
        }
        score += lists[list].rarity * lists[list].weights[position]
      }
      guard score >= 0 else { continue }
      let number = items[position].number
      hits.append(
        Hit(
          number: number, position: position, score: score,
          passage: Int(lists[rarest].passages[position]),
          isTitle: titled?.contains(number) ?? false))
    }
    return hits.sorted { $0.precedes($1) }
  }
}
