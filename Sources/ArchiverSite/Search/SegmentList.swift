import ArchiverCore

/// The segments of the search index, and where each of their shards starts: `library/search/index.js`, and in
/// a large archive further files beside the shards, so that a query loads a small part of a long list.
///
///     archiverSearch.index([[NAME, ITEMS, [[ITEM, PASSAGES], …], "START START…", "SHARDSHARD…"], …], [START, FILE, …], ["START START…", "SHARDSHARD…"],
///                          [[NAME, ITEM, PASSAGES, "START START…", "SHARDSHARD…"], …]);
///
/// The segments of a `SegmentGroup` follow one another. The first has the shards of the group; each of the others has, in
/// place of both texts, the number of segments of the group before it.
/// The third member of a segment lists the items that have more than one passage. A start sorts after all terms
/// of the previous shard and not after any of its own. The last member holds the shards' names, each
/// of `Fingerprint.nameLength` characters. Large segments lack both members if the second argument names files
/// that have them, each for terms from a start to the next; see `ShardDirectory`. The third argument lists the shards
/// of `ItemShards`, the fourth the revisions, in the order of their items' numbers.
struct SegmentList {
  struct Segment {
    let name: String
    let itemCount: Int
    /// The items with a number of passages other than one, by their indexes.
    let passages: [(item: Int32, count: Int32)]
    /// The shards; empty for all segments of a group except the first.
    var shards: [Shard] = []
    /// The number of segments before it in its group; 0 without a group.
    var place = 0
  }

  /// An item that changed since its segment was written: the index of its present text. The segment's postings of the
  /// item are ignored.
  struct Revision {
    /// The mean size of a shard, in bytes; most articles have one shard.
    static let shardSize = 16_000

    let name: String
    /// The number of the item among all.
    let item: Int
    let passageCount: Int
    var shards: [Shard] = []
  }

  struct Shard {
    let start: String
    /// A fingerprint of its content.
    let name: String

    var path: String { SegmentList.path(name) }
    /// The length of its entry in a list of shards, in bytes.
    var listedLength: Int { start.utf8.count + 1 + name.utf8.count }
  }

  /// A file of the list.
  struct File {
    let path: String
    let bytes: [UInt8]
  }

  var segments: [Segment] = []
  /// The shards of `ItemShards`.
  var wholes: [Shard] = []
  var revisions: [Revision] = []

  init() {}

  /// Reads the list from its files, which `read` returns; segments of files that are missing or that
  /// `files(large:)` did not write are left out, like such revisions and `wholes`.
  init(_ read: (String) -> [UInt8]?) {
    guard let arguments = SegmentList.arguments(read(SearchIndex.manifestPath), "index"),
      let list = arguments.first?.array
    else { return }
    let directories = ShardDirectory.lists(arguments.dropFirst().first, read)
    var large = directories.areComplete ? directories.lists[...] : []
    revisions = arguments.last?.array?.compactMap(SegmentList.revision) ?? []
    /// Whether the shards of the current group are known.
    var isKnown = false
    for value in list {
      if let place = value[3]?.integer {
        if isKnown, var segment = SegmentList.segment(value, []), segments.last?.place == place - 1
        {
          segment.place = place
          segments.append(segment)
        } else {
          isKnown = false
        }
        continue
      }
      let shards = value[3] == nil ? large.popFirst() : SegmentList.shards(value[3], value[4])
      let segment = SegmentList.segment(value, shards)
      isKnown = segment != nil
      if let segment { segments.append(segment) }
    }
  }

  /// A segment and the segments with which it shares its shards.
  struct Member {
    let segment: Segment
    /// The index of the first segment of the group, and the number of segments; 1 without a group.
    let first: Int
    let count: Int
    let shards: [Shard]
  }

  /// Returns a segment by its name.
  func member(_ name: String) -> Member? {
    guard let index = segments.firstIndex(where: { $0.name == name }) else { return nil }
    let first = index - segments[index].place
    let count = 1 + segments[(first + 1)...].prefix { $0.place > 0 }.count
    return Member(
      segment: segments[index], first: first, count: count, shards: segments[first].shards)
  }

  /// Returns a revision by its name and the number of its item.
  func revision(_ item: Int, _ name: String) -> Revision? {
    revisions.first { $0.item == item && $0.name == name }
  }

  /// Returns the files of the list. The last one refers to the others.
  ///
  /// - Parameters:
  ///   - large: The number of items from which on a segment is large.
  ///   - sizes: The sizes from and into which lists of large segments are divided.
  func files(large: Int, _ sizes: ShardDirectory.Sizes = .init()) -> [File] {
    let isLarge = { (segment: Segment) in segment.itemCount >= large && segment.place == 0 }
    let directories = ShardDirectory.dividing(segments.filter(isLarge), sizes)
    let list = segments.map { segment in
      SegmentList.json(segment, withShards: directories.isEmpty || !isLarge(segment))
    }
    let names = directories.flatMap { [JSONValue.string($0.start), .string($0.name)] }
    let arguments = [
      list, names, SegmentList.json(wholes), revisions.map(SegmentList.json),
    ].map { JSONValue.array($0) }
    let index = File(
      path: SearchIndex.manifestPath,
      bytes: ScriptData.call("archiverSearch.index", arguments))
    return directories.map { File(path: SegmentList.path($0.name), bytes: $0.script) } + [index]
  }

  static func path(_ name: String) -> String { "library/search/\(name).js" }

  /// Returns the two lists of shards: their starts and their names.
  static func json(_ shards: some Collection<Shard>) -> [JSONValue] {
    [
      .string(shards.map(\.start).joined(separator: " ")),
      .string(shards.map(\.name).joined()),
    ]
  }

  private static func json(_ segment: Segment, withShards: Bool) -> JSONValue {
    .array(
      [
        .string(segment.name), .integer(segment.itemCount),
        .array(segment.passages.map { .array([.integer(Int($0.item)), .integer(Int($0.count))]) }),
      ] + (segment.place > 0 ? [.integer(segment.place)] : withShards ? json(segment.shards) : []))
  }

  private static func json(_ revision: Revision) -> JSONValue {
    .array(
      [
        .string(revision.name), .integer(revision.item), .integer(revision.passageCount),
      ] + json(revision.shards))
  }

  /// Returns the arguments of the only call in a script; `nil` if the script has another form.
  static func arguments(_ bytes: [UInt8]?, _ function: String) -> [JSONValue]? {
    let start = "archiverSearch.\(function)(".utf8.count
    guard let bytes, bytes.count > start + 3 else { return nil }
    let json = Data("[".utf8 + bytes[start..<(bytes.count - 3)] + "]".utf8)
    return try? JSONDecoder().decode(JSONValue.self, from: json).array
  }

  /// Returns a segment; `nil` if a value has another form, so that the segment is written again.
  static func segment(_ value: JSONValue, _ shards: [Shard]?) -> Segment? {
    guard let name = value[0]?.string, let count = value[1]?.integer, let many = value[2]?.array,
      let shards, (0...1_000_000).contains(count)
    else { return nil }
    var passages: [(item: Int32, count: Int32)] = []
    for pair in many {
      guard let item = pair[0]?.integer, let number = pair[1]?.integer,
        (0..<count).contains(item), let number = Int32(exactly: number)
      else { return nil }
      passages.append((Int32(item), number))
    }
    return Segment(name: name, itemCount: count, passages: passages, shards: shards)
  }

  /// Returns a revision; `nil` if a value has another form, so that it is written again.
  static func revision(_ value: JSONValue) -> Revision? {
    guard let name = value[0]?.string, let item = value[1]?.integer,
      let count = value[2]?.integer, let shards = shards(value[3], value[4])
    else { return nil }
    return Revision(name: name, item: item, passageCount: count, shards: shards)
  }

  /// Parses shards from the lists of their starts and names.
  static func shards(_ starts: JSONValue?, _ names: JSONValue?) -> [Shard]? {
    guard let starts = starts?.string?.split(separator: " "), let names = names?.string?.utf8,
      names.count == starts.count * Fingerprint.nameLength
    else { return nil }
    return starts.enumerated().map { number, start in
      let name = names.dropFirst(number * Fingerprint.nameLength).prefix(Fingerprint.nameLength)
      return Shard(start: String(start), name: String(decoding: name, as: UTF8.self))
    }
  }
}
