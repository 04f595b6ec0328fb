/// A passage and a score, from 0 to 7.
struct Posting {
  let passage: Int
  let level: UInt8
}

/// The postings of a term in the order of their passages, mostly in one or two bytes each: a
/// segment has about a million.
struct PostingList {
  /// The number of bytes in `head`.
  private static let headCount = 7

  /// The first bytes of the code, from the lowest on, with their number in the highest byte: most
  /// terms have few postings, and an array has an overhead of some 50 bytes.
  ///
  /// A posting is coded as its distance from the previous passage, less one, times 8, plus the
  /// score: seven bits a byte, the lowest first, with the high bit set in all but the last byte.
  private var head: UInt64 = 0
  /// The remaining bytes of the code.
  private var rest: [UInt8] = []
  private var last: Int32 = -1

  /// Appends a posting of a later passage.
  mutating func append(_ posting: Posting) {
    var value = (posting.passage - Int(last) - 1) << 3 | Int(posting.level)
    last = Int32(posting.passage)
    while value >= 0x80 {
      append(UInt8(value & 0x7F) | 0x80)
      value >>= 7
    }
    append(UInt8(value))
  }

  private mutating func append(_ byte: UInt8) {
    let count = head >> 56
    guard count < PostingList.headCount else { return rest.append(byte) }
    head |= UInt64(byte) << (count * 8)
    head += 1 << 56
  }

  /// Replaces the contents of `list` by the postings.
  func decode(to list: inout [Posting]) {
    list.removeAll(keepingCapacity: true)
    var (value, shift, passage) = (0, 0, -1)
    func take(_ byte: UInt8) {
      value |= Int(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { return }
      passage += value >> 3 + 1
      list.append(Posting(passage: passage, level: UInt8(value & 7)))
      (value, shift) = (0, 0)
    }
    for place in 0..<(head >> 56) { take(UInt8(truncatingIfNeeded: head >> (place * 8))) }
    for byte in rest { take(byte) }
  }
}
