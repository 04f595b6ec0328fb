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
  private var saved: [UInt8] = []
  private var published: [UInt8] = []
  private var minutes: [UInt8] = []
  private var states: [UInt8] = []
  private var origins: [UInt8] = []
  /// Pairs of source and kind.
  private var originNames = NameTable<[String]>()
  /// The indexes of the items without labels.
  private var unlabelled: [Int] = []

  init() {}

  /// Adds the next item.
  mutating func add(_ row: LibraryRow) {
    let minute = ItemData.time(row.saved, unit: 60)
    PostingCode.append(ItemData.unsigned(minute - lastSaved), to: &saved)
    lastSaved = minute
    PostingCode.append(ItemData.age(row), to: &published)
    PostingCode.append(row.minutes, to: &minutes)
    PostingCode.append(ItemData.flags(row) + ColumnData.code(row.status), to: &states)
    PostingCode.append(originNames.number(of: [row.source, row.kind.rawValue]), to: &origins)
    if row.labels.isEmpty { unlabelled.append(count) }
    count += 1
  }

  private static func code(_ status: ItemStatus) -> Int {
    switch status {
    case .outdated: 72
    case .failed: 144
    default: 0
    }
  }

  /// Returns the script of one kind for the added items.
  func script(_ kind: Kind, _ number: Int) -> [UInt8] {
    let (bytes, names) = values(kind)
    var members: [String: JSONValue] = ["count": .integer(count)]
    if !names.isEmpty { members["names"] = .array(names.map { .string($0) }) }
    return ScriptData.call(
      "archiverData.column", [.string(kind.rawValue), .integer(number)], members, numbers: bytes)
  }

  private func values(_ kind: Kind) -> (bytes: [UInt8], names: [String]) {
    switch kind {
    case .saved: (saved, [])
    case .published: (published, [])
    case .minutes: (minutes, [])
    case .states: (states, [])
    case .origins: (origins, originNames.names.flatMap { $0 })
    case .unlabelled: (unlabelledBytes, [])
    }
  }

  private var unlabelledBytes: [UInt8] {
    var bytes: [UInt8] = []
    PostingCode.append(gapsOf: unlabelled, to: &bytes)
    return bytes
  }
}

extension ColumnData {
  /// The number of rows that are read at a time.
  private static let piece = 256

  init(_ rows: RowList) throws(StorageError) {
    for start in stride(from: rows.startIndex, to: rows.endIndex, by: ColumnData.piece) {
      let end = Swift.min(rows.endIndex, start + ColumnData.piece)
      for row in try rows[start..<end].loaded() { add(row) }
    }
  }
}
