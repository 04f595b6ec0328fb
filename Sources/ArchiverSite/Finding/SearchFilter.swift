import ArchiverCore

/// A filter of the items to search. Several values of one kind match any of them, several kinds
/// must all match; of labels an item must match each list.
struct SearchFilter: Sendable, Hashable {
  /// Folded labels; an item's label must match one in full. An empty label matches items without
  /// labels.
  var labels: [[String]] = []
  /// Full names.
  var sources: [String] = []
  /// Folded parts of sites' names.
  var sites: [String] = []
  /// Full kinds: the raw values of `ItemMetadata.Kind`.
  var kinds: [String] = []
  /// Saved before all of these.
  var before: [Date] = []
  var after: [Date] = []
  /// Saved within one of these.
  var within: [Range<Date>] = []

  /// Whether every item passes.
  var isEmpty: Bool { self == SearchFilter() }

  /// What filters test of an item.
  struct Item {
    let origin: Origin
    /// Folded.
    let labels: [String]
    /// To the minute.
    let saved: Date
  }

  /// What many items have in common.
  struct Origin {
    let source: String
    let kind: String
    /// The folded names of the site, one per line.
    let site: String
  }

  /// Whether an item passes.
  func passes(_ item: Item) -> Bool { tests(item).allSatisfy { $0 } }

  /// Whether an item has any of the values.
  func hasAny(_ item: Item) -> Bool { tests(item).contains(true) }

  private func tests(_ item: Item) -> [Bool] {
    var tests = labels.map { names in
      names.contains { $0.isEmpty ? item.labels.isEmpty : item.labels.contains($0) }
    }
    if !sites.isEmpty {
      tests.append(sites.contains { item.origin.site.utf8.contains($0.utf8) })
    }
    if !sources.isEmpty { tests.append(sources.contains(item.origin.source)) }
    if !kinds.isEmpty { tests.append(kinds.contains(item.origin.kind)) }
    tests += before.map { item.saved < $0 } + after.map { item.saved >= $0 }
    if !within.isEmpty { tests.append(within.contains { $0.contains(item.saved) }) }
    return tests
  }
}
