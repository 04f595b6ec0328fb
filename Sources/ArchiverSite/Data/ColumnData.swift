import ArchiverCore
import ArchiverStorage

/// `library/data/KIND-N.js`: one kind of value of many items, so that a filter or an order of a large
/// library need not load the other values. A file of sites has eight times as many items as another.
///
///     archiverData.column(KIND, N, {"count": …, "names": […], "numbers": "…"});
///
/// `numbers` has a number of `RunCode` for each item, in the order of the items' numbers:
/// - `saved`: the minutes from the saving of the item before; signed, for the first since 1970;
/// - `published`: as in `ItemData`, 0 or one plus the days from publishing to saving;
/// - `minutes`: of reading;
/// - `states`: the flags of `ItemData`, and 72 for outdated or 144 for failed;
/// - `origins`: the number of a pair in `names`, source and kind;
/// - `sites`: the number of a pair in `names`, site and host; the host is empty if it equals the site.
///
/// `labels` has numbers of `PostingCode` for each name in `names`: the number of items that have the
/// label, and from each to the next the number of items between them.
struct ColumnData {
  enum Kind: String, CaseIterable {
    case saved, published, minutes, states, origins, sites, labels

    /// How many times more items than of the other kinds are in a file. Most sites have few items,
    /// so each file has the names of most of them again.
    var scale: Int { self == .sites ? 8 : 1 }
  }

  static func path(_ kind: Kind, _ number: Int) -> String {
    "library/data/\(kind.rawValue)-\(number).js"
  }

  private var count = 0
  private var lastSaved = 0
  private var saved = RunCode()
  private var published = RunCode()
  private var minutes = RunCode()
  private var states = RunCode()
  private var origins = NamedRuns()
  private var sites = NamedRuns()
  private var labels = NameTable<String>()
  /// The indexes of the items of each label.
  private var labelled: [[Int]] = []

  init() {}

  /// Pairs of names as their numbers.
  private struct NamedRuns {
    private var pairs = NameTable<ItemData.Site>()
    private var runs = RunCode()

    mutating func append(_ one: String, _ other: String) {
      runs.append(pairs.number(of: ItemData.Site(name: one, host: other)))
    }

    var names: [String] { pairs.names.flatMap { [$0.name, $0.host] } }
    var bytes: [UInt8] { runs.bytes }
  }

  /// Adds the next item.
  mutating func add(_ row: LibraryRow) {
    let minute = ItemData.time(row.saved, unit: 60)
    saved.append(ItemData.unsigned(minute - lastSaved))
    lastSaved = minute
    published.append(ItemData.age(row))
    minutes.append(row.minutes)
    states.append(ItemData.flags(row) + ColumnData.code(row.status))
    origins.append(row.source, row.kind.rawValue)
    let (site, host) = (row.site ?? "", row.host ?? "")
    if site.isEmpty || site == host { sites.append(host, "") } else { sites.append(site, host) }
    for label in row.labels {
      let number = labels.number(of: label)
      if number == labelled.count { labelled.append([]) }
      labelled[number].append(count)
    }
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
    var members: [String: JSONValue] = [
      "count": .integer(count), "numbers": .string(String(decoding: bytes, as: UTF8.self)),
    ]
    if !names.isEmpty { members["names"] = .array(names.map { .string($0) }) }
    return ScriptData.call(
      "archiverData.column", [.string(kind.rawValue), .integer(number), .object(members)])
  }

  private func values(_ kind: Kind) -> (bytes: [UInt8], names: [String]) {
    switch kind {
    case .saved: (saved.bytes, [])
    case .published: (published.bytes, [])
    case .minutes: (minutes.bytes, [])
    case .states: (states.bytes, [])
    case .origins: (origins.bytes, origins.names)
    case .sites: (sites.bytes, sites.names)
    case .labels: (labelBytes, labels.names)
    }
  }

  private var labelBytes: [UInt8] {
    var bytes: [UInt8] = []
    for items in labelled {
      PostingCode.append(items.count, to: &bytes)
      var next = 0
      for item in items {
        PostingCode.append(item - next, to: &bytes)
        next = item + 1
      }
    }
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
