/// Writes RAR and TAR archives without compression, so that a mutated byte of a file stays in the
/// archive.
package enum StoredRar {
  /// Returns a RAR 4 archive with stored files; `locked` marks them as encrypted.
  package static func four(_ files: [StoredZip.Entry], locked: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = Array("Rar!".utf8) + [0x1A, 0x07, 0x00]
    func block(_ body: [UInt8]) { bytes += little(crc(body) & 0xFFFF, 2) + body }
    block([0x73] + little(0, 2) + little(13, 2) + little(0, 6))
    for file in files {
      let name = Array(file.name.utf8)
      let size = little(UInt32(file.bytes.count), 4)
      block(
        [0x74] + little(locked ? 0x8004 : 0x8000, 2) + little(UInt32(32 + name.count), 2) + size
          + size + [3] + little(crc(file.bytes), 4) + little(0, 4) + [20, 0x30]
          + little(UInt32(name.count), 2) + little(0o100644, 4) + name)
      bytes += file.bytes
    }
    block([0x7B] + little(0x4000, 2) + little(7, 2))
    return bytes
  }

  /// Returns a RAR 5 archive with stored files.
  package static func five(_ files: [StoredZip.Entry]) -> [UInt8] {
    var bytes: [UInt8] = Array("Rar!".utf8) + [0x1A, 0x07, 0x01, 0x00]
    func block(_ body: [UInt8]) {
      let sized = variable(body.count) + body
      bytes += little(crc(sized), 4) + sized
    }
    block([1, 0, 0])
    for file in files {
      let name = Array(file.name.utf8)
      let size = variable(file.bytes.count)
      block(
        [2, 2] + size + [4] + size + variable(0o100644) + little(crc(file.bytes), 4) + [0, 1]
          + variable(name.count) + name)
      bytes += file.bytes
    }
    block([5, 0, 0])
    return bytes
  }

  private static func variable(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + variable(value >> 7)
  }

  private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 4 ? UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) : 0 }
  }

  /// CRC-32 as in ZIP.
  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }

  /// Returns a TAR archive (POSIX ustar).
  package static func tar(_ files: [StoredZip.Entry]) -> [UInt8] {
    func padded(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: max(0, size - bytes.count))
    }
    func octal(_ value: Int, _ digits: Int) -> [UInt8] {
      let text = String(value, radix: 8)
      return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8) + [0]
    }
    var bytes: [UInt8] = []
    for file in files {
      var header = padded(Array(file.name.utf8.prefix(100)), 100) + octal(0o644, 7)
      header += octal(0, 7) + octal(0, 7) + octal(file.bytes.count, 11) + octal(0, 11)
      header += [UInt8](repeating: 0x20, count: 8) + [0x30] + padded([], 100)
      header = padded(header + Array("ustar".utf8) + [0, 0x30, 0x30], 512)
      let sum = header.reduce(0) { $0 + Int($1) }
      header.replaceSubrange(148..<156, with: octal(sum, 6) + [0x20])
      bytes += header + padded(file.bytes, (file.bytes.count + 511) / 512 * 512)
    }
    return bytes + padded([], 1_024)
  }
}
