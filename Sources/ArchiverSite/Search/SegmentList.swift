import ArchiverCore

/// `library/search/index.js`: the segments of the index and where each of their shards starts.
///
///     archiverSearch.index([[NAME, ITEMS, [[ITEM, PASSAGES], …], "START START…"], …]);
///
/// The third member names the items that have more than one passage. A start is after all terms of
/// the shard before and not after any of its own.
struct SegmentList {
  struct Segment {
    let name: String
    /// Of each item.
    let passageCounts: [Int]
    var starts: [String]

    func path(_ shard: Int) -> String { "library/search/\(name)/\(shard).js" }

    var paths: [String] { starts.indices.map(path) }
  }

  var segments: [Segment] = []

  init() {}

  /// Reads what `script` wrote; anything else gives an empty list.
  init(_ bytes: [UInt8]?) {
    let start = "archiverSearch.index(".utf8.count
    guard let bytes, bytes.count > start + 3 else { return }
    let json = Data(bytes[start..<(bytes.count - 3)])
    // A list that cannot be read is written anew, with all its segments.
    guard let list = try? JSONDecoder().decode(JSONValue.self, from: json).array else { return }
    segments = list.compactMap(SegmentList.segment)
  }

  func script() -> [UInt8] {
    ScriptData.call("archiverSearch.index", [.array(segments.map(SegmentList.json))])
  }

  private static func json(_ segment: Segment) -> JSONValue {
    let many = segment.passageCounts.enumerated().filter { $0.element != 1 }
    return .array([
      .string(segment.name), .integer(segment.passageCounts.count),
      .array(many.map { .array([.integer($0.offset), .integer($0.element)]) }),
      .string(segment.starts.joined(separator: " ")),
    ])
  }

  private static func segment(_ value: JSONValue) -> Segment? {
    guard let name = value[0]?.string, let count = value[1]?.integer, let many = value[2]?.array,
      let starts = value[3]?.string, (0...1_000_000).contains(count)
    else { return nil }
    var passageCounts = Array(repeating: 1, count: count)
    for pair in many {
      guard let item = pair[0]?.integer, let passages = pair[1]?.integer,
        passageCounts.indices.contains(item)
      else { return nil }
      passageCounts[item] = passages
    }
    return Segment(
      name: name, passageCounts: passageCounts,
      starts: starts.split(separator: " ").map(String.init))
  }
}
