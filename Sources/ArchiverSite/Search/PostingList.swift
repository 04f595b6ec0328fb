/// A passage and a score, from 0 to 7.
struct Posting {
  let passage: Int
  let level: UInt8
}

/// The postings of a term in the order of their passages, in one or two bytes each, as a segment has a million.
struct PostingList {
  /// For each, the distance from the passage before, less one, times 8, plus the score: seven bits a byte, the
  /// lowest first, with the high bit set in all but the last.
  private var bytes: [UInt8] = []
  private var last: Int32 = -1

  /// Appends a posting of a later passage.
  mutating func append(_ posting: Posting) {
    var value = (posting.passage - Int(last) - 1) << 3 | Int(posting.level)
    last = Int32(posting.passage)
    while value >= 0x80 {
      bytes.append(UInt8(value & 0x7F) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  /// Replaces the contents of `list`.
  func decode(to list: inout [Posting]) {
    list.removeAll(keepingCapacity: true)
    var (value, shift, passage) = (0, 0, -1)
    for byte in bytes {
      value |= Int(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      passage += value >> 3 + 1
      list.append(Posting(passage: passage, level: UInt8(value & 7)))
      (value, shift) = (0, 0)
    }
  }
}
