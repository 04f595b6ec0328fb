/// The 64-bit FNV-1a hash, to name and compare archiver's own data; no protection against forgery.
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

  static let shortSeed: UInt32 = 0x811c_9dc5

  /// Returns the 32-bit FNV-1a hash, which scripts compute too.
  static func short(_ bytes: some Sequence<UInt8>, from seed: UInt32 = shortSeed) -> UInt32 {
    var hash = seed
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }

  /// Returns sixteen hexadecimal digits, mixed so that all of them differ for similar texts.
  static func text(_ hash: UInt64) -> String {
    let digits = String(mixed(hash), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The number of characters that `name` returns.
  static let nameLength = 9

  /// Returns nine digits and small letters, a short file name for content: 46 bits, so that two of
  /// 100,000 files have the same name once in 20,000 archives.
  static func name(_ hash: UInt64) -> String {
    let digits = String(mixed(hash) % 101_559_956_668_416, radix: 36)
    return String(repeating: "0", count: nameLength - digits.utf8.count) + digits
  }

  /// Returns the number whose digits `text` returns.
  static func mixed(_ hash: UInt64) -> UInt64 {
    var mixed = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return mixed ^ (mixed >> 33)
  }
}
