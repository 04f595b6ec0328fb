import ArchiverCore
import ArchiverStorage

/// Sums over all rows of a library, small for any number of rows. Sums are clamped to the maximum
/// `Int`.
struct LibraryTotals {
  /// The items of one source in one month.
  struct Sum {
    var count = 0
    var byteCount = 0

    mutating func add(_ row: LibraryRow) {
      count += 1
      byteCount.add(clamped: row.byteCount)
    }
  }

  /// One of the largest items.
  struct Item {
    let folder: String
    let title: String
    let byteCount: Int
  }

  let origins: RowCensus<RowOrigin>
  /// Bytes of the items of each origin.
  private(set) var byteCounts: [Int]
  private(set) var wordCount = 0
  private(set) var highlightCount = 0
  /// By the month in which items were saved, as on the date pages, and by source.
  private(set) var months: [String: [String: Sum]] = [:]
  /// The largest items; equal ones are sorted by folder.
  private(set) var largest: [Item] = []
  /// The month of the previous row: most rows share the month with it.
  private var month = (day: -Double.infinity, name: "")

  /// Prepares the sums for `rows`; each of them must then be added.
  init(_ rows: RowList) {
    origins = rows.origins
    byteCounts = Array(repeating: 0, count: origins.groups.count)
  }

  mutating func add(_ entry: RowEntry, _ row: LibraryRow) {
    byteCounts[Int(entry.origin)].add(clamped: row.byteCount)
    wordCount.add(clamped: row.wordCount)
    highlightCount.add(clamped: row.highlightCount)
    let day = (row.saved.timeIntervalSince1970 / 86_400).rounded(.down)
    if day != month.day { month = (day, CivilDate(row.saved).monthText) }
    months[month.name, default: [:]][row.source, default: Sum()].add(row)
    takeLargest(row)
  }

  /// Inserts a row if it is among the largest. Most rows fail the first comparison.
  private mutating func takeLargest(_ row: LibraryRow) {
    let isFull = largest.count == StatisticsPage.topLimit
    if isFull {
      let last = largest.count - 1
      if row.byteCount < largest[last].byteCount { return }
      if row.byteCount == largest[last].byteCount, row.folder >= largest[last].folder { return }
    }
    let item = Item(folder: row.folder, title: row.title, byteCount: row.byteCount)
    let place = largest.firstIndex { LibraryTotals.isBefore(item, $0) } ?? largest.endIndex
    largest.insert(item, at: place)
    if largest.count > StatisticsPage.topLimit { largest.removeLast() }
  }

  private static func isBefore(_ one: Item, _ other: Item) -> Bool {
    one.byteCount != other.byteCount
      ? one.byteCount > other.byteCount : one.folder < other.folder
  }
}
