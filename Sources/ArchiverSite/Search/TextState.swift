import ArchiverStorage

/// The recorded state of an item's text, so that the text of an unchanged item is not read again.
struct TextState: Sendable, Equatable {
  /// The hash of source and id.
  let key: UInt64
  /// The hash of the input from which the bundle was rendered.
  let content: UInt64
  /// A hash of the text.
  let fingerprint: UInt64
  let passageCount: Int
}

/// The store's data about an item's text, for search.
struct KnownText {
  let marks: LibraryRow.Marks
  /// The state of the text; `nil` if it was not read yet.
  let state: TextState?
  /// The `mark` of the text in the item's segment; `nil` if it is in none.
  let inSegment: UInt64?

  /// Returns a hash of all of the item's data in the index, with a text.
  func mark(with state: TextState) -> UInt64 {
    WordHash.add(state.fingerprint, to: WordHash.add(marks.indexed, to: 0))
  }
}

extension LibraryStore {
  private static let textColumns =
    "key, content, indexed, textContent, text, passages, inSegment"

  /// Returns the known texts of consecutive rows, in their order. The rows' table must be sorted oldest first.
  func texts(_ rows: RowList) throws(StorageError) -> [KnownText] {
    var texts: [KnownText] = []
    texts.reserveCapacity(rows.count)
    guard let first = rows.first else { return [] }
    try self.rows(
      """
      SELECT \(LibraryStore.textColumns) FROM items INDEXED BY oldest
      WHERE (archived, source, id) >= (SELECT archived, source, id FROM items WHERE number = ?)
      ORDER BY archived, source, id LIMIT ?
      """, Int(first.number), rows.count
    ) { row in texts.append(LibraryStore.text(row)) }
    guard texts.count == rows.count else {
      throw outcome(StorageError(.damaged, "the library lacks an item that it has just listed"))
    }
    return texts
  }

  /// Calls `body` with the known text of each item that is in a segment, in any order.
  func forEachIndexedText(_ body: (KnownText) -> Void) throws(StorageError) {
    try rows(
      "SELECT \(LibraryStore.textColumns) FROM items INDEXED BY oldest WHERE inSegment IS NOT NULL"
    ) { row in
      body(LibraryStore.text(row))
    }
  }

  private static func text(_ row: Statement) -> KnownText {
    let marks = LibraryRow.Marks(
      key: row.number(0), content: row.number(1), indexed: row.number(2))
    let state =
      row.isNull(3)
      ? nil
      : TextState(
        key: marks.key, content: row.number(3), fingerprint: row.number(4),
        passageCount: row.int(5))
    return KnownText(
      marks: marks, state: state, inSegment: row.isNull(6) ? nil : row.number(6))
  }

  /// Records the texts of the items of a segment that differ from the known ones.
  func put(_ items: SegmentItems) throws(StorageError) {
    for (item, row) in zip(items.all, items.rows) {
      let (known, state) = (item.known, item.state)
      guard state != known.state || item.inSegment != known.inSegment else { continue }
      try run(
        """
        UPDATE items SET textContent = ?, text = ?, passages = ?, inSegment = ?
        WHERE number = ?
        """, state?.content, state?.fingerprint, state?.passageCount, item.inSegment,
        Int(row.number))
    }
  }
}
