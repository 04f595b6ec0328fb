import ArchiverStorage

/// Shards of whole titles: a query that equals a title finds the items with one look-up, not with one per
/// segment.
///
/// They have the form of other shards. Their terms are `WordForms.whole`, their postings items' numbers.
enum TitleShards {
  /// The mean size, in bytes. A query loads one.
  private static let size = 4_000

  /// Calls `body` with the shards of all rows of a table, which is in the order of the items' numbers.
  static func forEach(
    _ table: RowTable, _ body: (ShardWriter.Shard) throws(StorageError) -> Void
  ) throws(StorageError) {
    var shards = ShardWriter(size: size)
    var (term, places): ([UInt8], [Int]) = ([], [])
    try table.store.rows(
      "SELECT whole, number FROM items WHERE whole IS NOT NULL ORDER BY whole"
    ) { (row) throws(StorageError) in
      let next = Array(row.text(0).utf8)
      if next != term {
        try add(term, places, &shards, body)
        (term, places) = (next, [])
      }
      places.append(table.place(row.int(1)))
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
