import ArchiverCore

/// The items with a term, each with the weight of its best passage; see `lookUp` in `search.js`.
struct TermList {
  /// The factor for a prefix match.
  private static let prefixWeight = 0.7
  /// The factor for another form of the word. No product of it with a weight equals another weight,
  /// so that the best passage does not depend on the implementation.
  private static let formWeight = 0.55

  /// Weights by the items' numbers; 0 for items without the term. Empty if no item has it.
  private(set) var weights: [Double] = []
  private(set) var passages: [Int32] = []
  /// The number of items with the term.
  private(set) var size = 0
  /// The inverse document frequency of BM25.
  private(set) var rarity = 0.0
  private let itemCount: Int

  init(_ wanted: SearchQuery.Term, _ index: IndexReader) {
    itemCount = index.itemCount
    let own = index.postings(wanted.term, longer: wanted.isPrefix)
    let forms = wanted.forms.map { index.postings($0, longer: false) }
    for (number, segment) in index.segments.enumerated() {
      for part in own[number].exact { add(part, segment, 1) }
      for part in own[number].longer { add(part, segment, TermList.prefixWeight) }
      for form in forms {
        for part in form[number].exact { add(part, segment, TermList.formWeight) }
      }
    }
    rarity = log(1 + (Double(itemCount - size) + 0.5) / (Double(size) + 0.5))
  }

  private mutating func add(
    _ postings: ArraySlice<UInt8>, _ segment: IndexReader.Segment, _ factor: Double
  ) {
    if weights.isEmpty {
      weights = Array(repeating: 0, count: itemCount)
      passages = Array(repeating: 0, count: itemCount)
    }
    ShardPostings.forEach(postings) { place, level in
      guard let (item, passage) = segment.passage(place), item < itemCount else { return }
      let weight = (Double(level) + 0.5) / Double(SegmentBuilder.levels) * factor
      guard
        weights[item] < weight || weights[item] == weight && Int32(passage) < passages[item]
      else { return }
      if weights[item] == 0 { size += 1 }
      weights[item] = weight
      passages[item] = Int32(passage)
    }
  }

  /// The numbers of the items that have the term.
  var items: Set<Int> { Set(weights.indices.filter { weights[$0] > 0 }) }
}
