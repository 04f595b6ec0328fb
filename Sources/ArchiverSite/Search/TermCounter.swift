/// Counts the terms of a passage.
///
/// Terms are compared by their bytes in a hash table: most of a text consists of the same few
/// hundred words, and creating a string per word would dominate the cost.
struct TermCounter {
  private struct Entry {
    let hash: UInt64
    let start: Int
    let length: Int
    var count: Int
  }

  /// A random seed per process, so that no text can be crafted to make its terms collide.
  private static let seed = UInt64.random(in: 0 ... .max)

  private var tokenizer = Tokenizer()
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Indexes in `entries` plus one; 0 is a free slot. The size is a power of two, at most half
  /// filled.
  private var slots = [Int32](repeating: 0, count: 1_024)
  /// The number of terms counted, with repetitions.
  private(set) var length = 0

  /// Counts the terms of a text, each as `weight`.
  mutating func add(_ text: String, weight: Int) {
    let normal = NormalText.of(text)
    var tokenizer = self.tokenizer
    var common: [UInt8] = []
    tokenizer.terms(ofNormal: normal) { term in
      count(term, weight)
      guard WordForms.shared.isCommon(term) else { return common.removeAll(keepingCapacity: true) }
      if !common.isEmpty { countPair(common, term, weight) }
      common.replaceSubrange(common.indices, with: term)
    }
    self.tokenizer = tokenizer
    WordForms.forEach(in: normal) { term in
      var term = term
      term.withUTF8 { count($0, weight) }
    }
  }

  /// Counts two adjacent common words. They are words of the text already, so they do not add to
  /// its length.
  private mutating func countPair(
    _ first: [UInt8], _ second: UnsafeBufferPointer<UInt8>, _ weight: Int
  ) {
    let mark = Array(WordForms.mark.utf8)
    (mark + first + mark + second).withUnsafeBufferPointer { count($0, weight) }
    length -= 1
  }

  /// Calls `body` with each term and its count, in the order of first occurrence, and resets the
  /// counter.
  mutating func drain(_ body: (String, Int) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      for entry in entries {
        let term = UnsafeBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.length])
        body(String(decoding: term, as: UTF8.self), entry.count)
      }
    }
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = 0 }
    length = 0
  }

  private mutating func count(_ term: UnsafeBufferPointer<UInt8>, _ weight: Int) {
    length += 1
    let hash = TermCounter.hash(term)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if entries[index].hash == hash, holds(entries[index], term) {
        entries[index].count += weight
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    entries.append(Entry(hash: hash, start: bytes.count, length: term.count, count: weight))
    bytes.append(contentsOf: term)
    slots[slot] = Int32(entries.count)
    if entries.count * 2 > slots.count { grow() }
  }

  private func holds(_ entry: Entry, _ term: UnsafeBufferPointer<UInt8>) -> Bool {
    guard entry.length == term.count else { return false }
    for offset in 0..<entry.length where bytes[entry.start + offset] != term[offset] {
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

  private static func hash(_ term: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let hash = Fingerprint.of(term, from: seed)
    return (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15 >> 7
  }
}
