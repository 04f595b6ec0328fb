import ArchiverStorage

/// The hash of everything that a page shows.
struct PageKey {
  private(set) var value: UInt64 = 0

  init(_ words: Words, _ sections: [LibraryShell.Section]) {
    add(words.language)
    for section in sections { add(section.rawValue) }
  }

  mutating func add(_ text: String) { value = WordHash.of(text, from: value) }

  mutating func add(_ number: Int) {
    value = WordHash.add(UInt64(bitPattern: Int64(number)), to: value)
  }

  mutating func add(_ rows: RowList) {
    for row in rows {
      value = WordHash.add(row.fingerprint, to: value)
      let status = rows.table.status(row)
      if status != .complete { add(status.rawValue) }
    }
  }
}
