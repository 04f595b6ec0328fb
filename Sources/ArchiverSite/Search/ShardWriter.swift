/// Divides entries, in the order of their terms, into shards.
struct ShardWriter {
  struct Shard {
    /// A short text that sorts after all terms of the previous shard and not after any of this one.
    let start: String
    /// In the form of `SegmentBuilder`.
    let bytes: [UInt8]
  }

  /// The mean size of a shard, in bytes.
  let size: Int
  /// Those of the shard that is being written; no start before the first.
  private var start: String?
  private var bytes: [UInt8] = []
  private var previous: [UInt8] = []

  init(size: Int) { self.size = size }

  /// Calls `finished` with the shard before the entry, if the entry begins the next one.
  mutating func add<Failure>(
    _ term: UnsafeBufferPointer<UInt8>, _ postings: ArraySlice<UInt8>,
    _ finished: (Shard) throws(Failure) -> Void
  ) throws(Failure) {
    var shared = ShardWriter.shared(term, previous)
    if start == nil || isFirst(term, postings, after: bytes.count) {
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
  }

  /// Calls `finished` with the shard that is being written, if there is one.
  func finish<Failure>(_ finished: (Shard) throws(Failure) -> Void) throws(Failure) {
    if let start { try finished(.init(start: start, bytes: bytes)) }
  }

  /// Whether an entry begins a shard, after a shard of a number of bytes.
  ///
  /// Besides the limits of the size, the entry itself decides, so that a change of one entry leaves the
  /// other shards as they are. The chance grows with the entry: a long one is rarely loaded with others.
  private func isFirst(
    _ term: UnsafeBufferPointer<UInt8>, _ postings: ArraySlice<UInt8>, after shardSize: Int
  ) -> Bool {
    guard shardSize >= size / 2 else { return false }
    guard shardSize < 2 * size else { return true }
    let chance = Fingerprint.mixed(Fingerprint.of(term)) % UInt64(size / 2)
    return chance < UInt64(term.count + postings.count)
  }

  /// Returns the length of the common prefix of two terms in bytes, characters and UTF-16 units.
  private static func shared(
    _ term: UnsafeBufferPointer<UInt8>, _ previous: [UInt8]
  ) -> (bytes: Int, characters: Int, units: Int) {
    var bytes = zip(term, previous).prefix { $0 == $1 }.count
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
