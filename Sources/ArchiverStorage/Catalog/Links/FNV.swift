/// The 64-bit FNV-1a hash of bytes added one at a time. Names and compares our own data; no protection
/// against forgery.
struct FNV: Sendable, Hashable {
  /// The hash of the bytes added so far.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  /// Continues from an earlier hash.
  init(from value: UInt64) { self.value = value }

  /// Adds a byte.
  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}
