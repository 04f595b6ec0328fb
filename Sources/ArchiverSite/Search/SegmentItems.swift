import ArchiverStorage

/// The items of a segment during an update of the index.
struct SegmentItems {
  struct Item {
    /// The state of the item after the last update.
    let known: KnownText
    /// The state of the text; `nil` if it must be read.
    var state: TextState?
    /// The `mark` of the text that the segment contains; `nil` if the item is in none.
    var inSegment: UInt64?

    /// A hash of all of the item's data in the index; `nil` if its text must be read.
    var mark: UInt64? { state.map(known.mark(with:)) }

    /// Whether the text is known and differs from that in the segment.
    var isRevised: Bool { state != nil && mark != inSegment }
  }

  let rows: RowList
  /// The number of the first item.
  let first: Int
  /// The items, one for each row.
  var all: [Item]

  /// - Parameter state: Returns the state of a text that need not be read again.
  init(
    _ rows: RowList, first: Int, state: (KnownText) -> TextState?
  ) throws(StorageError) {
    self.rows = rows
    self.first = first
    all = try rows.table.store.texts(rows).map { known in
      Item(known: known, state: state(known), inSegment: known.inSegment)
    }
  }

  /// Returns the name of a segment with the texts that were written or, with `isMerging`, with the
  /// present texts; `nil` if one of these is unknown.
  func nameOfWritten(isMerging: Bool) -> String? {
    var hash = WordHash.of(SearchIndex.format)
    for item in all {
      guard let mark = isMerging ? item.mark : item.inSegment else { return nil }
      hash = WordHash.add(mark, to: hash)
    }
    return String(Fingerprint.text(hash).prefix(12))
  }
}
