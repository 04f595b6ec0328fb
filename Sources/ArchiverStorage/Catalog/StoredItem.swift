package import ArchiverCore

/// An archived item whose record is still encoded.
package struct StoredItem {
  /// A 64-bit hash of the record and the state: equal for items that are shown the same.
  package let fingerprint: UInt64
  package let key: ItemKey
  package let record: Record

  package init(fingerprint: UInt64, key: ItemKey, record: Record) {
    self.fingerprint = fingerprint
    self.key = key
    self.record = record
  }

  /// An encoded record, which may be decoded at any time on any thread.
  package struct Record: Sendable {
    private let read: @Sendable () throws(StorageError) -> CatalogItem

    package init(_ read: @escaping @Sendable () throws(StorageError) -> CatalogItem) {
      self.read = read
    }

    package func item() throws(StorageError) -> CatalogItem { try read() }
  }
}

/// A fast 64-bit hash that detects changes of our own data; no protection against forgery.
package enum WordHash {
  private static let secret: UInt64 = 0xa076_1d64_78bd_642f

  package static func of(_ data: Data, from seed: UInt64 = 0) -> UInt64 {
    data.withUnsafeBytes { of($0, from: seed) }
  }

  package static func of(_ bytes: UnsafeRawBufferPointer, from seed: UInt64 = 0) -> UInt64 {
    var hash = add(UInt64(truncatingIfNeeded: bytes.count), to: seed)
    var offset = 0
    while offset + 16 <= bytes.count {
      let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self).littleEndian
      hash = fold(first ^ secret, second ^ hash)
      offset += 16
    }
    while offset < bytes.count {
      var rest: UInt64 = 0
      let end = min(offset + 8, bytes.count)
      for index in offset..<end { rest = rest << 8 | UInt64(bytes[index]) }
      hash = add(rest, to: hash)
      offset = end
    }
    return add(0, to: hash)
  }

  /// Both halves of a product, combined by XOR.
  private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }

  package static func of(_ text: String, from seed: UInt64 = 0) -> UInt64 {
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0), from: seed) }
  }

  /// Mixes one more number into a hash (the finaliser of MurmurHash3).
  package static func add(_ word: UInt64, to hash: UInt64) -> UInt64 {
    var mixed = (hash ^ word) &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 33)) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return mixed ^ (mixed >> 33)
  }
}
