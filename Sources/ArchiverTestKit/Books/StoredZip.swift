/// Writes ZIP archives without compression, so that a mutated byte of a file stays in the archive.
///
/// APPNOTE.TXT 6.3: local headers (4.3.7) with their data, the central directory (4.3.12), its
/// end (4.3.16).
package enum StoredZip {
  package struct Entry: Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(_ name: String, _ text: String) {
      self.name = name
      bytes = Array(text.utf8)
    }

    package init(_ name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  package static func archive(_ entries: [Entry]) -> [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let facts = facts(of: entry)
      directory += little(0x0201_4B50, 4) + little(20, 2) + facts + little(0, 10)
      directory += little(UInt32(file.count), 4) + entry.name.utf8
      file += little(0x0403_4B50, 4) + facts + entry.name.utf8 + entry.bytes
    }
    let count = UInt32(entries.count)
    let end =
      little(0x0605_4B50, 4) + little(0, 4) + little(count, 2) + little(count, 2)
      + little(UInt32(directory.count), 4) + little(UInt32(file.count), 4) + little(0, 2)
    return file + directory + end
  }

  /// The fields of both headers: version, flags, method, time, checksum, sizes, lengths.
  private static func facts(of entry: Entry) -> [UInt8] {
    let size = little(UInt32(entry.bytes.count), 4)
    return little(20, 2) + little(0x0800, 2) + little(0, 2) + little(0x5A21_0000, 4)
      + little(checksum(entry.bytes), 4) + size + size
      + little(UInt32(entry.name.utf8.count), 2) + little(0, 2)
  }

  private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 4 ? UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) : 0 }
  }

  /// CRC-32 (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }
}
