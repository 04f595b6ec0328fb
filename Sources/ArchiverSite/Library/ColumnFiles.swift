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
      var key = PageKey(words, [])
      key.add(number)
      key.add(members)
      let kinds = ColumnData.Kind.allCases.map { ($0, ColumnData.path($0, number)) }
      if kinds.allSatisfy({ files.isCurrent($0.1, key.value) }) {
        for (_, path) in kinds { files.keep(path) }
      } else {
        // One reading of the rows makes the files of all kinds.
        let data = try ColumnData(members)
        for (kind, path) in kinds { try files.put(path, data.script(kind, number)) }
      }
      for (_, path) in kinds { try files.keys?.note(path, key.value) }
    }
  }
}
