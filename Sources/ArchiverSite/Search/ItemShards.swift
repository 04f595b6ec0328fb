import ArchiverStorage

/// Shards of terms by which items are found in all segments with one look-up: whole titles and the ends of folders.
///
/// They have the form of other shards. Their terms are `WordForms.ending` and `WordForms.whole`; their postings are items'
/// numbers.
enum ItemShards {
  /// The mean size, in bytes. A query loads one.
  private static let size = 4_000
  /// The two kinds of terms, in the order of their marks.
  private static let queries = [
    "SELECT ending, number FROM items WHERE ending IS NOT NULL ORDER BY ending",
    "SELECT whole, number FROM items WHERE whole IS NOT NULL ORDER BY whole",
  ]

  /// Calls `body` with the shards of all rows of a table, which is in the order of the items' numbers.
  static func forEach(
    _ table: RowTable, _ body: (ShardWriter.Shard) throws(StorageError) -> Void
  ) throws(StorageError) {
    var shards = ShardWriter(size: size)
    var (term, places): ([UInt8], [Int]) = ([], [])
    for query in queries {
      try table.store.rows(query) { (row) throws(StorageError) in
        let next = Array(row.text(0).utf8)
        if next != term {
          try add(term, places, &shards, body)
          (term, places) = (next, [])
        }
        places.append(table.place(row.int(1)))
      }
    }
    try add(term, places, &shards, body)
    try shards.finish(body)
  }

  private static func add(
    _ term: [UInt8], _ places: [Int], _ shards: inout ShardWriter,
    _ body: (ShardWriter.Shard) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard !places.isEmpty else { return }
    var postings: [UInt8] = []
    SegmentBuilder.code(
      places.sorted().map { Posting(passage: $0, level: 0) }, to: &postings)
    try term.withUnsafeBufferPointer { (term) throws(StorageError) in
      try shards.add(term, postings[...], body)
    }
  }
}
