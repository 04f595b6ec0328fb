package import ArchiverCore

extension SQLiteCatalog {
  /// Deaths of the process in whose work an item was from which on it is tried last of all.
  package static let deathLimit = 2
  /// Deaths from which on it also waits, since a program that is killed often dies of something else.
  private static let patientLimit = 5

  /// Notes that the process died while these items were in work. At the second death an item counts as
  /// failed, and from the fifth on it waits longer each time.
  package func noteDeaths(_ keys: [ItemKey], now: Date) throws(StorageError) {
    try write("note deaths") { (db) throws(StorageError) in
      for key in keys {
        try db.run(
          "UPDATE queue SET deaths = deaths + 1, fetching = 0 WHERE source = ? AND id = ?",
          key.source, key.id)
        try db.run(
          """
          UPDATE queue SET attempts = attempts + 1, failure = ?1,
          next_attempt = CASE WHEN deaths >= ?6 THEN ?3 + 3600 * (1 << min(deaths, 7)) END,
          failure_order = (SELECT coalesce(max(failure_order), 0) + 1 FROM queue)
          WHERE source = ?4 AND id = ?5 AND deaths >= ?2
          """, "the program died while it worked on this item; it is tried last",
          SQLiteCatalog.deathLimit, now, key.source, key.id, SQLiteCatalog.patientLimit)
      }
    }
  }
}
