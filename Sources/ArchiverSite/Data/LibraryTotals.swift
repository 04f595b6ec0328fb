import ArchiverCore
import ArchiverStorage

/// Sums over all rows of a library, small for any number of rows. Sums are clamped to the maximum
/// `Int`.
struct LibraryTotals {
  /// The number of the largest items, and of the entries of a ranking.
  static let topLimit = 15
  /// The number of authors to choose from: a large archive may have as many authors as items.
  static let authorLimit = 200

  /// The sums over some of the items.
  struct Sum {
    var count = 0
    var byteCount = 0

    mutating func add(_ bytes: Int) {
      count += 1
      byteCount.add(clamped: bytes)
    }

    mutating func add(_ sum: Sum) {
      count += sum.count
      byteCount.add(clamped: sum.byteCount)
    }
  }

  /// One of the largest items.
  struct Item {
    let folder: String
    let title: String
    let byteCount: Int
  }

  private(set) var sources: [String: Sum] = [:]
  private(set) var wordCount = 0
  private(set) var highlightCount = 0
  /// Whether an item has a reading time.
  private(set) var isTimed = false
  /// The number of items of each label.
  let labels: [String: Int]
  /// The number of items of each of the `authorLimit` most frequent authors; of equal ones, those whose names come first.
  let authors: [String: Int]
  /// The sums by the month in which items were saved, as on the date pages, and by source.
  private(set) var months: [String: [String: Sum]] = [:]
  /// The largest items; equal ones are sorted by folder.
  let largest: [Item]
  /// The attributes that items share, and the number of items that have them.
  private var origins: [Int: (origin: RowOrigin, count: Int)] = [:]

  /// Adds up all rows of a table.
  init(_ rows: RowList) throws(StorageError) {
    let store = rows.table.store
    labels = try LibraryTotals.counts("SELECT name, count(*) FROM labels GROUP BY name", store)
    authors = try LibraryTotals.counts(
      """
      SELECT name, count(*) AS items FROM authors GROUP BY name
      ORDER BY items DESC, name LIMIT \(LibraryTotals.authorLimit)
      """, store)
    largest = try store.all(
      "SELECT folder, title, bytes FROM items ORDER BY bytes DESC, folder LIMIT ?",
      LibraryTotals.topLimit
    ) { Item(folder: $0.text(0), title: $0.text(1), byteCount: $0.int(2)) }
    // The index sorts rows so that those of one origin and month are adjacent.
    var month = (day: -Double.infinity, name: "")
    var run = (origin: -1, month: "", source: "", sum: Sum())
    try store.rows(
      """
      SELECT origin, saved, bytes, words, highlights, minutes FROM items INDEXED BY totals
      ORDER BY origin, saved
      """
    ) { (row) throws(StorageError) in
      let (number, saved, bytes) = (row.int(0), row.date(1), row.int(2))
      wordCount.add(clamped: row.int(3))
      highlightCount.add(clamped: row.int(4))
      if row.int(5) > 0 { isTimed = true }
      let day = (saved.timeIntervalSince1970 / 86_400).rounded(.down)
      if day != month.day { month = (day, CivilDate(saved).monthText) }
      if number != run.origin || month.name != run.month {
        add(run.sum, origin: run.origin, month: run.month, source: run.source)
        let origin = try rows.table.shared.origin(number)
        if origins[number] == nil { origins[number] = (origin, 0) }
        run = (number, month.name, origin.source, Sum())
      }
      run.sum.add(bytes)
    }
    add(run.sum, origin: run.origin, month: run.month, source: run.source)
  }

  private mutating func add(_ sum: Sum, origin: Int, month: String, source: String) {
    guard sum.count > 0 else { return }
    origins[origin]?.count += sum.count
    months[month, default: [:]][source, default: Sum()].add(sum)
    sources[source, default: Sum()].add(sum)
  }

  private static func counts(
    _ sql: String, _ store: LibraryStore
  ) throws(StorageError) -> [String: Int] {
    Dictionary(try store.all(sql) { ($0.text(0), $0.int(1)) }, uniquingKeysWith: +)
  }

  /// Counts the items by an attribute that they share.
  func counts(_ name: (RowOrigin) -> String?) -> [String: Int] {
    var names: [String: Int] = [:]
    for (origin, count) in origins.values {
      if let name = name(origin) { names[name, default: 0] += count }
    }
    return names
  }

  /// The years in which items were saved, in order.
  var years: [Int] { Set(months.keys.compactMap { Int($0.prefix(4)) }).sorted() }

  /// The sources with books.
  var bookSources: [String] {
    counts { SeriesPlace.kinds.contains($0.kind) ? $0.source : nil }.keys.sorted()
  }
}
