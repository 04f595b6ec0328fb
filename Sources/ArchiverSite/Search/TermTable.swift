import ArchiverCore

/// Distinct terms, numbered in the order of their first occurrence.
///
/// Terms are compared by their bytes in a hash table: most of a text consists of the same few
/// hundred words, and creating a string per word would dominate the cost.
struct TermTable {
  /// An entry of 12 bytes; a segment has some hundred thousand.
  private struct Entry {
    let hash: UInt32
    let start: UInt32
    let length: UInt32

    /// The range of the term in `bytes`.
    var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
  }

  /// A random seed per process, so that no text can be crafted to make its terms collide.
  private static let seed = UInt64.random(in: 0 ... .max)

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Indexes in `entries` plus one; 0 is a free slot. The size is a power of two, at most half
  /// filled.
  private var slots = [Int32](repeating: 0, count: 1_024)

  /// The number of distinct terms.
  var count: Int { entries.count }

  /// Whether the table has a term.
  func has(_ term: UnsafeBufferPointer<UInt8>) -> Bool {
    slots[slot(of: term, hash: TermTable.hash(term))] != 0
  }

  /// Returns the number of a term, which is added if it is new.
  mutating func number(of term: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = TermTable.hash(term)
    let slot = slot(of: term, hash: hash)
    if slots[slot] != 0 { return Int(slots[slot]) - 1 }
    entries.append(Entry(hash: hash, start: UInt32(bytes.count), length: UInt32(term.count)))
    bytes.append(contentsOf: term)
    slots[slot] = Int32(entries.count)
    if entries.count * 2 > slots.count { grow() }
    return entries.count - 1
  }

  /// Calls `body` with the bytes of a term, given by its number.
  func withTerm<Value>(
    _ number: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value {
    let range = entries[number].range
    return try bytes.withUnsafeBufferPointer { bytes in
      try body(UnsafeBufferPointer(rebasing: bytes[range]))
    }
  }

  /// Returns the numbers of the terms in the order of their bytes.
  func sorted() -> [Int32] {
    // The first eight bytes decide nearly always.
    var order = entries.indices.map { (head: head(of: entries[$0]), number: Int32($0)) }
    order.sort { one, other in
      one.head == other.head
        ? isBefore(entries[Int(one.number)], entries[Int(other.number)]) : one.head < other.head
    }
    return order.map(\.number)
  }

  /// Removes all terms and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = 0 }
  }

  /// Returns the slot of a term, or the free one for it.
  private func slot(of term: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, holds(entry, term) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func holds(_ entry: Entry, _ term: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = entry.range
    guard range.count == term.count else { return false }
    for offset in 0..<range.count where bytes[range.lowerBound + offset] != term[offset] {
      return false
    }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for (index, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(index + 1)
    }
  }

  /// Returns the first eight bytes as a number. It sorts like the terms; different terms may have the same number.
  private func head(of entry: Entry) -> UInt64 {
    var head: UInt64 = 0
    var shift: UInt64 = 64
    for place in entry.range.prefix(8) {
      shift -= 8
      head |= UInt64(bytes[place]) << shift
    }
    return head
  }

  private func isBefore(_ one: Entry, _ other: Entry) -> Bool {
    let order = bytes.withUnsafeBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      return Int(
        memcmp(base + Int(one.start), base + Int(other.start), Int(min(one.length, other.length))))
    }
    return order == 0 ? one.length < other.length : order < 0
  }

  private static func hash(_ term: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let hash = Fingerprint.of(term, from: seed)
    return UInt32(truncatingIfNeeded: (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15 >> 32)
  }
}
