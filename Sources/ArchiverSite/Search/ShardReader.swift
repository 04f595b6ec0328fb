import ArchiverCore
import ArchiverStorage

/// Reads the entries of shards in the order of their terms.
struct ShardReader {
  private let shards: [SegmentList.Shard]
  private let read: (String) -> [UInt8]?
  private var nextShard = 0
  /// The entries of the current shard: its fields that were not returned yet.
  private var fields: ArraySlice<ArraySlice<UInt8>> = []
  private var term: [UInt8] = []

  /// - Parameter read: Returns a file of the archive; `nil` if it is missing.
  init(_ shards: [SegmentList.Shard], _ read: @escaping (String) -> [UInt8]?) {
    self.shards = shards
    self.read = read
  }

  /// Returns the next entry; `nil` after the last. Throws `damaged` if a shard is missing or has other content than
  /// its name says.
  mutating func next() throws(StorageError) -> (term: [UInt8], postings: [UInt8])? {
    while fields.count < 2 {
      guard nextShard < shards.count else { return nil }
      fields = try content(of: shards[nextShard]).split(
        separator: 0x09, omittingEmptySubsequences: false)[...]
      nextShard += 1
      term = []
    }
    let (code, postings) = (fields.removeFirst(), fields.removeFirst())
    guard let digit = code.first, let units = PostingCode.digits.firstIndex(of: digit) else {
      throw ShardReader.damaged
    }
    term = Array(ShardReader.prefix(term, units: units)) + code.dropFirst()
    return (term, Array(postings))
  }

  private func content(of shard: SegmentList.Shard) throws(StorageError) -> ArraySlice<UInt8> {
    guard let content = ShardReader.content(of: shard, read) else { throw ShardReader.damaged }
    return content
  }

  /// Returns what a shard has; `nil` if it is missing or was changed.
  static func content(
    of shard: SegmentList.Shard, _ read: (String) -> [UInt8]?
  ) -> ArraySlice<UInt8>? {
    let start = start(shard.name)
    guard let bytes = read(shard.path), bytes.starts(with: start),
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
  private static let damaged = StorageError(.damaged, "a file of the search index was changed")

  /// Returns the first UTF-16 units of a term.
  private static func prefix(_ term: [UInt8], units: Int) -> ArraySlice<UInt8> {
    var count = 0
    return term.prefix { byte in
      // A byte that continues a character has the bits 10 first.
      if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
      return count <= units
    }
  }
}
