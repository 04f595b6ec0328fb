import ArchiverStorage

/// Shards of terms by which items are found in all segments with one lookup: whole titles and the
/// ends of folder names.
///
/// They have the form of other shards. Their terms are those of `WordForms.ending` and
/// `WordForms.whole`; their postings are items' numbers.
enum ItemShards {
  /// The mean size of a shard in bytes. A query loads one shard.
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
    var term: [UInt8] = []
    var postings: [Posting] = []
    var codes: [UInt8] = []
    for query in queries {
      try table.store.rows(query) { (row) throws(StorageError) in
        let isSame = row.withBytes(0) { $0.count == term.count && $0.elementsEqual(term) }
        if !isSame {
          try add(term, &postings, &codes, &shards, body)
          row.withBytes(0) { term.replaceSubrange(term.indices, with: $0) }
        }
        postings.append(Posting(passage: table.place(row.int(1)), level: 0))
      }
    }
    try add(term, &postings, &codes, &shards, body)
    try shards.finish(body)
  }

  /// Adds a term with its postings, in any order, and empties these. `codes` is scratch space.
  private static func add(
    _ term: [UInt8], _ postings: inout [Posting], _ codes: inout [UInt8],
    _ shards: inout ShardWriter,
    _ body: (ShardWriter.Shard) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard !postings.isEmpty else { return }
    if postings.count > 1 { postings.sort { $0.passage < $1.passage } }
    codes.removeAll(keepingCapacity: true)
    SegmentBuilder.code(postings, to: &codes)
    postings.removeAll(keepingCapacity: true)
    try term.withUnsafeBufferPointer { (term) throws(StorageError) in
      try shards.add(term, codes[...], body)
    }
  }
}
