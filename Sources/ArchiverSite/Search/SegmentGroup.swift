import ArchiverCore
import ArchiverStorage

/// Consecutive segments that share their shards, so that a query loads one shard instead of one for each segment.
///
/// The postings of a term are those in each segment, by the segment's index in the group and
/// separated by `separator`; empty ones at the end are left out. The mean size of a shard is that
/// of a single segment's, so that a group has as many shards as its segments would have.
struct SegmentGroup {
  static let separator: UInt8 = 0x1F
  /// The mean size of a shard, in bytes.
  private static let shardSize = 4_000

  /// Shards with segments of the group.
  struct Source {
    private var reader: ShardReader
    /// The new indexes of these segments in the group, by their indexes in the shards.
    let places: [Int: Int]
    private(set) var entry: (term: [UInt8], postings: [UInt8])?

    init(_ reader: ShardReader, places: [Int: Int]) throws(StorageError) {
      self.reader = reader
      self.places = places
      try advance()
    }

    /// Sets `entry` to the next entry, or to `nil` after the last.
    mutating func advance() throws(StorageError) { entry = try reader.next() }
  }

  /// The number of segments.
  let size: Int
  private(set) var sources: [Source]

  /// Calls `body` with the shards of the group in term order, each as soon as it is complete.
  mutating func forEachShard(_ body: (ShardWriter.Shard) throws(StorageError) -> Void)
    throws(StorageError)
  {
    var shards = ShardWriter(size: SegmentGroup.shardSize)
    while let term = first() {
      var list = [ArraySlice<UInt8>](repeating: [], count: size)
      for number in sources.indices {
        guard let entry = sources[number].entry, entry.term == term else { continue }
        let parts = ShardPostings.parts(entry.postings[...])
        for (old, place) in sources[number].places where old < parts.count {
          list[place] = parts[old]
        }
        try sources[number].advance()
      }
      // All segments with the term may have been replaced.
      guard let last = list.lastIndex(where: { !$0.isEmpty }) else { continue }
      let postings = Array(list[...last].joined(separator: [SegmentGroup.separator]))
      try term.withUnsafeBufferPointer { (term) throws(StorageError) in
        try shards.add(term, postings[...], body)
      }
    }
    try shards.finish(body)
  }

  /// Returns the first term that a source has.
  private func first() -> [UInt8]? {
    sources.lazy.compactMap(\.entry?.term).min { $0.lexicographicallyPrecedes($1) }
  }
}
