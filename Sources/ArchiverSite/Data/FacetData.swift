import ArchiverCore
import ArchiverStorage

/// `library/data/facets.js`: the number of items, and the values by which lists can be filtered.
///
///     archiverData.facets({"count": …, "sources": […], "kinds": […], "labels": [[NAME, ITEMS], …], "languages": […],
///                          "people": […], "years": […], "statuses": […], "timed": …,
///                          "sizes": [ITEMS, ITEMS, FILES]});
///
/// `languages` has the primary parts of the language tags that occur, `people` the authors of most items, `years`
/// those in which items were saved. All of these are sorted by frequency, except for `years`, which are in order.
/// `statuses` has those that occur, except for `complete`. `timed` tells whether an item has a reading time. `sizes`
/// are the numbers of items in a file of `ItemData` and of `ColumnData`, and the number of files of each kind of
/// `NameLists`; absent if there are no columns.
enum FacetData {
  static let path = "library/data/facets.js"
  /// - Parameter rows: All rows.
  static func script(
    _ rows: RowList, _ totals: LibraryTotals, _ sizes: DataSizes = DataSizes()
  ) -> [UInt8] {
    func list(_ names: some Sequence<String>) -> JSONValue { .array(names.map { .string($0) }) }
    let statuses = Set(rows.map(rows.table.status))
    var members: [String: JSONValue] = [
      "count": .integer(rows.count),
      "kinds": list(byCount(totals.counts(\.kind.rawValue)).map(\.key)),
      "labels": .array(
        byCount(totals.labels).map { .array([.string($0.key), .integer($0.value)]) }),
      "languages": list(byCount(totals.counts(language)).map(\.key)),
      "people": list(byCount(totals.authors).map(\.key)),
      "sources": list(byCount(totals.sources.mapValues(\.count)).map(\.key)),
      "statuses": list(
        [ItemStatus.outdated, .failed].filter(statuses.contains).map(\.rawValue)),
      "timed": .bool(totals.isTimed),
      "years": .array(totals.years.map { .integer($0) }),
    ]
    if let column = sizes.column(rows.count) {
      let numbers = [sizes.items(rows.count), column, sizes.lists(rows.count)]
      members["sizes"] = .array(numbers.map { .integer($0) })
    }
    return ScriptData.call("archiverData.facets", [.object(members)])
  }

  /// Sorts names by frequency and then alphabetically.
  private static func byCount(_ counts: [String: Int]) -> [(key: String, value: Int)] {
    counts.sorted { one, other in
      one.value != other.value
        ? one.value > other.value : one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }
  }

  private static func language(_ origin: RowOrigin) -> String? {
    let tag = origin.language?.lowercased() ?? ""
    let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    guard (2...8).contains(primary.count), primary.allSatisfy({ (97...122).contains($0) })
    else { return nil }
    return String(primary)
  }
}
