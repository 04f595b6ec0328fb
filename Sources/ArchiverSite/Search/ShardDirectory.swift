import ArchiverCore

/// The shards of all large segments and groups that may have terms of a range, in a file beside the shards and named by
/// its content like them:
///
///     archiverSearch.directory("FILE", [["START START…", "SHARDSHARD…"], …]);
///
/// There is a member for each group and each large segment without one, in their order. A shard whose terms continue in the next range is
/// in both files.
struct ShardDirectory {
  /// The first term of the directory; it extends to the start of the next one.
  let start: String
  /// A fingerprint of the lists.
  let name: String
  let script: [UInt8]

  /// Sizes in bytes.
  struct Sizes {
    /// The total size of the lists up to which they are not divided.
    var limit = 64_000
    /// The mean size of a directory.
    var mean = 16_000
  }

  /// Divides the lists of shards of large segments; returns no directory if they are short.
  ///
  /// As in a shard, starts themselves decide where a directory starts, so that a changed segment leaves the
  /// limits of most directories as they are.
  static func dividing(
    _ segments: [SegmentList.Segment], _ sizes: Sizes
  ) -> [ShardDirectory] {
    // Segments may have shards with the same start.
    let lengths = Dictionary(
      segments.flatMap(\.shards).map { (ByteKey($0.start), $0.listedLength) },
      uniquingKeysWith: +)
    guard lengths.values.reduce(0, +) > sizes.limit else { return [] }
    let half = sizes.mean / 2
    var starts = [""]
    var length = 0
    for (start, ownLength) in lengths.sorted(by: { $0.key < $1.key }) {
      let hash = Fingerprint.mixed(Fingerprint.of(start.text))
      let isChosen = hash % UInt64(half) < UInt64(ownLength)
      if length >= 4 * half || length >= half && isChosen {
        starts.append(start.text)
        length = 0
      }
      length += ownLength
    }
    return starts.enumerated().map { number, start in
      let end = number + 1 < starts.count ? starts[number + 1] : nil
      let lists = segments.map { segment in
        JSONValue.array(SegmentList.json(shards(segment.shards, start, end)))
      }
      var json: [UInt8] = []
      ScriptData.append(.array(lists), to: &json)
      let name = Fingerprint.name(Fingerprint.of(json))
      return ShardDirectory(
        start: start, name: name,
        script: Array("archiverSearch.directory(\"\(name)\",".utf8) + json + ");\n".utf8)
    }
  }

  /// Reads the shards of each large segment or group from the directories in the second argument of
  /// the list. Returns also whether all directories could be read.
  static func lists(
    _ names: JSONValue?, _ read: (String) -> [UInt8]?
  ) -> (lists: [[SegmentList.Shard]], areComplete: Bool) {
    let texts = names?.array?.compactMap(\.string) ?? []
    var lists: [[SegmentList.Shard]] = []
    var areComplete = true
    for number in stride(from: 1, to: texts.count, by: 2) {
      let bytes = read(SegmentList.path(texts[number]))
      let parts = SegmentList.arguments(bytes, "directory")?.last?.array
      if parts == nil { areComplete = false }
      for (place, part) in (parts ?? []).enumerated() {
        if place == lists.count { lists.append([]) }
        guard let shards = SegmentList.shards(part[0], part[1]) else {
          areComplete = false
          continue
        }
        let isRepeated = shards.first?.start == lists[place].last?.start
        lists[place] += isRepeated ? shards.dropFirst() : shards[...]
      }
    }
    return (lists, areComplete)
  }

  /// Returns the shards that may have terms from `start` on and before `end`.
  private static func shards(
    _ shards: [SegmentList.Shard], _ start: String, _ end: String?
  ) -> ArraySlice<SegmentList.Shard> {
    let later = shards.partitionPoint { ByteKey.compare($0.start, start) <= 0 }
    let rest = shards[max(later - 1, 0)...]
    guard let end else { return rest }
    return rest.prefix { ByteKey.compare($0.start, end) < 0 }
  }
}
