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
  /// The number of digits written at once.
  private static let part = 16 << 10

  private let output: SiteOutput
  private let names: Names
  private let ofOrigins: [(UInt8, UInt8, UInt8, UInt8)]
  private let ofLabels: [[UInt8]]
  private var count = 0
  private var dates: [UInt8] = []
  private var labelled: [UInt8] = []
  private var statuses: [ItemStatus: [Int]] = [:]
  private var lastDay = 0
  private var people: [String: Int] = [:]
  /// The number of authors to choose from.
  private static let mostPeople = 200

  /// Begins the file for rows in the order of their numbers. Members are sorted by name as in all
  /// our JSON; the longest one is therefore first and can be written before the rest is known.
  init(_ rows: RowList, _ files: SiteFiles) throws(StorageError) {
    let (origins, labels) = (rows.origins, rows.labellings)
    let names = Names(origins, labels)
    self.names = names
    ofOrigins = zip(origins.groups, origins.counts).map {
      $1 > 0 ? names.columns($0) : (0, 0, 0, 0)
    }
    ofLabels = zip(labels.groups, labels.counts).map { $1 > 0 ? names.labelled($0) : [] }
    output = try files.begin(FacetData.path)
    try output.write("archiverData.facets({\"columns\":\"".utf8)
  }

  /// Adds the next row.
  mutating func add(_ entry: RowEntry, _ row: LibraryRow) throws(StorageError) {
    var columns: [UInt8] = []
    columns.reserveCapacity(12)
    FacetData.put(FacetData.minute(row.saved), 5, &columns)
    FacetData.put(row.minutes, 2, &columns)
    let origin = ofOrigins[Int(entry.origin)]
    columns.append(origin.0)
    columns.append(origin.1)
    FacetData.put(FacetData.flags(row), 1, &columns)
    columns.append(origin.2)
    columns.append(origin.3)
    try put(digits: columns)
    let archived = FacetData.day(row.archived)
    PostingCode.append(max(0, archived - lastDay), to: &dates)
    lastDay = max(lastDay, archived)
    PostingCode.append(row.published.map { FacetData.age($0, row.saved) } ?? 0, to: &dates)
    labelled += ofLabels[Int(entry.labels)]
    for author in row.authors { people[author, default: 0] += 1 }
    if row.status != .complete { statuses[row.status, default: []].append(count) }
    count += 1
  }

  /// Writes the file after all rows were added.
  consuming func finish(_ files: SiteFiles) throws(StorageError) {
    try output.write("\",\"count\":\(count),\"dates\":".utf8)
    try put(codes: dates)
    try put("kinds", .array(names.kinds.names.map { .string($0) }))
    try output.write(",\"labelled\":".utf8)
    try put(codes: labelled)
    try put("labels", .array(names.labels.names.map { .string($0) }))
    try put("languages", .array(names.languages.names.map { .string($0) }))
    let known = Table(people).names.prefix(FacetData.mostPeople)
    try put("people", .array(known.map { .string($0) }))
    try put(
      "sites",
      .array(
        names.sites.names.map { name in
          .array(
            name.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
              .map { .string(String($0)) })
        }))
    try put("sources", .array(names.sources.names.map { .string($0) }))
    let shown = [ItemStatus.outdated, .failed].compactMap { status in
      statuses[status].map { (status.rawValue, JSONValue.array($0.map { .integer($0) })) }
    }
    if !shown.isEmpty {
      try put("status", .object(Dictionary(uniqueKeysWithValues: shown)))
    }
    try output.write("});\n".utf8)
    try files.finish(output)
  }

  private func put(_ name: String, _ value: JSONValue) throws(StorageError) {
    var bytes = Array(",\"\(name)\":".utf8)
    ScriptData.append(value, to: &bytes)
    try output.write(bytes)
  }

  /// Writes digits as a string in parts, because it has digits for every item.
  private func put(codes: [UInt8]) throws(StorageError) {
    try output.write("\"".utf8)
    for start in stride(from: 0, to: codes.count, by: FacetData.part) {
      try put(digits: codes[start..<min(codes.count, start + FacetData.part)])
    }
    try output.write("\"".utf8)
  }

  /// Writes a part of a string, escaped like other strings, without quotes.
  private func put(digits: some Collection<UInt8>) throws(StorageError) {
    var escaped: [UInt8] = []
    ScriptData.append(String(decoding: digits, as: UTF8.self), to: &escaped)
    try output.write(escaped.dropFirst().dropLast())
  }

  /// Favourite 1, done 2; deleted at the source 4, withheld 8; read to the end 12, begun 24;
  /// highlights 36. All combinations fit one digit.
  private static func flags(_ row: LibraryRow) -> Int {
    let standing =
      switch row.standing {
      case .archived: 0
      case .deleted: 4
      case .withheld: 8
      }
    return (row.isFavourite ? 1 : 0) + (row.isDone ? 2 : 0) + standing
      + (row.readProgress >= 100 ? 12 : row.readProgress > 0 ? 24 : 0)
      + (row.highlightCount > 0 ? 36 : 0)
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

    init(_ origins: RowCensus<RowOrigin>, _ labels: RowCensus<RowLabels>) {
      sources = Table(origins.names { [$0.source] })
      kinds = Table(origins.names { [$0.kind.rawValue] })
      sites = Table(origins.names { [Names.site($0)] })
      languages = Table(origins.names { Names.language($0).map { [$0] } ?? [] })
      self.labels = Table(labels.names(\.names))
    }

    /// Returns the four digits for source, kind and site.
    func columns(_ origin: RowOrigin) -> (UInt8, UInt8, UInt8, UInt8) {
      var bytes: [UInt8] = []
      put(sources.numbers[origin.source] ?? 0, 1, &bytes)
      put(kinds.numbers[origin.kind.rawValue] ?? 0, 1, &bytes)
      put(sites.numbers[Names.site(origin)] ?? 0, 2, &bytes)
      return (bytes[0], bytes[1], bytes[2], bytes[3])
    }

    func labelled(_ labels: RowLabels) -> [UInt8] {
      var bytes: [UInt8] = []
      PostingCode.append(labels.names.count, to: &bytes)
      for label in labels.names { PostingCode.append(self.labels.numbers[label] ?? 0, to: &bytes) }
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
