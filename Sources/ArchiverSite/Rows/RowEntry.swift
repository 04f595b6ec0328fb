import ArchiverCore
import ArchiverStorage

/// The part of a row that is in memory during an update, 16 bytes: the offset of its record, and
/// the attributes by which all rows are grouped. The rest is read from `RowLog`'s file on access.
struct RowEntry: Sendable {
  /// The numbers of its shared attributes.
  let origin: Int32
  let labels: Int32
  /// From the lowest bit: the offset, the day, the status, and three flags.
  private var packed: UInt64

  /// The limit of offsets: 36 bits, 64 GiB.
  static let limit = 1 << startBits
  private static let startBits = 36
  /// Sufficient for the days of `CivilDate`, of the years 1 to 9999.
  private static let dayBits = 22
  private static let firstDay = -719_162
  private static let lastDay = 2_932_896
  private static let statusBits = 3
  private static let statusPlace = startBits + dayBits
  private static let used: UInt64 = 1 << 61
  private static let highlighted: UInt64 = 1 << 62
  private static let lacking: UInt64 = 1 << 63

  /// Creates an entry. `start` must be below `limit`.
  init(_ row: LibraryRow, at start: Int, origin: Int32, labels: Int32) {
    self.origin = origin
    self.labels = labels
    let seconds = row.saved.timeIntervalSince1970
    let first = Double(RowEntry.firstDay)
    let day = max(first, min((seconds / 86_400).rounded(.down), Double(RowEntry.lastDay)))
    packed = UInt64(start) | UInt64(day - first) << UInt64(RowEntry.startBits)
    if row.highlightCount > 0 { packed |= RowEntry.highlighted }
    if row.missingParts > 0 { packed |= RowEntry.lacking }
    status = .complete
  }

  /// The offset of the record in the file, including its head.
  var start: Int { Int(packed & (1 << UInt64(RowEntry.startBits) - 1)) }

  /// The start, in UTC, of the day on which the item was saved.
  var day: Date {
    let day = packed >> UInt64(RowEntry.startBits) & (1 << UInt64(RowEntry.dayBits) - 1)
    return Date(timeIntervalSince1970: Double(Int(day) + RowEntry.firstDay) * 86_400)
  }

  /// The item's status.
  var status: ItemStatus {
    get {
      ItemStatus.allCases[
        Int(packed >> UInt64(RowEntry.statusPlace) & (1 << UInt64(RowEntry.statusBits) - 1))]
    }
    set {
      let number = ItemStatus.allCases.firstIndex(of: newValue) ?? 0
      packed &= ~((1 << UInt64(RowEntry.statusBits) - 1) << UInt64(RowEntry.statusPlace))
      packed |= UInt64(number) << UInt64(RowEntry.statusPlace)
    }
  }

  /// Whether an item of the catalog has this row.
  var isUsed: Bool {
    get { packed & RowEntry.used != 0 }
    set { packed = newValue ? packed | RowEntry.used : packed & ~RowEntry.used }
  }

  var hasHighlights: Bool { packed & RowEntry.highlighted != 0 }
  var lacksParts: Bool { packed & RowEntry.lacking != 0 }

  /// A hash of everything that pages show of the item, unique within one log (`RowTable.mark`):
  /// records never change.
  var mark: UInt64 {
    packed
      & (1 << UInt64(RowEntry.startBits) - 1 | (1 << UInt64(RowEntry.statusBits) - 1)
        << UInt64(RowEntry.statusPlace))
  }
}
