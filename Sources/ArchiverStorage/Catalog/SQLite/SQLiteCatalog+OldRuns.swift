import ArchiverCore

extension SQLiteCatalog {
  /// Merges the records of runs that began before a date: of each source, month and outcome the
  /// last one stays, with the sums of all. The last run, the last to reach its source and the first
  /// to fail since are preserved. Returns the number of records removed.
  func sumUpRuns(before date: Date) throws(StorageError) -> Int {
    let figures = ["archived", "unchanged", "failed", "images", "images_missing", "byte_count"]
    // The cast makes the largest integer of a sum that is larger.
    let sums = figures.map { "CAST(total(\($0)) AS INTEGER) AS \($0)" }.joined(separator: ", ")
    let changes = figures.map { "\($0) = sums.\($0)" }.joined(separator: ", ")
    return try write("sum up runs") { (db) throws(StorageError) in
      try db.run(
        """
        \(SQLiteCatalog.oldRuns) UPDATE runs SET \(changes) FROM (
          SELECT kept, \(sums) FROM old JOIN runs USING (id) GROUP BY kept HAVING count(*) > 1
        ) AS sums WHERE runs.id = sums.kept
        """, date)
      try db.run(
        """
        \(SQLiteCatalog.oldRuns) DELETE FROM runs
        WHERE id IN (SELECT id FROM old WHERE id <> kept)
        """, date)
      return db.changes
    }
  }

  /// The runs to merge, each with the one that it is merged into.
  private static let oldRuns = """
    WITH old AS (
      SELECT id, max(id) OVER (
        PARTITION BY source, outcome, strftime('%Y-%m', started + 978307200, 'unixepoch')) AS kept
      FROM runs WHERE started < ?1 AND outcome IS NOT NULL
      AND id NOT IN (SELECT max(id) FROM runs GROUP BY source)
      AND id NOT IN (
        SELECT min(f.id) FROM runs AS f WHERE f.outcome = 'sourceFailed' AND f.id > coalesce(
          (SELECT max(s.id) FROM runs AS s
            WHERE s.source = f.source AND s.outcome IN ('ok', 'partial')), 0)
        GROUP BY f.source))
    """
}
