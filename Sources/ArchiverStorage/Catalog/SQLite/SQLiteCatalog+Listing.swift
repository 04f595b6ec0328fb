package import ArchiverCore

// The ids that a listing returned are kept in a temporary table: no durable writes, no growing
// memory, and it disappears with the process, like an unfinished listing.
extension SQLiteCatalog {
  /// Returns the checkpoint to list from; `nil` if the source was never listed.
  package func checkpoint(source: String) throws(StorageError) -> Checkpoint? {
    try first("SELECT value FROM checkpoints WHERE source = ?", [source]) {
      Checkpoint($0.text(0))
    }
  }

  /// Begins a listing of a source.
  package func beginListing(source: String) throws(StorageError) -> ListingID {
    try read { (db) throws(StorageError) in
      try db.execute(
        """
        CREATE TEMP TABLE IF NOT EXISTS listings (id INTEGER PRIMARY KEY, source TEXT NOT NULL);
        CREATE TEMP TABLE IF NOT EXISTS seen (
          listing INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (listing, id)
        ) WITHOUT ROWID;
        """)
      try db.run(
        """
        DELETE FROM temp.seen WHERE listing IN (SELECT id FROM temp.listings WHERE source = ?)
        """, source)
      try db.run("DELETE FROM temp.listings WHERE source = ?", source)
      try db.run("INSERT INTO temp.listings (source) VALUES (?)", source)
      return ListingID(db.lastInsertedRow)
    }
  }

  /// Stores a page of a listing in the queue and records that `listing` returned its ids.
  ///
  /// The page's checkpoint is stored in the same transaction. Ids in `page.deleted` are marked at
  /// once, as `finishListing` would. With `force`, references whose revision is archived are queued
  /// as `.changed`. Those in `page.revisited` are queued as `.changed`, too; the summary does not count
  /// them. It counts an id that this listing returned before only with `force`.
  package func enqueue(
    _ page: ListingPage, source: String, listing: ListingID, force: Bool
  ) throws(StorageError) -> PlanSummary {
    try write("enqueue") { (db) throws(StorageError) in
      try requireListing(listing, of: source, db)
      var summary = PlanSummary()
      for reference in page.references {
        try db.run(
          "INSERT OR IGNORE INTO temp.seen VALUES (?, ?)", listing.value, reference.id)
        let counted = summary
        let isRepeated = db.changes == 0 && !force
        try plan(
          reference, source: source, force: force,
          isRevisited: page.revisited.contains(reference.id), &summary, db)
        // An id counts once in a listing.
        if isRepeated { summary = counted }
      }
      for id in page.deleted {
        try db.run("DELETE FROM temp.seen WHERE listing = ? AND id = ?", listing.value, id)
        summary.deleted += try mark(id, .deleted, source: source, db)
      }
      try store(page.checkpoint, source: source, db)
      return summary
    }
  }

  /// Ends a listing. If it was a complete enumeration, archived items that it did not return become
  /// `.deleted`, and queue entries that it did not return are removed. Returns how many became
  /// deleted.
  package func finishListing(
    _ listing: ListingID, source: String, isCompleteEnumeration: Bool
  ) throws(StorageError) -> Int {
    try write("finish listing") { (db) throws(StorageError) in
      try requireListing(listing, of: source, db)
      var deleted = 0
      if isCompleteEnumeration {
        try db.run(
          """
          UPDATE items SET state = 'deleted' WHERE source = ? AND state <> 'deleted'
          AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE listing = ? AND seen.id = items.id)
          """, source, listing.value)
        deleted = db.changes
        try db.run(
          """
          DELETE FROM queue WHERE source = ?
          AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE listing = ? AND seen.id = queue.id)
          """, source, listing.value)
      }
      try db.run("DELETE FROM temp.seen WHERE listing = ?", listing.value)
      try db.run("DELETE FROM temp.listings WHERE id = ?", listing.value)
      return deleted
    }
  }

  /// Returns the ids of archived items, neither deleted nor withheld, that the listing has not
  /// returned so far: at most `limit`, sorted, after `last`.
  package func unnamed(
    _ listing: ListingID, source: String, after last: String?, limit: Int
  ) throws(StorageError) -> [String] {
    try write("unnamed items") { (db) throws(StorageError) in
      try requireListing(listing, of: source, db)
      return try db.all(
        """
        SELECT id FROM items WHERE source = ?1 AND state = 'archived' AND id > ?2
        AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE listing = ?3 AND seen.id = items.id)
        ORDER BY id LIMIT ?4
        """, [source, last ?? "", listing.value, limit]
      ) { $0.text(0) }
    }
  }

  /// Marks items as deleted or withheld and removes their queue entries; available ones stay
  /// unchanged. Returns how many became `.deleted` and `.withheld`.
  package func note(
    _ standings: [String: ItemStanding], source: String
  ) throws(StorageError) -> PlanSummary {
    try write("standings") { (db) throws(StorageError) in
      var summary = PlanSummary()
      for (id, standing) in standings {
        switch standing {
        case .available: continue
        case .gone: summary.deleted += try mark(id, .deleted, source: source, db)
        case .withheld: summary.withheld += try mark(id, .withheld, source: source, db)
        }
      }
      return summary
    }
  }

  private func requireListing(
    _ listing: ListingID, of source: String, _ db: Connection
  ) throws(StorageError) {
    guard try db.has("SELECT 1 FROM sqlite_temp_master WHERE name = 'listings'"),
      try db.has(
        "SELECT 1 FROM temp.listings WHERE id = ? AND source = ?", [listing.value, source])
    else {
      throw StorageError(.io, "the listing of \"\(source)\" was not begun or has ended")
    }
  }

  private func plan(
    _ reference: ItemReference, source: String, force: Bool, isRevisited: Bool,
    _ summary: inout PlanSummary, _ db: Connection
  ) throws(StorageError) {
    let archived = try db.first(
      "SELECT revision, state FROM items WHERE source = ? AND id = ?", [source, reference.id]
    ) { ($0.text(0), $0.text(1)) }
    let queued = try db.first(
      """
      SELECT revision, reason, attempts, \(SQLiteCatalog.isLeftOut), needed IS NOT NULL
      FROM queue WHERE source = ? AND id = ?
      """, [source, reference.id]
    ) { ($0.text(0), $0.text(1), $0.int(2), $0.bool(3), $0.bool(4)) }

    if let archived, archived.1 != ItemState.archived.rawValue {
      try db.run(
        "UPDATE items SET state = 'archived' WHERE source = ? AND id = ?", source, reference.id)
      summary.returned += 1
    }
    if let archived, archived.0 == reference.revision, !force {
      if let queued, queued.1 == WorkReason.incomplete.rawValue {
        summary.retries += 1
        try replace(reference, .incomplete, source: source, keepsAttempts: true, db)
      } else if isRevisited {
        // Not counted here: its outcome is counted.
        try replace(reference, .changed, source: source, keepsAttempts: true, db)
      } else {
        summary.unchanged += 1
        if queued != nil { try remove(reference.id, source: source, db) }
      }
      return
    }
    let reason: WorkReason = archived == nil ? .new : .changed
    let isRetry = queued.map { $0.0 == reference.revision && $0.2 > 0 } ?? false
    let staysOut = queued.map { $0.3 && ($0.4 || $0.0 == reference.revision) } ?? false
    switch (isRetry, reason) {
    case _ where staysOut && !force: summary.unchanged += 1
    case (true, _): summary.retries += 1
    case (false, .new): summary.new += 1
    case (false, _): summary.changed += 1
    }
    try replace(
      reference, reason, source: source, keepsAttempts: queued?.0 == reference.revision, db)
  }

  /// Puts a reference into the queue, replacing an existing entry.
  private func replace(
    _ reference: ItemReference, _ reason: WorkReason, source: String, keepsAttempts: Bool,
    _ db: Connection
  ) throws(StorageError) {
    let columns = "source, id, revision, title, date, payload, reason"
    let update =
      keepsAttempts
      ? ""
      : """
      , attempts = 0, next_attempt = NULL, failure = CASE WHEN needed IS NULL THEN NULL ELSE failure END,
      gave_up = needed IS NOT NULL, failure_order = NULL, deferred_since = NULL
      """
    try db.run(
      """
      INSERT INTO queue (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source, id) DO UPDATE SET revision = excluded.revision,
      title = CASE WHEN excluded.title = '' THEN title ELSE excluded.title END, date = excluded.date, payload = excluded.payload,
      reason = excluded.reason\(update)
      """,
      source, reference.id, reference.revision, reference.title, reference.date,
      reference.payload, reason.rawValue)
  }

  /// A withheld item may become deleted; a deleted one does not become withheld.
  private func mark(
    _ id: String, _ state: ItemState, source: String, _ db: Connection
  ) throws(StorageError) -> Int {
    try remove(id, source: source, db)
    try db.run(
      "UPDATE items SET state = ?1 WHERE source = ?2 AND id = ?3 AND state NOT IN (?1, 'deleted')",
      state.rawValue, source, id)
    return db.changes
  }

  private func remove(_ id: String, source: String, _ db: Connection) throws(StorageError) {
    try db.run("DELETE FROM queue WHERE source = ? AND id = ?", source, id)
  }

  private func store(
    _ checkpoint: Checkpoint?, source: String, _ db: Connection
  ) throws(StorageError) {
    guard let checkpoint else { return }
    try db.run(
      """
      INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (source)
      DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value
      """, source, checkpoint.value)
  }
}
