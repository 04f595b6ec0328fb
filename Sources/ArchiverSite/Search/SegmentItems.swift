import ArchiverStorage

/// The items of a segment during an update of the index.
struct SegmentItems {
  struct Item {
    /// What the last update left.
    let known: KnownText
    /// `nil` if the text must be read.
    var state: TextState?
    /// The text that the segment has, by `mark`; `nil` if the item is in none.
    var inSegment: UInt64?

    /// A hash of everything that the index has of the item; `nil` if its text must be read.
    var mark: UInt64? { state.map(known.mark(with:)) }

    /// Whether the text is known and not that of the segment.
    var isRevised: Bool { state != nil && mark != inSegment }
  }

  let rows: RowList
  /// The number of the first item.
  let first: Int
  /// One for each row.
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

  /// Returns the name of the segment of the texts that were written or, if revisions are to be merged, of the
  /// present ones; `nil` if one of these is unknown.
  func nameOfWritten(isMerging: Bool) -> String? {
    var hash = WordHash.of(SearchIndex.format)
    for item in all {
      guard let mark = isMerging ? item.mark : item.inSegment else { return nil }
      hash = WordHash.add(mark, to: hash)
    }
    return String(Fingerprint.text(hash).prefix(12))
  }
}
