import ArchiverCore
import ArchiverStorage

/// The rows of a library: an entry of each in memory, the rest in a file.
final class RowTable: Sendable {
  /// Of every row of the file, those that no item has any more included.
  let entries: [RowEntry]
  let origins: [RowOrigin]
  let labels: [RowLabels]
  private let file: PieceFile
  /// Where the records end.
  private let end: Int

  /// Bytes that are read although no row is wanted from them, rather than reading twice.
  private static let gap = 512
  /// Bytes that are read at once.
  private static let piece = 64 << 10
  /// Rows that are in memory at once where all are looked at.
  private static let batch = 128

  init(
    file: PieceFile, end: Int, entries: [RowEntry], origins: [RowOrigin], labels: [RowLabels]
  ) {
    self.file = file
    self.end = end
    self.entries = entries
    self.origins = origins
    self.labels = labels
  }

  static let unreadable = StorageError(
    .io, "The file \(RowLog.path) changed while the library was written; run the command again.")

  /// Returns where the record of an entry is, with what stands between it and the next one's.
  static func range(_ number: Int, _ entries: [RowEntry], end: Int) -> Range<Int> {
    entries[number].start..<(number + 1 < entries.count ? entries[number + 1].start : end)
  }

  /// Reads the rows of entries, given by their numbers, in their order.
  func rows(_ numbers: some Collection<Int32>) throws(StorageError) -> [LibraryRow] {
    var rest = numbers.enumerated().map { (place: $0.offset, number: Int($0.element)) }[...]
    rest.sort { entries[$0.number].start < entries[$1.number].start }
    var rows: [LibraryRow?] = Array(repeating: nil, count: rest.count)
    while let first = rest.first {
      let start = entries[first.number].start
      var end = RowTable.range(first.number, entries, end: self.end).upperBound
      let near = rest.prefix { _, number in
        let range = RowTable.range(number, entries, end: self.end)
        guard range.lowerBound <= end + RowTable.gap, range.upperBound <= start + RowTable.piece
        else { return range.lowerBound == start }
        end = range.upperBound
        return true
      }
      let bytes = RowBytes(try file.read(start..<end))
      for (place, number) in near {
        let entry = entries[number]
        guard let record = RowRecord(bytes, entry.start - start),
          record.fingerprint == entry.itemFingerprint
        else { throw RowTable.unreadable }
        rows[place] = record.row(
          origins[Int(entry.origin)], labels[Int(entry.labels)], entry.status)
      }
      rest = rest.dropFirst(near.count)
    }
    return rows.compactMap(\.self)
  }

  /// Calls `body` with every row of entries, in their order; few of them are in memory at once.
  func forEachRow(
    _ numbers: ArraySlice<Int32>, _ body: (RowEntry, LibraryRow) throws -> Void
  ) throws {
    var rest = numbers
    while !rest.isEmpty {
      let part = rest.prefix(RowTable.batch)
      rest = rest.dropFirst(part.count)
      for (number, row) in zip(part, try rows(part)) { try body(entries[Int(number)], row) }
    }
  }
}

/// Rows of a table in an order, as their entries.
struct RowList: RandomAccessCollection, Sendable {
  let table: RowTable
  private let numbers: ArraySlice<Int32>

  init(_ table: RowTable, _ numbers: ArraySlice<Int32>) {
    self.table = table
    self.numbers = numbers
  }

  var startIndex: Int { numbers.startIndex }
  var endIndex: Int { numbers.endIndex }
  subscript(place: Int) -> RowEntry { table.entries[Int(numbers[place])] }
  subscript(places: Range<Int>) -> RowList { RowList(table, numbers[places]) }

  /// Reads all of them.
  func loaded() throws(StorageError) -> [LibraryRow] { try table.rows(numbers) }

  /// Reads those at places, in the order of the places.
  func loaded(_ places: some Collection<Int>) throws(StorageError) -> [LibraryRow] {
    try table.rows(places.map { numbers[$0] })
  }

  /// Calls `body` with all of them, few of which are in memory at once.
  func forEachRow(_ body: (RowEntry, LibraryRow) throws -> Void) throws {
    try table.forEachRow(numbers, body)
  }

  /// Returns those of a kind, in the same order.
  func only(_ isWanted: (RowEntry) -> Bool) -> RowList {
    RowList(table, numbers.filter { isWanted(table.entries[Int($0)]) }[...])
  }

  /// Calls `body` with the number of each in its table, and its entry.
  func forEachNumber(_ body: (Int32, RowEntry) -> Void) {
    for number in numbers { body(number, table.entries[Int(number)]) }
  }

  func origin(_ entry: RowEntry) -> RowOrigin { table.origins[Int(entry.origin)] }

  /// Counts them by what they share.
  var origins: RowCensus<RowOrigin> { RowCensus(table.origins, lazy.map(\.origin)) }
  var labellings: RowCensus<RowLabels> { RowCensus(table.labels, lazy.map(\.labels)) }

  /// Tells them apart by names, of which `names` gives those of what `number` says that a row shares.
  func grouped<Group>(
    _ census: RowCensus<Group>, _ number: @escaping @Sendable (RowEntry) -> Int32,
    _ names: (Group) -> [String]
  ) -> RowGroups {
    RowGroups(
      rows: self, counts: census.names(names), number: number,
      groupNames: zip(census.groups, census.counts).map { $1 == 0 ? [] : names($0) })
  }
}

/// The rows that items have, in the two orders of a library.
struct SortedRows {
  /// Items of the same second by folder, which no two items share.
  let newestFirst: RowList
  /// In the order in which they came into the archive: new items come last, so that what is numbered by
  /// it stays where it was. The catalog's search has the same order.
  private(set) var oldestFirst: RowList

  /// Lets go of half of the times before it sorts by the others.
  init(_ table: RowTable, _ times: inout RowTimes) throws {
    do {
      let archived = times.archived
      oldestFirst = try SortedRows.list(table, { archived[Int($0)] }) { ($0.source, $0.key.id) }
    }
    times.releaseArchived()
    let saved = times.saved
    newestFirst = try SortedRows.list(table, { -saved[Int($0)] }) { ("", $0.folder) }
  }

  /// Empties that list, which nobody needs any more.
  mutating func releaseOldestFirst() { oldestFirst = RowList(oldestFirst.table, []) }

  /// Sorts by a number, and rows that have the same by two texts in the order of UTF-8.
  private static func list(
    _ table: RowTable, _ value: (Int32) -> Double, _ texts: (LibraryRow) -> (String, String)
  ) throws -> RowList {
    var numbers: [Int32] = []
    numbers.reserveCapacity(table.entries.count)
    for (number, entry) in table.entries.enumerated() where entry.isUsed {
      numbers.append(Int32(number))
    }
    // By number: pairs of a value and a number would take four times the memory.
    numbers.sort { value($0) < value($1) }
    var start = 0
    while start < numbers.count {
      let first = value(numbers[start])
      var end = start + 1
      while end < numbers.count, value(numbers[end]) == first { end += 1 }
      if end - start > 1 {
        var equal: [(texts: (String, String), number: Int32)] = []
        var next = start
        try table.forEachRow(numbers[start..<end]) { _, row in
          equal.append((texts(row), numbers[next]))
          next += 1
        }
        equal.sort { isBefore($0.texts, $1.texts) }
        numbers.replaceSubrange(start..<end, with: equal.map(\.number))
      }
      start = end
    }
    return RowList(table, numbers[...])
  }

  private static func isBefore(_ one: (String, String), _ other: (String, String)) -> Bool {
    one.0 == other.0
      ? one.1.utf8.lexicographicallyPrecedes(other.1.utf8)
      : one.0.utf8.lexicographicallyPrecedes(other.0.utf8)
  }
}
