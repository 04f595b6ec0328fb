import ArchiverStorage

/// The recorded state of an item's text, so that the text of an unchanged item is not read again.
struct TextState: Sendable, Equatable {
  /// The hash of source and id.
  let key: UInt64
  /// The hash of what the bundle was rendered from.
  let content: UInt64
  /// A hash of the text.
  let fingerprint: UInt64
  let passageCount: Int
  /// The fingerprint of the entry in the catalog's index.
  var cataloged: UInt64 = 0
}

/// What the store has of an item for search.
struct KnownText {
  let marks: LibraryRow.Marks
  /// `nil` if the text was not read yet.
  let state: TextState?
}

extension LibraryStore {
  /// Returns what is known of the texts of rows.
  func texts(_ rows: RowList) throws(StorageError) -> [KnownText] {
    var texts: [KnownText] = []
    texts.reserveCapacity(rows.count)
    try self.rows(
      """
      SELECT key, content, indexed, cataloged, textContent, text, passages, entry
      FROM items WHERE number = ?
      """, each: rows.lazy.map { Int($0.number) }
    ) { row in
      let marks = LibraryRow.Marks(
        key: row.number(0), content: row.number(1), indexed: row.number(2),
        cataloged: row.number(3))
      let state =
        row.isNull(4)
        ? nil
        : TextState(
          key: marks.key, content: row.number(4), fingerprint: row.number(5),
          passageCount: row.int(6), cataloged: row.number(7))
      texts.append(KnownText(marks: marks, state: state))
    }
    return texts
  }

  /// Records the states of the texts of rows, as far as they differ from the known ones.
  func put(
    _ states: [TextState?], _ rows: RowList, known: [KnownText]
  ) throws(StorageError) {
    for (entry, (state, known)) in zip(rows, zip(states, known)) where state != known.state {
      try run(
        """
        UPDATE items SET textContent = ?, text = ?, passages = ?, entry = ? WHERE number = ?
        """, state?.content, state?.fingerprint, state?.passageCount, state?.cataloged,
        Int(entry.number))
    }
  }
}
