/// Numbers for the names of elements and attributes. The names of `HTMLTag` have the numbers of
/// their raw values.
struct HTMLNames {
  fileprivate var bytes: [UInt8] = []
  /// The start of each name in `bytes`, and the end of the last one.
  fileprivate var starts: [Int] = [0]
  private var hashes: [UInt64] = []
  /// A hash table with open addressing; -1 is an empty slot. The size is a power of two.
  private var table: [Int32]
  private let seed: UInt64

  /// A set with the names of all tags.
  static let known = HTMLNames()

  private init() {
    seed = UInt64.random(in: 1...UInt64.max) | 1
    table = Array(repeating: -1, count: 1024)
    for tag in HTMLTag.allCases {
      _ = id(Array((tag == .other ? "" : tag.name).utf8))
    }
  }

  var count: Int { hashes.count }

  /// Returns the number of a name; a new name gets a new one.
  mutating func id(_ name: [UInt8]) -> Int32 {
    name.withUnsafeBufferPointer { id($0) }
  }

  /// Returns the number of a name; a new name gets a new one.
  mutating func id(_ name: UnsafeBufferPointer<UInt8>) -> Int32 {
    let hash = hash(name)
    let mask = table.count - 1
    var place = Int(truncatingIfNeeded: hash >> 20) & mask
    while table[place] >= 0 {
      let found = Int(table[place])
      if hashes[found] == hash, isEqual(found, name) { return table[place] }
      place = (place + 1) & mask
    }
    let id = Int32(hashes.count)
    table[place] = id
    bytes.append(contentsOf: name)
    starts.append(bytes.count)
    hashes.append(hash)
    if hashes.count * 2 > table.count { grow() }
    return id
  }

  func string(_ id: Int32) -> String {
    String(decoding: bytes[starts[Int(id)]..<starts[Int(id) + 1]], as: UTF8.self)
  }

  private func isEqual(_ id: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = starts[id]
    guard starts[id + 1] - start == name.count else { return false }
    for index in 0..<name.count where bytes[start + index] != name[index] { return false }
    return true
  }

  private func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = seed
    for byte in name {
      hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    return hash &* seed
  }

  private mutating func grow() {
    let mask = table.count * 2 - 1
    table = Array(repeating: -1, count: mask + 1)
    for id in hashes.indices {
      var place = Int(truncatingIfNeeded: hashes[id] >> 20) & mask
      while table[place] >= 0 { place = (place + 1) & mask }
      table[place] = Int32(id)
    }
  }
}

extension HTMLNames {
  /// Returns the end of a name that begins at an index, ignoring case; 0 if another name is there.
  func match(_ id: Int32, _ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let start = starts[Int(id)]
    let count = starts[Int(id) + 1] - start
    guard index + count <= input.count else { return 0 }
    for offset in 0..<count {
      let byte = input[index + offset]
      let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      if lower != bytes[start + offset] { return 0 }
    }
    return index + count
  }
}
