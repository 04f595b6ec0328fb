import ArchiverCore

// The revisions of the items' pages.
extension SQLiteCatalog {
  /// Returns items with a page of another revision than these, sorted by source and id, after `key`.
  package func itemsWithPages(
    not revisions: [Int], after key: ItemKey? = nil, limit: Int
  ) throws(StorageError) -> [ItemKey] {
    let places = revisions.map { _ in "?" }.joined(separator: ", ")
    return try read { (db) throws(StorageError) in
      guard try SQLiteCatalog.hasPages(not: revisions, db) else { return [] }
      return try db.all(
        """
        SELECT source, id FROM items WHERE (source, id) > (?, ?)
          AND page_revision NOT IN (\(places)) ORDER BY source, id LIMIT ?
        """, [key?.source ?? "", key?.id ?? ""] + revisions + [limit], SQLiteCatalog.key)
    }
  }

  /// Whether an item has a page of another revision. Reads only the gaps between these revisions in the index: a run
  /// nearly always finds none.
  private static func hasPages(
    not revisions: [Int], _ db: Connection
  ) throws(StorageError) -> Bool {
    let bounds = [Int.min] + revisions.sorted() + [Int.max]
    for (low, high) in zip(bounds, bounds.dropFirst()) {
      let isFound = try db.has(
        "SELECT 1 FROM items WHERE page_revision > ? AND page_revision < ? LIMIT 1", [low, high])
      if isFound { return true }
    }
    return false
  }

  /// Records that pages are up to date with a revision.
  package func notePages(_ keys: [ItemKey], revision: Int) throws(StorageError) {
    guard !keys.isEmpty else { return }
    try write("note pages") { (db) throws(StorageError) in
      for key in keys {
        try db.run(
          "UPDATE items SET page_revision = ? WHERE source = ? AND id = ?", revision, key.source,
          key.id)
      }
    }
  }
}
