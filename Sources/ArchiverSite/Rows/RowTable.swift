import ArchiverCore
import ArchiverStorage

/// The part of a row that is in memory during an update, 16 bytes. The rest is in `LibraryStore`.
struct RowEntry: Sendable {
  /// The hash of the item's record in the catalog.
  let fingerprint: UInt64
  /// The row's number in the store.
  let number: Int32
  private let dayNumber: Int32

  /// `saved` is the time at which the user saved the item.
  init(number: Int, fingerprint: UInt64, saved: Date) {
    self.number = Int32(clamping: number)
    self.fingerprint = fingerprint
    // `CivilDate` clamps times outside the years 1 to 9999.
    let day = (saved.timeIntervalSince1970 / 86_400).rounded(.down)
    dayNumber = Int32(max(-1_000_000, min(day, 10_000_000)))
  }

  /// The start, in UTC, of the day on which the item was saved.
  var day: Date { Date(timeIntervalSince1970: Double(dayNumber) * 86_400) }
}

/// The attributes that rows share, by the numbers with which rows refer to them.
struct SharedAttributes: Sendable {
  static let query = "SELECT number, value FROM shared"

  private(set) var origins: [Int: RowOrigin] = [:]
  private(set) var labels: [Int: [String]] = [:]

  init() {}

  init(_ store: LibraryStore) throws(StorageError) {
    try store.rows(SharedAttributes.query) { add($0) }
  }

  /// Adds a row of the result of `query`.
  mutating func add(_ row: Statement) {
    let (number, value) = (row.int(0), row.text(1))
    if value.utf8.first == UInt8(ascii: "[") {
      labels[number] = StoredJSON.value([String].self, value)
    } else {
      origins[number] = StoredJSON.value(RowOrigin.self, value)
    }
  }

  func origin(_ number: Int) throws(StorageError) -> RowOrigin {
    try SharedAttributes.known(origins[number])
  }

  func labels(_ number: Int) throws(StorageError) -> [String] {
    try SharedAttributes.known(labels[number])
  }

  private static func known<Value>(_ value: Value?) throws(StorageError) -> Value {
    guard let value else {
      throw StorageError(.damaged, "an item of the library lacks its source or its labels")
    }
    return value
  }
}

/// All rows of a library in one order.
final class RowTable: Sendable {
  /// The columns by which rows are sorted.
  enum Order: String {
    /// By the time at which the user saved the items; equal times by folder, which is unique.
    case newestFirst = "saved DESC, folder"
    /// By the time of archiving. New items are last, so existing items keep their numbers.
    case oldestFirst = "archived, source, id"
  }

  let store: LibraryStore
  let entries: [RowEntry]
  let shared: SharedAttributes
  /// The status of each item that is not complete, by fingerprint.
  private let statuses: [UInt64: ItemStatus]
  /// The index of each row, by its number.
  private let places: [Int32]

  init(
    _ store: LibraryStore, _ order: Order, _ shared: SharedAttributes,
    statuses: [UInt64: ItemStatus] = [:]
  ) throws(StorageError) {
    self.store = store
    self.shared = shared
    self.statuses = statuses
    var entries: [RowEntry] = []
    try store.rows("SELECT count(*) FROM items") { entries.reserveCapacity($0.int(0)) }
    var last: Int32 = 0
    try store.rows(
      "SELECT number, fingerprint, saved FROM items ORDER BY \(order.rawValue)"
    ) { row in
      entries.append(
        RowEntry(number: row.int(0), fingerprint: row.number(1), saved: row.date(2)))
      last = max(last, entries[entries.count - 1].number)
    }
    var places = [Int32](repeating: 0, count: Int(last) + 1)
    for (place, entry) in entries.enumerated() { places[Int(entry.number)] = Int32(place) }
    (self.entries, self.places) = (entries, places)
  }

  var rows: RowList { RowList(self, entries[...]) }

  func status(_ entry: RowEntry) -> ItemStatus { statuses[entry.fingerprint] ?? .complete }

  /// Returns the index of a row, given by its number.
  func place(_ number: Int) -> Int { Int(places[number]) }

  /// Reads rows, given by their entries, in the given order.
  func rows(_ entries: ArraySlice<RowEntry>) throws(StorageError) -> [LibraryRow] {
    let columns = LibraryRow.columns.joined(separator: ", ")
    var rows: [LibraryRow] = []
    rows.reserveCapacity(entries.count)
    var rest = entries[...]
    try store.rows(
      "SELECT \(columns) FROM items WHERE number = ?", each: entries.lazy.map { Int($0.number) }
    ) { (row) throws(StorageError) in
      guard let entry = rest.popFirst() else { return }
      rows.append(
        LibraryRow(
          row, origin: try shared.origin(row.int(0)), labels: try shared.labels(row.int(1)),
          status: status(entry)))
    }
    return rows
  }
}

/// Rows of a table in its order, as their entries.
struct RowList: RandomAccessCollection, Sendable {
  let table: RowTable
  private let entries: ArraySlice<RowEntry>

  init(_ table: RowTable, _ entries: ArraySlice<RowEntry>) {
    self.table = table
    self.entries = entries
  }

  var startIndex: Int { entries.startIndex }
  var endIndex: Int { entries.endIndex }
  subscript(place: Int) -> RowEntry { entries[place] }
  subscript(places: Range<Int>) -> RowList { RowList(table, entries[places]) }

  /// Reads all rows.
  func loaded() throws(StorageError) -> [LibraryRow] { try table.rows(entries) }

  /// Reads the rows at indexes, in the order of the indexes.
  func loaded(_ places: some Collection<Int>) throws(StorageError) -> [LibraryRow] {
    try table.rows(places.map { entries[$0] }[...])
  }

  /// Returns the rows whose numbers a statement of the store returns for one of the values.
  func only(_ sql: String, each values: [any SQLValue]) throws(StorageError) -> RowList {
    var places: [Int] = []
    try table.store.rows(sql, each: values) { row in places.append(table.place(row.int(0))) }
    places.sort()
    return RowList(table, places.map { table.entries[$0] }[...])
  }

  /// Returns the rows with any of these flags of `LibraryRow.Traits`.
  func only(_ traits: Int) throws(StorageError) -> RowList {
    try only("SELECT number FROM items WHERE traits <> 0 AND traits & ?", each: [traits])
  }
}
