/// Writes the files of `ColumnData`.
enum ColumnFiles {
  /// - Parameters:
  ///   - rows: All rows, in the order of the items' numbers.
  ///   - size: The number of items of a file.
  static func write(
    _ rows: RowList, by size: Int, _ words: Words, to files: SiteFiles
  ) throws {
    for (number, start) in stride(from: 0, to: rows.count, by: size).enumerated() {
      let members = rows[start..<Swift.min(rows.count, start + size)]
      try write(members, number, words, to: files)
    }
  }

  private static func write(
    _ rows: RowList, _ number: Int, _ words: Words, to files: SiteFiles
  ) throws {
    var key = PageKey(words, [])
    key.add(number)
    key.add(rows)
    let kinds = ColumnData.Kind.allCases
    let paths = kinds.map { ColumnData.path($0, number) }
    if paths.allSatisfy({ files.isCurrent($0, key.value) }) {
      for path in paths { files.keep(path) }
    } else {
      // One reading of the rows makes the files of all kinds.
      let data = try ColumnData(rows)
      for (kind, path) in zip(kinds, paths) { try files.put(path, data.script(kind, number)) }
    }
    for path in paths { try files.keys?.note(path, key.value) }
  }
}
