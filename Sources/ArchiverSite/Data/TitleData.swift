import ArchiverCore
import ArchiverStorage

/// `library/data/titles.js`: the numbers of all items in the order of their titles, so that a list
/// sorted by title need not load the titles.
///
///     archiverData.titles("…");
///
/// The string has a number of `PostingCode` per item. Equal titles are sorted newest first.
enum TitleData {
  static let path = "library/data/titles.js"

  /// - Parameter rows: All rows in the order of the items' numbers.
  static func script(_ rows: RowList) throws(StorageError) -> [UInt8] {
    // Digits of `PostingCode` need no escape in a string of a script.
    var script = Array("archiverData.titles(\"".utf8)
    try rows.table.store.rows(
      "SELECT number FROM items ORDER BY sort, archived DESC, source DESC, id DESC"
    ) { row in PostingCode.append(rows.table.place(row.int(0)), to: &script) }
    return script + Array("\");\n".utf8)
  }
}
