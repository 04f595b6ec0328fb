import ArchiverCore

extension SQLiteCatalog {
  /// Makes queue entries due at the next run, except abandoned ones.
  package func makeDue(_ keys: [ItemKey]) throws(StorageError) {
    if keys.isEmpty { return }
    try write("make due") { (db) throws(StorageError) in
      for key in keys {
        try db.run(
          "UPDATE queue SET next_attempt = NULL WHERE source = ? AND id = ? AND NOT gave_up",
          key.source, key.id)
      }
    }
  }

  /// Requeues abandoned entries as due, with their attempts reset; with `waiting` also those whose
  /// next attempt is in the future, with `incomplete` also items of which nothing essential is
  /// missing. Returns how many.
  package func release(
    source: String?, ids: [String], waiting: Bool, incomplete: Bool = false
  ) throws(StorageError) -> Int {
    let json = try SQLiteCatalog.jsonText(ids)
    return try write("release") { (db) throws(StorageError) in
      try db.run(
        """
        UPDATE queue SET attempts = 0, next_attempt = NULL, gave_up = 0, needed = NULL
        WHERE (failure_order IS NOT NULL AND (gave_up = 1 OR ?1)
          OR failure_order IS NULL AND reason = 'incomplete' AND ?4)
        AND (?2 IS NULL OR source = ?2)
        AND (?3 = '[]' OR id IN (SELECT value FROM json_each(?3)))
        """, waiting, source, json, incomplete)
      return db.changes
    }
  }

  /// Suppresses an item that was removed on purpose: listings requeue it only with another
  /// revision.
  package func retire(_ item: CatalogItem) throws(StorageError) {
    try leaveOut(
      item.key, title: item.metadata.title, revision: item.revision, reason: "removed by clean-up")
  }

  /// Suppresses an item before it is archived: listings requeue it only with another revision.
  package func leaveOut(
    _ key: ItemKey, title: String, revision: String, reason: String
  ) throws(StorageError) {
    try change(
      "leave out",
      """
      INSERT OR REPLACE INTO queue (source, id, revision, title, reason, failure, gave_up)
      VALUES (?, ?, ?, ?, 'new', ?, 1)
      """, key.source, key.id, revision, title, reason)
  }

  /// An item, its directory and the SHA-256 of its list of checksums; empty if the record has none.
  typealias Place = (key: ItemKey, folder: String, manifest: String)

  /// Returns items with their folders, sorted by folder, after `folder`.
  func folders(after folder: String, limit: Int) throws(StorageError) -> [Place] {
    // Decoding whole records would take most of the time of a comparison.
    try all(
      """
      SELECT source, id, folder, CASE WHEN json_valid(CAST(record AS TEXT))
      THEN json_extract(CAST(record AS TEXT), '$.manifest') END
      FROM items WHERE folder > ? ORDER BY folder LIMIT ?
      """, [folder, limit]
    ) { (key: SQLiteCatalog.key($0), folder: $0.text(2), manifest: $0.text(3)) }
  }

  /// Forgets the archived revision of an item: the next listing that returns it requeues it.
  func distrust(_ key: ItemKey) throws(StorageError) {
    try change(
      "distrust", "UPDATE items SET revision = '?' WHERE source = ? AND id = ?", key.source, key.id)
  }

  /// Clears the mark of items that were deleted at the source.
  package func unmarkDeleted(source: String) throws(StorageError) {
    try change(
      "unmark deleted",
      "UPDATE items SET state = 'archived' WHERE source = ? AND state = 'deleted'", source)
  }

  /// Returns the items of a source that were deleted there.
  package func deletedItems(source: String) throws(StorageError) -> [ItemKey] {
    try all(
      "SELECT source, id FROM items WHERE source = ? AND state = 'deleted' ORDER BY id", [source],
      SQLiteCatalog.key)
  }

  /// Returns the item whose bundle, or an earlier version of it, is in a folder; `nil` if there is
  /// none.
  package func item(inOrBelow folder: String) throws(StorageError) -> CatalogItem? {
    try item(folder: folder.split(separator: "/").prefix(2).joined(separator: "/"))
  }
}
