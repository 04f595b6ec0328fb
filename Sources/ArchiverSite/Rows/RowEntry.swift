import ArchiverCore
import ArchiverStorage

/// What is in memory of every row while the library is brought up to date: where its record is, and
/// what all rows are sorted, grouped and compared by. A few dozen bytes; the rest of a row is read
/// from `RowLog`'s file when it is asked for.
struct RowEntry: Sendable {
  /// Where the record begins in the file, its head included.
  let start: Int
  let byteCount: Int32
  /// The numbers of what it shares with others.
  let origin: Int32
  let labels: Int32
  /// How the item stands between source and archive.
  var status: ItemStatus = .complete
  /// Whether an item of the catalog has this row.
  var isUsed = false
  let hasHighlights: Bool
  let lacksImages: Bool
  /// The item's own, by which it is found.
  let itemFingerprint: UInt64
  /// The mark of source and id.
  let key: UInt64
  let saved: Date
  let archived: Date

  init(_ row: LibraryRow, _ range: Range<Int>, origin: Int32, labels: Int32) {
    start = range.lowerBound
    byteCount = Int32(range.count)
    self.origin = origin
    self.labels = labels
    hasHighlights = row.highlightCount > 0
    lacksImages = row.missingImages > 0
    itemFingerprint = row.fingerprint
    key = row.marks.key
    saved = row.saved
    archived = row.archived
  }

  var range: Range<Int> { start..<start + Int(byteCount) }

  /// Differs when anything that the pages show of the item differs.
  var fingerprint: UInt64 {
    status == .complete ? itemFingerprint : WordHash.of(status.rawValue, from: itemFingerprint)
  }
}
