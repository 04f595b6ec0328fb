import ArchiverCore
import ArchiverStorage

/// `library/data/facets.js`: what the scripts filter and sort by, of all items, in a few bytes each.
///
///     archiverData.facets({"count": …, "sources": […], "kinds": […], "sites": [[NAME, HOST], …],
///                          "labels": […], "columns": "…", "dates": "…",
///                          "labelled": "…", "status": {"outdated": [N, …], "failed": [N, …]}});
///
/// `columns` has 11 digits of `PostingCode` for each item in the order of their numbers, most
/// significant first: 4 saved (minutes since 1970), 2 minutes of reading, 1 source, 1 kind, 1 flags,
/// 2 site. `dates` has two numbers of `PostingCode` for each: how many days after the one before
/// it was archived, the first since 1970; and published, 0 for none, else one plus twice the
/// days from there to saved, or twice the days back from there, less one, when it is the later.
/// `status` names by their numbers those that are not as the source has them; absent when there are
/// none.
/// `labelled` has for each item one digit that counts its labels and two for each.
enum FacetData {
  static let path = "library/data/facets.js"
  private static let base = PostingCode.digits.count

  static func script(_ rows: [LibraryRow]) -> [UInt8] {
    let origins = RowCensus(rows, \.origin)
    let labels = RowCensus(rows, \.labelling)
    let names = Names(origins, labels)
    let ofOrigins = origins.groups.map(names.columns)
    let ofLabels = labels.groups.map(names.labelled)
    var columns: [UInt8] = []
    var dates: [UInt8] = []
    var labelled: [UInt8] = []
    columns.reserveCapacity(rows.count * 11)
    dates.reserveCapacity(rows.count * 4)
    var last = 0
    for (index, row) in rows.enumerated() {
      put(Int(row.saved.timeIntervalSince1970 / 60), 4, &columns)
      put(row.minutes, 2, &columns)
      let origin = ofOrigins[origins.numbers[index]]
      columns.append(origin.0)
      columns.append(origin.1)
      put(flags(row), 1, &columns)
      columns.append(origin.2)
      columns.append(origin.3)
      let archived = day(row.archived)
      PostingCode.append(max(0, archived - last), to: &dates)
      last = max(last, archived)
      PostingCode.append(row.published.map { age($0, row.saved) } ?? 0, to: &dates)
      for digit in ofLabels[labels.numbers[index]] { labelled.append(digit) }
    }
    return ScriptData.call(
      "archiverData.facets",
      [
        .object(
          [
            "count": .integer(rows.count),
            "sources": .array(names.sources.names.map { .string($0) }),
            "kinds": .array(names.kinds.names.map { .string($0) }),
            "sites": .array(
              names.sites.names.map { name in
                .array(
                  name.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { .string(String($0)) })
              }),
            "labels": .array(names.labels.names.map { .string($0) }),
            "columns": .string(String(decoding: columns, as: UTF8.self)),
            "dates": .string(String(decoding: dates, as: UTF8.self)),
            "labelled": .string(String(decoding: labelled, as: UTF8.self)),
          ].merging(statuses(rows)) { $1 })
      ])
  }

  private static func statuses(_ rows: [LibraryRow]) -> [String: JSONValue] {
    guard rows.contains(where: { $0.status != .complete }) else { return [:] }
    var numbers: [String: JSONValue] = [:]
    for status in [ItemStatus.outdated, .failed] {
      let found = rows.indices.filter { rows[$0].status == status }
      if !found.isEmpty {
        numbers[status.rawValue] = .array(found.map { .integer($0 - rows.startIndex) })
      }
    }
    return numbers.isEmpty ? [:] : ["status": .object(numbers)]
  }

  /// Favourite 1, done 2; 4 when gone from the source, 8 when it withholds it; 12 when read to the end,
  /// 24 when begun; highlights 36. So all of it is one digit.
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

  private static func day(_ date: Date) -> Int {
    Int(max(0, min(date.timeIntervalSince1970, 6e10)) / 86_400)
  }

  private static func age(_ published: Date, _ saved: Date) -> Int {
    let days = day(saved) - day(published)
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

  /// The names that items have, and their numbers.
  private struct Names {
    let sources: Table
    let kinds: Table
    let sites: Table
    let labels: Table

    init(_ origins: RowCensus<RowOrigin>, _ labels: RowCensus<RowLabels>) {
      sources = Table(origins.names { [$0.source] })
      kinds = Table(origins.names { [$0.kind.rawValue] })
      sites = Table(origins.names { [Names.site($0)] })
      self.labels = Table(labels.names(\.names))
    }

    /// Returns source, kind and site: four digits.
    func columns(_ origin: RowOrigin) -> (UInt8, UInt8, UInt8, UInt8) {
      var bytes: [UInt8] = []
      put(sources.numbers[origin.source] ?? 0, 1, &bytes)
      put(kinds.numbers[origin.kind.rawValue] ?? 0, 1, &bytes)
      put(sites.numbers[Names.site(origin)] ?? 0, 2, &bytes)
      return (bytes[0], bytes[1], bytes[2], bytes[3])
    }

    func labelled(_ labels: RowLabels) -> [UInt8] {
      let shown = labels.names.prefix(base - 1)
      var bytes: [UInt8] = []
      put(shown.count, 1, &bytes)
      for label in shown { put(self.labels.numbers[label] ?? 0, 2, &bytes) }
      return bytes
    }

    private static func site(_ origin: RowOrigin) -> String {
      "\(origin.site ?? "")\t\(origin.host ?? "")"
    }
  }

  /// Names in the order of how often they occur, then alphabetical, and their numbers there.
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
