/// Places by hashes that are as good as random, which `Dictionary` would hash once more.
struct HashTable {
  /// A place is free while its value is -1.
  private var hashes: [UInt64] = []
  private var values: [Int32] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  func value(_ hash: UInt64) -> Int? {
    guard count > 0 else { return nil }
    let value = values[place(hash)]
    return value < 0 ? nil : Int(value)
  }

  /// Sets the value of a hash, from 0 to 2^31 - 1.
  mutating func set(_ hash: UInt64, _ value: Int) {
    if count * 2 >= values.count { grow() }
    let place = place(hash)
    if values[place] < 0 { count += 1 }
    hashes[place] = hash
    values[place] = Int32(truncatingIfNeeded: value)
  }

  /// Returns where a hash is, or would be.
  private func place(_ hash: UInt64) -> Int {
    // The halves are laid over each other, as not every hash has its chance in the low bits.
    var place = Int(truncatingIfNeeded: hash ^ hash >> 32) & (values.count - 1)
    while values[place] >= 0, hashes[place] != hash { place = (place + 1) & (values.count - 1) }
    return place
  }

  private mutating func grow() {
    let (oldHashes, oldValues) = (hashes, values)
    let size = max(64, values.count * 2)
    hashes = Array(repeating: 0, count: size)
    values = Array(repeating: -1, count: size)
    for (hash, value) in zip(oldHashes, oldValues) where value >= 0 {
      let place = place(hash)
      hashes[place] = hash
      values[place] = value
    }
  }
}
