/// FNV-1a, 64 bits: names and compares what we wrote ourselves; no protection against forgery.
enum Fingerprint {
  static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  static func of(_ text: String) -> UInt64 { of(text.utf8) }

  static func of(_ bytes: some Sequence<UInt8>, from seed: UInt64 = seed) -> UInt64 {
    var hash = seed
    for byte in bytes {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    return hash
  }

  /// Returns sixteen hexadecimal digits.
  static func text(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
