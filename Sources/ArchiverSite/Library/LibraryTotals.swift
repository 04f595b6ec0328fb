import ArchiverCore
import ArchiverStorage

/// Sums over all rows of a library; small, however many there are. A sum beyond the largest `Int` is that.
struct LibraryTotals {
  /// Of a month and a source.
  struct Sum {
    var count = 0
    var byteCount = 0

    mutating func add(_ row: LibraryRow) {
      count += 1
      byteCount.add(clamped: row.byteCount)
    }
  }

  /// Of the largest items.
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
  /// By the months in which items were saved, as the pages of dates have them, and by source.
  private(set) var months: [String: [String: Sum]] = [:]
  /// The largest items, of equal ones the first by folder.
  private(set) var largest: [Item] = []
  /// The month of the row before, most of which are of the same.
  private var month = (day: -Double.infinity, name: "")

  /// Prepares the sums for `rows`, each of which must be added.
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

  /// Most rows are looked at once.
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
