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
    let sources = Table(rows.map { [$0.key.source] })
    let kinds = Table(rows.map { [$0.kind.rawValue] })
    let sites = Table(rows.map { ["\($0.site ?? "")\t\($0.host ?? "")"] })
    let labels = Table(rows.map(\.labels))
    var columns: [UInt8] = []
    var dates: [UInt8] = []
    var labelled: [UInt8] = []
    var last = 0
    for row in rows {
      put(Int(row.saved.timeIntervalSince1970 / 60), 4, &columns)
      PostingCode.append(max(0, day(row.archived) - last), to: &dates)
      last = max(last, day(row.archived))
      PostingCode.append(row.published.map { age($0, row.saved) } ?? 0, to: &dates)
      put(row.minutes, 2, &columns)
      put(sources.numbers[row.key.source] ?? 0, 1, &columns)
      put(kinds.numbers[row.kind.rawValue] ?? 0, 1, &columns)
      put(flags(row), 1, &columns)
      put((sites.numbers["\(row.site ?? "")\t\(row.host ?? "")"] ?? 0), 2, &columns)
      let shown = row.labels.prefix(base - 1)
      put(shown.count, 1, &labelled)
      for label in shown { put(labels.numbers[label] ?? 0, 2, &labelled) }
    }
    return ScriptData.call(
      "archiverData.facets",
      [
        .object(
          [
            "count": .integer(rows.count), "sources": .array(sources.names.map { .string($0) }),
            "kinds": .array(kinds.names.map { .string($0) }),
            "sites": .array(
              sites.names.map { name in
                .array(
                  name.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { .string(String($0)) })
              }),
            "labels": .array(labels.names.map { .string($0) }),
            "columns": .string(String(decoding: columns, as: UTF8.self)),
            "dates": .string(String(decoding: dates, as: UTF8.self)),
            "labelled": .string(String(decoding: labelled, as: UTF8.self)),
          ].merging(statuses(rows)) { $1 })
      ])
  }

  private static func statuses(_ rows: [LibraryRow]) -> [String: JSONValue] {
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
    var digits: [UInt8] = []
    for _ in 0..<width {
      digits.append(PostingCode.digits[rest % base])
      rest /= base
    }
    bytes +=
      rest > 0 ? Array(repeating: PostingCode.digits[base - 1], count: width) : digits.reversed()
  }

  /// Names in the order of how often they occur, then alphabetical, and their numbers there.
  struct Table {
    let names: [String]
    let numbers: [String: Int]

    init(_ values: [[String]]) {
      var counts: [String: Int] = [:]
      for value in values.joined() { counts[value, default: 0] += 1 }
      names = counts.sorted { one, other in
        one.value != other.value
          ? one.value > other.value : one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
      }.map(\.key)
      numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    }
  }
}
