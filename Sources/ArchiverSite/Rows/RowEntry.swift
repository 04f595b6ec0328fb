import ArchiverCore
import ArchiverStorage

/// What is in memory of every row while the library is brought up to date: where its record is, and
/// what all rows are grouped by, in 16 bytes; the rest of a row is read from `RowLog`'s file when it is
/// asked for.
struct RowEntry: Sendable {
  /// The numbers of what it shares with others.
  let origin: Int32
  let labels: Int32
  /// From the lowest bit: the start, the day, the status, and three that say yes or no.
  private var packed: UInt64

  /// Where records may begin: what 36 bits hold, 64 GiB.
  static let limit = 1 << startBits
  private static let startBits = 36
  /// Enough for the days of `CivilDate`, of the years 1 to 9999.
  private static let dayBits = 22
  private static let firstDay = -719_162
  private static let lastDay = 2_932_896
  private static let statusBits = 3
  private static let statusPlace = startBits + dayBits
  private static let used: UInt64 = 1 << 61
  private static let highlighted: UInt64 = 1 << 62
  private static let lacking: UInt64 = 1 << 63

  /// `start` is below `limit`.
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

  /// Where the record begins in the file, its head included.
  var start: Int { Int(packed & (1 << UInt64(RowEntry.startBits) - 1)) }

  /// The midnight in UTC that began the day on which the item was saved.
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

  /// Differs when anything that the pages show of the item differs, among the entries of one log
  /// (`RowTable.mark`): a record is never changed.
  var mark: UInt64 {
    packed
      & (1 << UInt64(RowEntry.startBits) - 1 | (1 << UInt64(RowEntry.statusBits) - 1)
        << UInt64(RowEntry.statusPlace))
  }
}
