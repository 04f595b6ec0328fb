import ArchiverCore
import ArchiverStorage

/// Reads the entries of shards in the order of their terms.
struct ShardReader {
  private let shards: [SegmentList.Shard]
  private let read: (SegmentList.Shard) -> [UInt8]?
  private var nextShard = 0
  /// The entries of the current shard.
  private var entries: ShardEntries?

  /// - Parameter read: Returns the file of a shard; `nil` if it is missing.
  init(_ shards: [SegmentList.Shard], _ read: @escaping (SegmentList.Shard) -> [UInt8]?) {
    self.shards = shards
    self.read = read
  }

  /// Returns the next entry; `nil` after the last. Throws `damaged` if a shard is missing or does not match its name.
  mutating func next() throws(StorageError) -> (term: [UInt8], postings: [UInt8])? {
    while true {
      if let range = try entries?.next(), let current = entries {
        return (current.term, Array(current.content[range]))
      }
      guard nextShard < shards.count else { return nil }
      let shard = shards[nextShard]
      guard let content = ShardReader.content(of: shard, read(shard)) else {
        throw ShardEntries.damaged
      }
      entries = ShardEntries(content)
      nextShard += 1
    }
  }

  /// Returns the content of a shard from the bytes of its file; `nil` if the file is missing or was changed.
  static func content(of shard: SegmentList.Shard, _ bytes: [UInt8]?) -> ArraySlice<UInt8>? {
    let start = start(shard.name)
    guard let bytes, bytes.starts(with: start),
      bytes.count >= start.count + end.count, bytes.suffix(end.count).elementsEqual(end)
    else { return nil }
    let content = bytes[start.count..<bytes.count - end.count]
    return Fingerprint.name(Fingerprint.of(content)) == shard.name ? content : nil
  }

  /// Returns the script of a shard with this content.
  static func script(_ name: String, _ content: [UInt8]) -> [UInt8] {
    start(name) + content + end
  }

  private static func start(_ name: String) -> [UInt8] {
    Array("archiverSearch.shard(\"\(name)\",\"".utf8)
  }

  private static let end = Array("\");\n".utf8)
}
