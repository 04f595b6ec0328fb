import ArchiverCore

/// The pages and databases known to a listing, stored for the next one, which requests by id those
/// that search omits. Rows are left out, because queries of their tables list them.
///
/// Encoded as base64 text of 21 bytes per item, sorted by id.
struct KnownItems: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var isDatabase: Bool
    /// Whether it is below no root, or below an excluded object.
    var isOutside = false
    /// Its edit time in minutes since 1970; 0 without one.
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

  /// The number of items in the scope.
  var insideCount: Int { entries.values.count { !$0.isOutside } }

  /// Returns an edit time in minutes since 1970; 0 if it is invalid.
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
