import ArchiverCore

/// A filter of the items to search. Of several values of one kind, one must match; all kinds must
/// match. Each list of labels must match.
struct SearchFilter: Sendable, Hashable {
  /// Folded labels; an item's label must match one in full. An empty label matches items without
  /// labels.
  var labels: [[String]] = []
  /// The full names of sources.
  var sources: [String] = []
  /// Folded parts of the names of sites.
  var sites: [String] = []
  /// The kinds of items, as raw values of `ItemMetadata.Kind`.
  var kinds: [String] = []
  /// Dates before all of which an item must have been saved.
  var before: [Date] = []
  var after: [Date] = []
  /// Periods; an item must have been saved in one of them.
  var within: [Range<Date>] = []

  /// Whether every item passes.
  var isEmpty: Bool { self == SearchFilter() }

  /// The values of an item that filters test.
  struct Item {
    let origin: Origin
    /// The folded labels.
    let labels: [String]
    /// The time of saving, to the minute.
    let saved: Date
  }

  /// The values that many items have in common.
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
