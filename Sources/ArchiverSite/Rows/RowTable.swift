import ArchiverCore
import ArchiverStorage

/// The rows of a library: an entry per row in memory, the rest in a file.
final class RowTable: Sendable {
  /// One entry per row in the file, including rows no longer used by an item.
  let entries: [RowEntry]
  let origins: [RowOrigin]
  let labels: [RowLabels]
  let file: PieceFile
  /// The generation (`RowLog.mark`) of the row file.
  let mark: UInt64
  /// The end of the last record.
  let end: Int

  /// The maximum gap between wanted records that is read along, instead of a second read.
  private static let gap = 512
  /// The number of bytes read at a time.
  private static let piece = 64 << 10
  /// The number of rows in memory at a time while all are processed.
  private static let batch = 128

  init(
    file: PieceFile, mark: UInt64, end: Int, entries: [RowEntry], origins: [RowOrigin],
    labels: [RowLabels]
  ) {
    self.file = file
    self.mark = mark
    self.end = end
    self.entries = entries
    self.origins = origins
    self.labels = labels
  }

  static let unreadable = StorageError(
    .io, "the file \(RowLog.path) changed while the library was written; run the command again")

  /// Returns the range from an entry's record to that of the next entry.
  static func range(_ number: Int, _ entries: [RowEntry], end: Int) -> Range<Int> {
    entries[number].start..<(number + 1 < entries.count ? entries[number + 1].start : end)
  }

  /// Reads the rows of entries, given by their numbers, in the given order.
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
        guard let record = RowRecord(bytes, entry.start - start), record.tag == .row
        else { throw RowTable.unreadable }
        rows[place] = record.row(
          origins[Int(entry.origin)], labels[Int(entry.labels)], entry.status)
      }
      rest = rest.dropFirst(near.count)
    }
    return rows.compactMap(\.self)
  }

  /// Calls `body` with the rows of all given entries in order; few of them are in memory at a time.
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

/// Rows of a table in some order, as their entries.
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

  /// Reads all rows.
  func loaded() throws(StorageError) -> [LibraryRow] { try table.rows(numbers) }

  /// Reads the rows at indexes, in the order of the indexes.
  func loaded(_ places: some Collection<Int>) throws(StorageError) -> [LibraryRow] {
    try table.rows(places.map { numbers[$0] })
  }

  /// Calls `body` with all rows; few of them are in memory at a time.
  func forEachRow(_ body: (RowEntry, LibraryRow) throws -> Void) throws {
    try table.forEachRow(numbers, body)
  }

  /// Returns the rows that satisfy a predicate, in the same order.
  func only(_ isWanted: (RowEntry) -> Bool) -> RowList {
    RowList(table, numbers.filter { isWanted(table.entries[Int($0)]) }[...])
  }

  /// Calls `body` with each row's number in its table and its entry.
  func forEachNumber(_ body: (Int32, RowEntry) -> Void) {
    for number in numbers { body(number, table.entries[Int(number)]) }
  }

  func origin(_ entry: RowEntry) -> RowOrigin { table.origins[Int(entry.origin)] }

  /// Counts the rows per shared attribute.
  var origins: RowCensus<RowOrigin> { RowCensus(table.origins, lazy.map(\.origin)) }
  var labellings: RowCensus<RowLabels> { RowCensus(table.labels, lazy.map(\.labels)) }

  /// Groups the rows by names; `names` returns the names of the attribute that `number` returns for
  /// a row.
  func grouped<Group>(
    _ census: RowCensus<Group>, _ number: @escaping @Sendable (RowEntry) -> Int32,
    _ names: (Group) -> [String]
  ) -> RowGroups {
    RowGroups(
      rows: self, counts: census.names(names), number: number,
      groupNames: zip(census.groups, census.counts).map { $1 == 0 ? [] : names($0) })
  }
}
