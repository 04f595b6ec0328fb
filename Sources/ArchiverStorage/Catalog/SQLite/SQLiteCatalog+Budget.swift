import ArchiverCore

// Entries that are suppressed or deferred for lack of space are those marked as abandoned without a
// failure.
extension SQLiteCatalog {
  static let isLeftOut = "(gave_up = 1 AND failure_order IS NULL)"

  /// Returns the pinned items of one source, or of all.
  package func pins(source: String?) throws(StorageError) -> Set<ItemKey> {
    try read { (db) throws(StorageError) in
      guard try SQLiteCatalog.has("pins", db) else { return [] }
      return Set(
        try db.all(
          "SELECT source, id FROM pins WHERE ?1 IS NULL OR source = ?1", [source], SQLiteCatalog.key
        ))
    }
  }

  /// Pins or unpins an item. A pinned item that was deferred becomes due at once.
  package func setPinned(_ isPinned: Bool, _ key: ItemKey) throws(StorageError) {
    try write("pin") { (db) throws(StorageError) in
      guard isPinned else {
        try db.run("DELETE FROM pins WHERE source = ? AND id = ?", key.source, key.id)
        return
      }
      try db.run("INSERT OR IGNORE INTO pins VALUES (?, ?)", key.source, key.id)
      try db.run(
        """
        UPDATE queue SET gave_up = 0, needed = NULL, failure = NULL
        WHERE source = ? AND id = ? AND \(SQLiteCatalog.isLeftOut)
        """, key.source, key.id)
    }
  }

  /// Returns the bytes of a source's bundles, without earlier versions.
  package func byteCount(source: String) throws(StorageError) -> Int {
    try number("SELECT sum(byte_count) FROM items WHERE source = ?", [source])
  }

  /// Defers an item that needs this many bytes until there is space for it.
  ///
  /// Listings do not requeue it, even with a changed revision.
  package func hold(
    _ key: ItemKey, title: String, revision: String, needed: Int, message: String
  ) throws(StorageError) {
    try change(
      "hold",
      """
      INSERT INTO queue (source, id, revision, title, reason, failure, gave_up, needed)
      VALUES (?, ?, ?, ?, 'new', ?, 1, ?)
      ON CONFLICT (source, id) DO UPDATE SET failure = excluded.failure, gave_up = 1,
      needed = excluded.needed, attempts = 0, next_attempt = NULL, failure_order = NULL,
      fetching = 0
      """, key.source, key.id, revision, title, message, needed)
  }

  /// Requeues deferred items that fit into `room` more bytes, newest first; with `nil` all of them,
  /// and pinned items in any case. The size of an item's archived copy counts as space for it.
  /// Returns how many.
  package func releaseHeld(source: String, room: Int?) throws(StorageError) -> Int {
    try write("release held") { (db) throws(StorageError) in
      var left = room ?? .max
      var fitting: [String] = []
      try db.rows(
        """
        SELECT queue.id, max(0, needed - coalesce(items.byte_count, 0)), EXISTS (
          SELECT 1 FROM pins WHERE pins.source = queue.source AND pins.id = queue.id)
        FROM queue
        LEFT JOIN items ON items.source = queue.source AND items.id = queue.id
        WHERE queue.source = ? AND needed IS NOT NULL ORDER BY date DESC, queue.id
        """, [source]
      ) { (row) throws(StorageError) in
        guard row.int(1) <= left || row.bool(2) else { return }
        left = max(0, left - row.int(1))
        fitting.append(row.text(0))
      }
      for id in fitting {
        try db.run(
          """
          UPDATE queue SET gave_up = 0, needed = NULL, failure = NULL WHERE source = ? AND id = ?
          """, source, id)
      }
      return fitting.count
    }
  }

  /// Records that a run is fetching an entry's files.
  package func markFetching(_ key: ItemKey) throws(StorageError) {
    try change(
      "fetching", "UPDATE queue SET fetching = 1 WHERE source = ? AND id = ?", key.source, key.id)
  }

  /// Clears these records of a run that has ended.
  package func endFetching(source: String) throws(StorageError) {
    try change(
      "end fetching", "UPDATE queue SET fetching = 0 WHERE source = ? AND fetching = 1", source)
  }

  /// Forgets which URLs returned these objects.
  func forgetAddresses(of digests: [String]) throws(StorageError) {
    try write("forget addresses") { (db) throws(StorageError) in
      for digest in digests { try db.run("DELETE FROM assets WHERE sha256 = ?", digest) }
    }
  }
}
