import ArchiverCore

/// The id of a page, database, data source, block or user: 128 bits, written with or without dashes.
package struct NotionID: Sendable, Hashable {
  private let high: UInt64
  private let low: UInt64

  /// Parses 32 hexadecimal digits with dashes anywhere between them; `nil` for other text.
  package init?(_ text: some StringProtocol) {
    var halves: (UInt64, UInt64) = (0, 0)
    var count = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "-") { continue }
      guard let digit = NotionID.digit(byte), count < 32 else { return nil }
      if count < 16 {
        halves.0 = halves.0 << 4 | digit
      } else {
        halves.1 = halves.1 << 4 | digit
      }
      count += 1
    }
    guard count == 32 else { return nil }
    (high, low) = halves
  }

  init?(_ value: JSONValue?) {
    guard let text = value?.string else { return nil }
    self.init(text)
  }

  /// Decodes 16 bytes in big-endian order; `nil` for another length.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The 16 bytes in big-endian order.
  var bytes: [UInt8] {
    [high, low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
    }
  }

  /// 32 lower-case digits, as used in keys and URLs.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes = [UInt8]()
    bytes.reserveCapacity(32)
    for half in [high, low] {
      for shift in stride(from: 60, through: 0, by: -4) {
        bytes.append(digits[Int(half >> UInt64(shift) & 15)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The form Notion's API returns: 8-4-4-4-12.
  package var dashed: String {
    let digits = Array(hex.utf8)
    let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return cuts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }

  /// The permanent URL of the object, independent of its title and host.
  package var address: String { "https://www.notion.so/\(hex)" }

  static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x41...0x46: UInt64(byte - 0x37)
    case 0x61...0x66: UInt64(byte - 0x57)
    default: nil
    }
  }
}

extension NotionID: Comparable, CustomStringConvertible {
  package static func < (one: NotionID, other: NotionID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }

  package var description: String { hex }
}
