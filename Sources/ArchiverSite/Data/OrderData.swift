import ArchiverCore
import ArchiverStorage

/// `library/data/order-N.js`: the numbers of the items of a library with columns in the order of saving, oldest
/// first, so that the usual order need not load the times; each file has as many as one of `ColumnData`.
///
///     archiverData.column("order", N, {"count": …, "numbers": "…"});
///
/// `numbers` has numbers of `PostingCode`, signed as in `ItemData`: of each item, how much its number is greater than
/// that of the item before in the file plus one; of the first, how much it is greater than 0. Of items that
/// were saved in the same minute, the one with the greater number is newer.
///
/// A new item changes the last file, unless it was saved before others: then each file from its place on.
enum OrderData {
  static func path(_ number: Int) -> String { "library/data/order-\(number).js" }

  /// Calls `body` with the path and the bytes of each file.
  ///
  /// - Parameter size: The number of items of a file.
  static func forEach(
    _ table: RowTable, by size: Int, _ body: (String, [UInt8]) throws -> Void
  ) throws {
    var minutes: [Int32] = []
    minutes.reserveCapacity(table.entries.count)
    try table.store.rows(
      "SELECT saved FROM items INDEXED BY oldest ORDER BY archived, source, id"
    ) { row in minutes.append(Int32(clamping: ItemData.time(row.date(0), unit: 60))) }
    let order = minutes.indices.sorted { (minutes[$0], $0) < (minutes[$1], $1) }
    for (number, start) in stride(from: 0, to: order.count, by: size).enumerated() {
      let items = order[start..<min(order.count, start + size)]
      try body(path(number), script(number, items))
    }
  }

  private static func script(_ number: Int, _ items: ArraySlice<Int>) -> [UInt8] {
    var numbers: [UInt8] = []
    var next = 0
    for item in items {
      PostingCode.append(ItemData.unsigned(item - next), to: &numbers)
      next = item + 1
    }
    return ScriptData.call(
      "archiverData.column", [.string("order"), .integer(number)],
      ["count": .integer(items.count)], numbers: numbers)
  }
}
