import ArchiverCore

/// The shards of all large segments and groups that may have terms of a range, in a file beside the shards and named by
/// its content like them:
///
///     archiverSearch.directory("FILE", [["START START…", "SHARDSHARD…"], …]);
///
/// There is a member for each group and each large segment without one, in their order. A shard whose terms continue in the next range is
/// in both files.
struct ShardDirectory {
  /// The terms from this one on, to the start of the next directory.
  let start: String
  /// A fingerprint of the lists.
  let name: String
  let script: [UInt8]

  /// Lengths in bytes.
  struct Sizes {
    /// Lists that are not longer than this together are not divided.
    var limit = 64_000
    /// The mean length of a directory.
    var mean = 16_000
  }

  /// Divides the lists of shards of large segments; returns no directory if they are short.
  ///
  /// As in a shard, starts themselves decide where a directory starts, so that a changed segment leaves the
  /// limits of most directories as they are.
  static func dividing(
    _ segments: [SegmentList.Segment], _ sizes: Sizes
  ) -> [ShardDirectory] {
    let ordered = lengths(segments)
    guard ordered.reduce(0, { $0 + $1.length }) > sizes.limit else { return [] }
    let half = sizes.mean / 2
    var starts = [""]
    var length = 0
    for (start, ownLength) in ordered {
      let isChosen = Fingerprint.mixed(Fingerprint.of(start)) % UInt64(half) < UInt64(ownLength)
      if length >= 4 * half || length >= half && isChosen {
        starts.append(start)
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

  /// Returns the starts and names of the directories that the second argument of the list names, as those of shards.
  static func listed(_ value: JSONValue?) -> [SegmentList.Shard] {
    let texts = value?.array?.compactMap(\.string) ?? []
    return stride(from: 1, to: texts.count, by: 2).map {
      SegmentList.Shard(start: texts[$0 - 1], name: texts[$0])
    }
  }

  /// Joins the shards of a segment in all directories; `nil` if those of one are not known.
  static func joined(_ parts: [[SegmentList.Shard]?]) -> [SegmentList.Shard]? {
    var all: [SegmentList.Shard] = []
    for part in parts {
      guard let part else { return nil }
      all += part.first?.start == all.last?.start ? part.dropFirst() : part[...]
    }
    return all
  }

  /// Returns the starts of all shards in order, each with the length of its shards in the lists.
  private static func lengths(
    _ segments: [SegmentList.Segment]
  ) -> [(start: String, length: Int)] {
    var lengths = segments.flatMap(\.shards).map { (start: $0.start, length: $0.listedLength) }
    lengths.sort { precedes($0.start, $1.start) }
    // Add up equal starts, which are adjacent.
    var count = 0
    for (start, length) in lengths {
      if count > 0, lengths[count - 1].start == start {
        lengths[count - 1].length += length
      } else {
        lengths[count] = (start, length)
        count += 1
      }
    }
    lengths.removeLast(lengths.count - count)
    return lengths
  }

  /// Returns the shards that may have terms from `start` on and before `end`.
  private static func shards(
    _ shards: [SegmentList.Shard], _ start: String, _ end: String?
  ) -> ArraySlice<SegmentList.Shard> {
    let later = shards.firstIndex { precedes(start, $0.start) } ?? shards.endIndex
    let first = max(later - 1, shards.startIndex)
    let rest = shards[first...]
    guard let end else { return rest }
    return rest.prefix { precedes($0.start, end) }
  }

  /// Whether a text comes first by code points, the order of the index.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
