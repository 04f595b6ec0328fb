import ArchiverCore
import ArchiverStorage

/// `library/data/facets.js`: the data by which scripts filter and sort all items, encoded
/// compactly.
///
///     archiverData.facets({"count": …, "sources": […], "kinds": […], "sites": [[NAME, HOST], …],
///                          "labels": […], "languages": […], "people": […], "columns": "…",
///                          "dates": "…", "labelled": "…", "status": {"outdated": [N, …], "failed": [N, …]}});
///
/// `columns` has 12 digits of `PostingCode` for each item in the order of their numbers, most
/// significant first: 5 saved (minutes since the year 1, which is enough for 9999), 2 minutes of reading, 1 source, 1 kind, 1 flags,
/// 2 site. `dates` has two numbers of `PostingCode` for each: how many days after the one before
/// it was archived, the first since 1970; and published, 0 for none, else one plus twice the
/// days from there to saved, or twice the days back from there, less one, when it is the later.
/// `status` names by their numbers those that are not as the source has them; absent when there are
/// none.
/// `languages` has the primary parts of the language tags that occur, `people` the authors of most
/// items; which items those are is in the search index.
/// `labelled` has for each item how many labels it has and then their numbers, all as `PostingCode`.
struct FacetData {
  static let path = "library/data/facets.js"
  private static let base = PostingCode.digits.count

  private let names: Names
  private var ofOrigins: [Int: [UInt8]] = [:]
  private var ofLabels: [Int: [UInt8]] = [:]
  private var count = 0
  private var columns: [UInt8] = []
  private var dates: [UInt8] = []
  private var labelled: [UInt8] = []
  private var statuses: [ItemStatus: [Int]] = [:]
  private var lastDay = 0
  /// The number of authors to choose from.
  private static let mostPeople = 200

  /// - Parameter rows: All rows in the order of the items' numbers.
  static func script(_ rows: RowList, _ totals: LibraryTotals) throws(StorageError) -> [UInt8] {
    var data = FacetData(names: Names(totals))
    try rows.table.store.rows(
      """
      SELECT number, origin, labels, saved, archived, published, minutes, highlights, favourite,
        done, progress
      FROM items ORDER BY archived, source, id
      """
    ) { (row) throws(StorageError) in try data.add(row, rows.table) }
    return ScriptData.call("archiverData.facets", [.object(data.members(totals.authors))])
  }

  private init(names: Names) {
    self.names = names
  }

  private mutating func add(_ row: Statement, _ table: RowTable) throws(StorageError) {
    let origin = try table.shared.origin(row.int(1))
    let saved = row.date(3)
    FacetData.put(FacetData.minute(saved), 5, &columns)
    FacetData.put(row.int(6), 2, &columns)
    let known = ofOrigins[row.int(1)] ?? names.columns(origin)
    ofOrigins[row.int(1)] = known
    columns += known[..<2]
    FacetData.put(FacetData.flags(row, origin.standing), 1, &columns)
    columns += known[2...]
    let archived = FacetData.day(row.date(4))
    PostingCode.append(max(0, archived - lastDay), to: &dates)
    lastDay = max(lastDay, archived)
    PostingCode.append(row.optionalDate(5).map { FacetData.age($0, saved) } ?? 0, to: &dates)
    let labels = try table.shared.labels(row.int(2))
    let digits = ofLabels[row.int(2)] ?? names.labelled(labels)
    ofLabels[row.int(2)] = digits
    labelled += digits
    let status = table.status(table.entries[count])
    if status != .complete { statuses[status, default: []].append(count) }
    count += 1
  }

  /// Returns everything after all rows were added. `authors` has the number of items of each author.
  private func members(_ authors: [String: Int]) -> [String: JSONValue] {
    func list(_ names: some Sequence<String>) -> JSONValue { .array(names.map { .string($0) }) }
    func text(_ digits: [UInt8]) -> JSONValue { .string(String(decoding: digits, as: UTF8.self)) }
    var members: [String: JSONValue] = [
      "columns": text(columns), "count": .integer(count), "dates": text(dates),
      "kinds": list(names.kinds.names), "labelled": text(labelled),
      "labels": list(names.labels.names), "languages": list(names.languages.names),
      "people": list(Table(authors).names.prefix(FacetData.mostPeople)),
      "sites": .array(
        names.sites.names.map { name in
          list(
            name.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
              .map(String.init))
        }),
      "sources": list(names.sources.names),
    ]
    let shown = [ItemStatus.outdated, .failed].compactMap { status in
      statuses[status].map { (status.rawValue, JSONValue.array($0.map { .integer($0) })) }
    }
    if !shown.isEmpty {
      members["status"] = .object(Dictionary(uniqueKeysWithValues: shown))
    }
    return members
  }

  /// Favourite 1, done 2; deleted at the source 4, withheld 8; read to the end 12, begun 24;
  /// highlights 36. All combinations fit one digit.
  private static func flags(_ row: Statement, _ standing: ItemState) -> Int {
    let (highlights, progress) = (row.int(7), row.int(10))
    let gone =
      switch standing {
      case .archived: 0
      case .deleted: 4
      case .withheld: 8
      }
    return row.int(8) + 2 * row.int(9) + gone + (progress >= 100 ? 12 : progress > 0 ? 24 : 0)
      + (highlights > 0 ? 36 : 0)
  }

  /// Returns minutes since the first of January of the year 1.
  private static func minute(_ date: Date) -> Int {
    let minutes = (date.timeIntervalSince1970 / 60).rounded(.down)
    return Int(max(-1_035_593_280, min(minutes, 1e10))) + 1_035_593_280
  }

  private static func day(_ date: Date) -> Int {
    Int(max(0, min(date.timeIntervalSince1970, 6e10)) / 86_400)
  }

  private static func age(_ published: Date, _ saved: Date) -> Int {
    // Unlike dates of saving, dates of publication may be before 1970.
    let printed = max(-6e10, min(published.timeIntervalSince1970, 6e10)) / 86_400
    let days = minute(saved) / 1_440 - 719_162 - Int(printed.rounded(.down))
    return days >= 0 ? 1 + 2 * days : -2 * days
  }

  private static func put(_ number: Int, _ width: Int, _ bytes: inout [UInt8]) {
    var rest = max(0, number)
    let digits = PostingCode.digits
    let start = bytes.count
    for _ in 0..<width { bytes.append(0) }
    var place = start + width
    while place > start {
      place -= 1
      bytes[place] = digits[rest % base]
      rest /= base
    }
    guard rest > 0 else { return }
    for place in start..<start + width { bytes[place] = digits[base - 1] }
  }

  /// The names that occur in items, with their numbers.
  private struct Names {
    let sources: Table
    let kinds: Table
    let sites: Table
    let languages: Table
    let labels: Table

    init(_ totals: LibraryTotals) {
      sources = Table(totals.counts(\.source))
      kinds = Table(totals.counts(\.kind.rawValue))
      sites = Table(totals.counts(Names.site))
      languages = Table(totals.counts(Names.language))
      labels = Table(totals.labels)
    }

    /// Returns the four digits for source, kind and site.
    func columns(_ origin: RowOrigin) -> [UInt8] {
      var bytes: [UInt8] = []
      put(sources.numbers[origin.source] ?? 0, 1, &bytes)
      put(kinds.numbers[origin.kind.rawValue] ?? 0, 1, &bytes)
      put(sites.numbers[Names.site(origin)] ?? 0, 2, &bytes)
      return bytes
    }

    func labelled(_ names: [String]) -> [UInt8] {
      var bytes: [UInt8] = []
      PostingCode.append(names.count, to: &bytes)
      for label in names { PostingCode.append(labels.numbers[label] ?? 0, to: &bytes) }
      return bytes
    }

    private static func language(_ origin: RowOrigin) -> String? {
      let tag = origin.language?.lowercased() ?? ""
      let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
      guard (2...8).contains(primary.count), primary.allSatisfy({ (97...122).contains($0) })
      else { return nil }
      return String(primary)
    }

    private static func site(_ origin: RowOrigin) -> String {
      "\(origin.site ?? "")\t\(origin.host ?? "")"
    }
  }

  /// Names sorted by frequency and then alphabetically, with their numbers in that order.
  struct Table {
    let names: [String]
    let numbers: [String: Int]

    init(_ counts: [String: Int]) {
      names = counts.sorted { one, other in
        one.value != other.value
          ? one.value > other.value : one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
      }.map(\.key)
      numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    }
  }
}
