import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The items with a term, each with the weight of its best passage.
struct TermList {
  /// The factor for a prefix match.
  private static let prefixWeight = 0.7
  /// The factor for another form of the word. No product of it with a weight equals another weight,
  /// so that the best passage does not depend on the implementation.
  private static let formWeight = 0.55

  /// Weights by the items' positions; 0 for items without the term.
  private(set) var weights: [Double]
  private(set) var passages: [Int32]
  /// The number of items with the term.
  private(set) var size = 0
  /// The inverse document frequency of BM25.
  private(set) var rarity = 0.0

  /// An index lookup for a term with one weight.
  struct Entry {
    /// The texts, any of which matches.
    let texts: [String]
    let isPrefix: Bool
    let weight: Double
  }

  /// Returns all index lookups for a term, lowest weight first.
  static func entries(of wanted: SearchQuery.Term) -> [Entry] {
    (0..<SegmentBuilder.levels).flatMap { level in
      let weight = (Double(level) + 0.5) / Double(SegmentBuilder.levels)
      let exact = Entry(
        texts: [PassageTerms.weighted(wanted.term, level)], isPrefix: false, weight: weight)
      var entries = [exact]
      if !wanted.forms.isEmpty {
        entries.append(
          Entry(
            texts: wanted.forms.map { PassageTerms.weighted($0, level) }, isPrefix: false,
            weight: weight * TermList.formWeight))
      }
      guard wanted.isPrefix else { return entries }
      let isShort = PassageTerms.isBeginning(wanted.term)
      let longer = Entry(
        texts: isShort ? [PassageTerms.beginning(wanted.term, level)] : exact.texts,
        isPrefix: !isShort, weight: weight * TermList.prefixWeight)
      return entries + [longer]
    }
  }

  /// Looks a term up; `positions` has the position of each item number, -1 for removed items.
  init(
    _ wanted: SearchQuery.Term, positions: [Int32], count: Int, _ index: SearchSnapshot
  ) throws(StorageError) {
    weights = Array(repeating: 0, count: count)
    passages = Array(repeating: 0, count: count)
    for entry in TermList.entries(of: wanted) { try add(entry, positions, index) }
    rarity = log(1 + (Double(count - size) + 0.5) / (Double(size) + 0.5))
  }

  private mutating func add(
    _ entry: Entry, _ positions: [Int32], _ index: SearchSnapshot
  ) throws(StorageError) {
    let weight = entry.weight
    var better: [(position: Int, passage: Int32)] = []
    try index.passages(entry.texts, isPrefix: entry.isPrefix) { reference in
      guard reference.item < positions.count, positions[reference.item] >= 0 else { return }
      better.append((Int(positions[reference.item]), Int32(reference.passage)))
    }
    for (position, passage) in better
    where weights[position] < weight
      || (weights[position] == weight && passage < passages[position])
    {
      if weights[position] == 0 { size += 1 }
      weights[position] = weight
      passages[position] = passage
    }
  }
}
