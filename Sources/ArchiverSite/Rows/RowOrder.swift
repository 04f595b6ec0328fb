import ArchiverStorage

/// The two orders in which a library has the rows of its items.
///
/// Each is made when it is needed, from times that are read for it, so that of the times of many
/// items no more than one is in memory.
extension RowTable {
  /// The newest first by the time at which the user saved them; those of the same time by folder,
  /// which no two items share.
  func newestFirst() throws -> RowList {
    let saved = try times(at: RowRecord.savedPlace)
    return try list({ -saved[Int($0)] }) { ("", $0.folder) }
  }

  /// In the order in which they came into the archive: new items come last, so that what is numbered
  /// by it stays where it was. The catalog's search has the same order.
  func oldestFirst() throws -> RowList {
    let archived = try times(at: RowRecord.archivedPlace)
    return try list({ archived[Int($0)] }) { ($0.source, $0.key.id) }
  }

  /// Reads a time of every row, in seconds since 2001, by the numbers of the entries; those that no
  /// item has are 0. `place` is where in its record it stands.
  ///
  /// Whether such a record is whole is found out when its row is read.
  private func times(at place: Int) throws(StorageError) -> [Double] {
    var times = Array(repeating: 0.0, count: entries.count)
    var window = PieceWindow(file, end: end)
    for (number, entry) in entries.enumerated() where entry.isUsed {
      let range = entry.start..<entry.start + place + 8
      guard let start = try window.place(range),
        let time = RowRecord.time(window.bytes, start, place)
      else { throw RowTable.unreadable }
      times[number] = time
    }
    return times
  }

  /// Sorts by a number, and rows that have the same by two texts in the order of UTF-8.
  private func list(
    _ value: (Int32) -> Double, _ texts: (LibraryRow) -> (String, String)
  ) throws -> RowList {
    var numbers: [Int32] = []
    numbers.reserveCapacity(entries.count)
    for (number, entry) in entries.enumerated() where entry.isUsed {
      numbers.append(Int32(number))
    }
    // Sorts numbers rather than pairs of a value and a number, to save memory.
    numbers.sort { value($0) < value($1) }
    var start = 0
    while start < numbers.count {
      let first = value(numbers[start])
      var end = start + 1
      while end < numbers.count, value(numbers[end]) == first { end += 1 }
      if end - start > 1 {
        var equal: [(texts: (String, String), number: Int32)] = []
        var next = start
        try forEachRow(numbers[start..<end]) { _, row in
          equal.append((texts(row), numbers[next]))
          next += 1
        }
        equal.sort { RowTable.isBefore($0.texts, $1.texts) }
        numbers.replaceSubrange(start..<end, with: equal.map(\.number))
      }
      start = end
    }
    return RowList(self, numbers[...])
  }

  private static func isBefore(_ one: (String, String), _ other: (String, String)) -> Bool {
    ByteKey(one.0) == ByteKey(other.0)
      ? one.1.utf8.lexicographicallyPrecedes(other.1.utf8)
      : one.0.utf8.lexicographicallyPrecedes(other.0.utf8)
  }
}
