import ArchiverCore

/// `library/search/index.js`: the segments of the index and where each of their shards starts.
///
///     archiverSearch.index([[NAME, ITEMS, [[ITEM, PASSAGES], …], "START START…", "SHARDSHARD…"], …]);
///
/// The third member lists the items that have more than one passage. A start sorts after all terms
/// of the previous shard and not after any of its own. The last member holds the shards' names, each
/// of `Fingerprint.nameLength` characters.
struct SegmentList {
  struct Segment {
    let name: String
    let itemCount: Int
    /// The few items with a number of passages other than one, by their indexes.
    let passages: [(item: Int32, count: Int32)]
    var shards: [Shard]

    var paths: [String] { shards.map(\.path) }
  }

  struct Shard {
    let start: String
    /// A fingerprint of its content.
    let name: String

    var path: String { "library/search/\(name).js" }
  }

  var segments: [Segment] = []

  init() {}

  /// Reads what `script` wrote; anything else gives an empty list.
  init(_ bytes: [UInt8]?) {
    let start = "archiverSearch.index(".utf8.count
    guard let bytes, bytes.count > start + 3 else { return }
    let json = Data(bytes[start..<(bytes.count - 3)])
    // An unreadable list is rewritten, with all its segments.
    guard let list = try? JSONDecoder().decode(JSONValue.self, from: json).array else { return }
    segments = list.compactMap(SegmentList.segment)
  }

  func script() -> [UInt8] {
    ScriptData.call("archiverSearch.index", [.array(segments.map(SegmentList.json))])
  }

  private static func json(_ segment: Segment) -> JSONValue {
    .array([
      .string(segment.name), .integer(segment.itemCount),
      .array(segment.passages.map { .array([.integer(Int($0.item)), .integer(Int($0.count))]) }),
      .string(segment.shards.map(\.start).joined(separator: " ")),
      .string(segment.shards.map(\.name).joined()),
    ])
  }

  private static func segment(_ value: JSONValue) -> Segment? {
    guard let name = value[0]?.string, let count = value[1]?.integer, let many = value[2]?.array,
      let starts = value[3]?.string?.split(separator: " "), let names = value[4]?.string?.utf8,
      (0...1_000_000).contains(count), names.count == starts.count * Fingerprint.nameLength
    else { return nil }
    var passages: [(item: Int32, count: Int32)] = []
    for pair in many {
      guard let item = pair[0]?.integer, let number = pair[1]?.integer,
        (0..<count).contains(item), let number = Int32(exactly: number)
      else { return nil }
      passages.append((Int32(item), number))
    }
    let shards = starts.enumerated().map { number, start in
      let name = names.dropFirst(number * Fingerprint.nameLength).prefix(Fingerprint.nameLength)
      return Shard(start: String(start), name: String(decoding: name, as: UTF8.self))
    }
    return Segment(name: name, itemCount: count, passages: passages, shards: shards)
  }
}
