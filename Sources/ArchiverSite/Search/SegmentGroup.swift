import ArchiverCore
import ArchiverStorage

/// Consecutive segments that have their shards in common, so that a query loads one shard where it would load one for
/// each of them.
///
/// The postings of a term are those in each segment, by its place in the group and with `separator` between them;
/// those after the last segment that has the term are left out. The mean size of a shard is that of a segment's own,
/// so that a group has as many shards as its segments would have.
struct SegmentGroup {
  static let separator: UInt8 = 0x1F
  /// The mean size of a shard, in bytes.
  private static let shardSize = 4_000

  /// Where the entries of segments of the group are.
  enum Source {
    /// In shards of the last update, by the places that the segments had, each with its place in the group.
    case shards([SegmentList.Shard], places: [Int: Int])
    case file(EntryFile, place: Int)
  }

  private struct Reader {
    let next: () throws(StorageError) -> (term: [UInt8], postings: [UInt8])?
    /// Sets the postings of an entry in the list of those by place.
    let put: (_ postings: [UInt8], _ list: inout [ArraySlice<UInt8>]) -> Void
    var entry: (term: [UInt8], postings: [UInt8])?
  }

  private var readers: [Reader]
  private let size: Int

  /// - Parameters:
  ///   - size: The number of segments.
  ///   - read: Returns a file of the archive; `nil` if it is missing.
  init(
    size: Int, _ sources: [Source], _ read: @escaping (String) -> [UInt8]?
  ) throws(StorageError) {
    self.size = size
    readers = []
    for source in sources {
      switch source {
      case .file(let file, let place):
        readers.append(
          Reader(next: { () throws(StorageError) in try file.next() }) { $1[place] = $0[...] })
      case .shards(let shards, let places):
        var reader = ShardReader(shards, read)
        readers.append(
          Reader(next: { () throws(StorageError) in try reader.next() }) { postings, list in
            let parts = postings.split(
              separator: SegmentGroup.separator, omittingEmptySubsequences: false)
            for (old, place) in places where old < parts.count { list[place] = parts[old] }
          })
      }
    }
    for number in readers.indices { readers[number].entry = try readers[number].next() }
  }

  /// Calls `body` with the shards of the group in term order, each as soon as it is complete.
  mutating func forEachShard(_ body: (ShardWriter.Shard) throws(StorageError) -> Void)
    throws(StorageError)
  {
    var shards = ShardWriter(size: SegmentGroup.shardSize)
    while let term = first() {
      var list = [ArraySlice<UInt8>](repeating: [], count: size)
      for number in readers.indices {
        guard let entry = readers[number].entry, entry.term == term else { continue }
        readers[number].put(entry.postings, &list)
        readers[number].entry = try readers[number].next()
      }
      // All segments that had the term may be replaced.
      guard let last = list.lastIndex(where: { !$0.isEmpty }) else { continue }
      let postings = Array(list[...last].joined(separator: [SegmentGroup.separator]))
      try term.withUnsafeBufferPointer { (term) throws(StorageError) in
        try shards.add(term, postings[...], body)
      }
    }
    try shards.finish(body)
  }

  /// Returns the first term that a reader has.
  private func first() -> [UInt8]? {
    readers.lazy.compactMap(\.entry?.term).min { $0.lexicographicallyPrecedes($1) }
  }
}
