import ArchiverCore
import ArchiverStorage

/// `library/data/KIND-N.js`: one kind of value of many items, so that a filter or an order of a large
/// library need not load the other values. Labels and sites are in `NameLists`, the order of saving in `OrderData`.
///
///     archiverData.column(KIND, N, {"count": …, "names": […], "numbers": "…"});
///
/// `numbers` has a number of `PostingCode` for each item, in the order of the items' numbers:
/// - `saved`: the minutes from the saving of the item before; signed, for the first since 1970;
/// - `published`: as in `ItemData`, 0 or one plus the days from publishing to saving;
/// - `minutes`: of reading;
/// - `states`: the flags of `ItemData`, and 72 for outdated or 144 for failed;
/// - `origins`: the number of a pair in `names`, source and kind.
///
/// `unlabelled` has other numbers: the number of items without labels, and from each to the next the
/// number of items between them.
struct ColumnData {
  enum Kind: String, CaseIterable {
    case saved, published, minutes, states, origins, unlabelled
  }

  static func path(_ kind: Kind, _ number: Int) -> String {
    "library/data/\(kind.rawValue)-\(number).js"
  }

  private var count = 0
  private var lastSaved = 0
  /// The numbers of every kind except `unlabelled`.
  private var numbers: [Kind: [UInt8]] = [:]
  /// The pairs of source and kind.
  private var originNames = NameTable<[String]>()
  /// The indexes of the items without labels.
  private var unlabelled: [Int] = []

  /// Adds the next item.
  mutating func add(_ row: LibraryRow) {
    let minute = ItemData.time(row.saved, unit: 60)
    let status = row.status == .outdated ? 72 : row.status == .failed ? 144 : 0
    let values: [(kind: Kind, number: Int)] = [
      (.saved, ItemData.unsigned(minute - lastSaved)), (.published, ItemData.age(row)),
      (.minutes, row.minutes), (.states, ItemData.flags(row) + status),
      (.origins, originNames.number(of: [row.source, row.kind.rawValue])),
    ]
    for value in values {
      PostingCode.append(value.number, to: &numbers[value.kind, default: []])
    }
    lastSaved = minute
    if row.labels.isEmpty { unlabelled.append(count) }
    count += 1
  }

  /// Returns the script of one kind for the added items.
  func script(_ kind: Kind, _ number: Int) -> [UInt8] {
    var bytes = numbers[kind] ?? []
    if kind == .unlabelled { PostingCode.append(gapsOf: unlabelled, to: &bytes) }
    var members: [String: JSONValue] = ["count": .integer(count)]
    if kind == .origins {
      members["names"] = .array(originNames.names.joined().map { .string($0) })
    }
    return ScriptData.call(
      "archiverData.column", [.string(kind.rawValue), .integer(number)], members, numbers: bytes)
  }
}

extension ColumnData {
  /// The number of rows read at a time.
  private static let piece = 256

  init(_ rows: RowList) throws(StorageError) {
    for start in stride(from: rows.startIndex, to: rows.endIndex, by: ColumnData.piece) {
      let end = Swift.min(rows.endIndex, start + ColumnData.piece)
      for row in try rows[start..<end].loaded() { add(row) }
    }
  }
}
