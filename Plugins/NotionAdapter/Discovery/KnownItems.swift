import ArchiverCore

/// The pages and databases that a listing knows, for the next one: what search does not name then is
/// asked for by its id. Rows are left out, which the queries of their tables name.
///
/// Encoded as one text: for each item 21 bytes in base64, in the order of the ids.
struct KnownItems: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var isDatabase: Bool
    /// Whether it is below no root or below something excluded.
    var isOutside = false
    /// Its stamp in minutes since 1970; 0 when it had none.
    var minute: UInt32
  }

  private(set) var entries: [NotionID: Entry] = [:]
  private static let width = 21

  subscript(id: NotionID) -> Entry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  mutating func removeOutside() { entries = entries.filter { !$0.value.isOutside } }

  var isEmpty: Bool { entries.isEmpty }

  /// How many are to be archived.
  var insideCount: Int { entries.values.count { !$0.isOutside } }

  /// Returns a stamp in minutes since 1970; 0 if it is invalid.
  static func minute(_ edited: String) -> UInt32 {
    guard let date = NotionTime.date(edited) else { return 0 }
    return UInt32(clamping: Int(date.timeIntervalSince1970 / 60))
  }
}

extension KnownItems: Codable {
  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let bytes = [UInt8](Data(base64Encoded: text) ?? Data())
    for start in stride(from: 0, to: bytes.count - KnownItems.width + 1, by: KnownItems.width) {
      let record = bytes[start..<start + KnownItems.width]
      guard let id = NotionID(bytes: record.prefix(16)) else { continue }
      let flags = record[start + 16]
      entries[id] = Entry(
        isDatabase: flags & 1 != 0, isOutside: flags & 2 != 0,
        minute: record.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
  }

  func encode(to encoder: any Encoder) throws {
    var data = Data(capacity: entries.count * KnownItems.width)
    for (id, entry) in entries.sorted(by: { $0.key < $1.key }) {
      data.append(contentsOf: id.bytes)
      data.append((entry.isDatabase ? 1 : 0) | (entry.isOutside ? 2 : 0))
      for shift in [24, 16, 8, 0] as [UInt32] {
        data.append(UInt8(truncatingIfNeeded: entry.minute >> shift))
      }
    }
    var container = encoder.singleValueContainer()
    try container.encode(data.base64EncodedString())
  }
}
