/// Divides entries, in the order of their terms, into shards.
struct ShardWriter {
  struct Shard {
    /// A short text that sorts after all terms of the previous shard and not after any of this one.
    let start: String
    /// The content, in the form of `SegmentBuilder`.
    let bytes: [UInt8]

    /// The shard as it is listed.
    var listed: SegmentList.Shard {
      SegmentList.Shard(start: start, name: Fingerprint.name(Fingerprint.of(bytes)))
    }
  }

  /// The mean size of a shard, in bytes.
  let size: Int
  /// The start of the shard being written; `nil` before the first.
  private var start: String?
  private var bytes: [UInt8] = []
  private var previous: [UInt8] = []
  /// The length of the last entry.
  private var lastLength = 0

  init(size: Int) { self.size = size }

  /// Adds an entry. If it begins the next shard, calls `finished` with the one before.
  mutating func add<Failure>(
    _ term: UnsafeBufferPointer<UInt8>, _ postings: ArraySlice<UInt8>,
    _ finished: (Shard) throws(Failure) -> Void
  ) throws(Failure) {
    var shared = ShardWriter.shared(term, previous)
    let length = term.count + postings.count
    if start == nil || isFirst(term, length, after: bytes.count) {
      try finish(finished)
      let scalars = String(decoding: term, as: UTF8.self).unicodeScalars
      start = String(scalars.prefix(shared.characters + 1))
      bytes = []
      shared = (0, 0, 0)
    } else {
      bytes.append(0x09)
    }
    bytes.append(PostingCode.digits[shared.units])
    bytes += term[shared.bytes...]
    bytes.append(0x09)
    bytes += postings
    previous.replaceSubrange(previous.indices, with: term)
    lastLength = length
  }

  /// Calls `finished` with the shard being written, if there is one.
  func finish<Failure>(_ finished: (Shard) throws(Failure) -> Void) throws(Failure) {
    if let start { try finished(.init(start: start, bytes: bytes)) }
  }

  /// Whether an entry begins a new shard after one of `size` bytes.
  ///
  /// Besides limits of the size, the entry itself decides, so that a change of one entry does not
  /// change other shards. Entries of frequent terms are long and occur in most queries; they are in
  /// shards with few other entries.
  private func isFirst(
    _ term: UnsafeBufferPointer<UInt8>, _ length: Int, after shardSize: Int
  ) -> Bool {
    if isLong(length) || isLong(lastLength) {
      // Keep an entry for a prefix in the shard of the word itself: a query for the prefix needs both.
      let isOfLast = term.last == UInt8(ascii: "*") && term.dropLast().elementsEqual(previous)
      return shardSize >= size / 4 && !isOfLast
    }
    guard shardSize >= size / 2 else { return false }
    guard shardSize < 2 * size else { return true }
    return Fingerprint.mixed(Fingerprint.of(term)) % UInt64(size / 2) < UInt64(length)
  }

  private func isLong(_ length: Int) -> Bool { length >= size / 4 }

  /// Returns the length of the common prefix of two terms in bytes, characters and UTF-16 units.
  private static func shared(
    _ term: UnsafeBufferPointer<UInt8>, _ previous: [UInt8]
  ) -> (bytes: Int, characters: Int, units: Int) {
    var bytes = 0
    while bytes < min(term.count, previous.count), term[bytes] == previous[bytes] { bytes += 1 }
    // Do not split a character.
    while bytes > 0, bytes < term.count, term[bytes] & 0xC0 == 0x80 { bytes -= 1 }
    var (characters, units) = (0, 0)
    for byte in term[..<bytes] where byte & 0xC0 != 0x80 {
      characters += 1
      units += byte >= 0xF0 ? 2 : 1
    }
    return (bytes, characters, units)
  }
}
