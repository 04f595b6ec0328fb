import ArchiverCore
import ArchiverStorage

/// The items of a library by their numbers in the search index, read from the file of `LibraryStore`.
///
/// Each method reads the file's present content; `LibrarySearch` detects an update in between.
struct LibraryItems {
  private let database: DerivedDatabase
  /// The row number of each item.
  private let rows: [Int32]

  /// Opens the library of the archive at `root`.
  init(root: String) throws(StorageError) {
    let path = "\(root)/\(LibraryStore.path)"
    // SQLite would follow a symbolic link.
    guard PieceFile(path, .read) != nil else { throw PieceFile.error(path, "read") }
    database = try DerivedDatabase(reading: path)
    var rows: [Int32] = []
    try database.rows("SELECT number FROM items ORDER BY archived, source, id") {
      rows.append(Int32(clamping: $0.int(0)))
    }
    self.rows = rows
  }

  var count: Int { rows.count }

  /// Returns the key of an item; `nil` if it was removed meanwhile.
  func key(_ item: Int) throws(StorageError) -> ItemKey? {
    guard rows.indices.contains(item) else { return nil }
    var key: ItemKey?
    try database.rows("SELECT source, id FROM items WHERE number = ?", [Int(rows[item])]) { row in
      key = ItemKey(source: row.text(0), id: row.text(1))
    }
    return key
  }

  /// Returns the names of the sources.
  func sources() throws(StorageError) -> [String] {
    var names: [String] = []
    try database.rows("SELECT DISTINCT source FROM items ORDER BY source") { row in
      names.append(row.text(0))
    }
    return names
  }

  /// Returns for each item whether it passes a filter and matches no exclusion.
  func passing(
    _ filter: SearchFilter, except excluded: SearchFilter
  ) throws(StorageError) -> [Bool] {
    guard !filter.isEmpty || !excluded.isEmpty else {
      return Array(repeating: true, count: count)
    }
    var shared = SharedAttributes()
    try database.rows(SharedAttributes.query) { shared.add($0) }
    let fold = Folding.shared.fold
    let labels = shared.labels.mapValues { $0.map(fold) }
    let origins = shared.origins.mapValues { origin in
      SearchFilter.Origin(
        source: origin.source, kind: origin.kind.rawValue,
        site: [origin.site, origin.host].compactMap { $0.map(fold) }.joined(separator: "\n"))
    }
    var passing: [Bool] = []
    passing.reserveCapacity(count)
    try database.rows(
      "SELECT origin, labels, saved FROM items ORDER BY archived, source, id"
    ) { row in
      guard let origin = origins[row.int(0)], let labels = labels[row.int(1)] else {
        return passing.append(false)
      }
      let item = SearchFilter.Item(
        origin: origin, labels: labels, saved: LibraryItems.minute(row.date(2)))
      passing.append(filter.passes(item) && (excluded.isEmpty || !excluded.hasAny(item)))
    }
    return passing
  }

  /// Returns all items, the one saved last first; those of the same minute by their numbers.
  func newestFirst() throws(StorageError) -> [Int] {
    var saved: [Date] = []
    saved.reserveCapacity(count)
    try database.rows("SELECT saved FROM items ORDER BY archived, source, id") { row in
      saved.append(LibraryItems.minute(row.date(0)))
    }
    return saved.indices.sorted { one, other in
      saved[one] == saved[other] ? one > other : saved[one] > saved[other]
    }
  }

  /// The library shows times to the minute.
  private static func minute(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
  }
}
