package import ArchiverCore

extension SQLiteCatalog {
  /// Records that the process died while these items were in work, and adds the blame of such a
  /// death (`ProcessDeath`) to each. Until it succeeds, a blamed item is tried after all others,
  /// alone.
  package func noteDeath(
    _ death: ProcessDeath, _ keys: [ItemKey], now: Date
  ) throws(StorageError) {
    try write("note a death") { (db) throws(StorageError) in
      for key in keys {
        try db.run(
          "UPDATE queue SET blame = blame + ?, fetching = 0 WHERE source = ? AND id = ?",
          death.blame, key.source, key.id)
        try db.run(
          """
          UPDATE queue SET attempts = attempts + 1, failure = ?1,
          next_attempt = CASE WHEN blame >= ?6 THEN ?3 + 3600 * (1 << min(blame / 3, 7)) END,
          failure_order = (SELECT coalesce(max(failure_order), 0) + 1 FROM queue)
          WHERE source = ?4 AND id = ?5 AND blame >= ?2
          """, "the program died while it worked on this item; it is tried last",
          ProcessDeath.failureLimit, now, key.source, key.id, ProcessDeath.waitLimit)
      }
    }
  }
}
