import ArchiverStorage

/// The two sort orders of a library's rows.
///
/// Each is created on demand from times read for it, so that at most one time per item is in
/// memory.
extension RowTable {
  /// By the time at which the user saved them, newest first; equal times by folder, which is
  /// unique.
  func newestFirst() throws -> RowList {
    let saved = try times(at: RowRecord.savedPlace)
    return try list({ -saved[Int($0)] }) { ("", $0.folder) }
  }

  /// By the time of archiving, oldest first: new items come last, so existing items keep their
  /// numbers. The catalog's search uses the same order.
  func oldestFirst() throws -> RowList {
    let archived = try times(at: RowRecord.archivedPlace)
    return try list({ archived[Int($0)] }) { ($0.source, $0.key.id) }
  }

  /// Reads one time of every row, in seconds since 2001, by the numbers of the entries; 0 for
  /// entries without an item. `place` is its offset in the record.
  ///
  /// Does not validate the records; that happens when the rows are read.
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

  /// Sorts by a number; equal numbers by two texts, in UTF-8 order.
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
