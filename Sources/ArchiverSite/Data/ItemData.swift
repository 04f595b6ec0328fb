import ArchiverCore
import ArchiverStorage

/// `library/data/items-N.js`: what scripts filter and sort by, and show of items in lists besides
/// `RecordData`; 256 items per file, or fewer in a library with columns (`ColumnData`).
///
///     archiverData.items(N, {"count": …, "sources": […], "kinds": […], "sites": [[NAME, HOST], …], "labels": […],
///                            "numbers": "…", "status": {"outdated": [INDEX, …], "failed": [INDEX, …]}});
///
/// Each file has its own lists of names, so that a new name changes no other file. `numbers` has the numbers of
/// `PostingCode` of each item, in the order of the items' numbers:
/// 1. the days from the item before to its archiving, for the first since 1970;
/// 2. the minutes from saving to the start of that day; signed;
/// 3. 0, or one plus the days from publishing to saving; signed, then plus one;
/// 4. minutes of reading, source, kind, flags and site;
/// 5. the number of labels, then the labels.
///
/// A signed number is doubled if it is not negative; of another one, the absolute value is doubled and reduced by one.
/// Times are clamped to the years 1970 (archiving) or 1 to 9999.
/// `status` lists items that differ from the source, by their indexes in the file; absent if there are none.
/// `size` is the number of items per file; absent if it is 256.
struct ItemData {
  static let size = 256

  static func path(_ number: Int) -> String { "library/data/items-\(number).js" }

  private var sources = NameTable<String>()
  private var kinds = NameTable<String>()
  private var sites = NameTable<Site>()
  private var labels = NameTable<String>()
  private var numbers: [UInt8] = []
  private var statuses: [ItemStatus: [Int]] = [:]
  private var count = 0
  private var lastDay = 0

  struct Site: Hashable {
    let name: String
    let host: String
  }

  /// - Parameter rows: At most `size` rows in the order of the items' numbers.
  static func script(_ number: Int, _ rows: [LibraryRow], size: Int = size) -> [UInt8] {
    var data = ItemData()
    for row in rows { data.add(row) }
    var members = data.members
    if size != ItemData.size { members["size"] = .integer(size) }
    return ScriptData.call("archiverData.items", [.integer(number), .object(members)])
  }

  private mutating func add(_ row: LibraryRow) {
    let day = max(lastDay, ItemData.time(row.archived, unit: 86_400))
    let values = [
      day - lastDay, ItemData.unsigned(day * 1_440 - ItemData.time(row.saved, unit: 60)),
      ItemData.age(row), row.minutes, sources.number(of: row.source),
      kinds.number(of: row.kind.rawValue), ItemData.flags(row),
      sites.number(of: Site(name: row.site ?? "", host: row.host ?? "")), row.labels.count,
    ]
    for value in values + row.labels.map({ labels.number(of: $0) }) {
      PostingCode.append(value, to: &numbers)
    }
    lastDay = day
    if [.outdated, .failed].contains(row.status) {
      statuses[row.status, default: []].append(count)
    }
    count += 1
  }

  private var members: [String: JSONValue] {
    func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
    var members: [String: JSONValue] = [
      "count": .integer(count), "kinds": list(kinds.names), "labels": list(labels.names),
      "numbers": .string(String(decoding: numbers, as: UTF8.self)),
      "sites": .array(sites.names.map { list([$0.name, $0.host]) }), "sources": list(sources.names),
    ]
    if !statuses.isEmpty {
      let lists = statuses.map { ($0.rawValue, JSONValue.array($1.map { .integer($0) })) }
      members["status"] = .object(Dictionary(uniqueKeysWithValues: lists))
    }
    return members
  }

  /// 0, or one plus the signed number of days from publishing to saving.
  static func age(_ row: LibraryRow) -> Int {
    guard let published = row.published else { return 0 }
    return unsigned(time(row.saved, unit: 86_400) - time(published, unit: 86_400)) + 1
  }

  /// Favourite 1, done 2; deleted at the source 4, withheld 8; read to the end 12, begun 24; highlights 36.
  static func flags(_ row: LibraryRow) -> Int {
    let gone =
      switch row.standing {
      case .archived: 0
      case .deleted: 4
      case .withheld: 8
      }
    return (row.isFavourite ? 1 : 0) + (row.isDone ? 2 : 0) + gone
      + (row.readProgress >= 100 ? 12 : row.readProgress > 0 ? 24 : 0)
      + (row.highlightCount > 0 ? 36 : 0)
  }

  /// Returns the number of whole units, given in seconds, since 1970; negative before.
  static func time(_ date: Date, unit: Double) -> Int {
    let seconds = date.timeIntervalSince1970
    let bounded = seconds.isNaN ? 0 : min(max(seconds, -62_135_596_800), 253_402_300_799)
    return Int((bounded / unit).rounded(.down))
  }

  static func unsigned(_ number: Int) -> Int {
    number >= 0 ? 2 * number : -2 * number - 1
  }
}

/// Names with numbers in the order in which they first occur.
struct NameTable<Name: Hashable> {
  private(set) var names: [Name] = []
  private var numbers: [Name: Int] = [:]

  mutating func number(of name: Name) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }
}
