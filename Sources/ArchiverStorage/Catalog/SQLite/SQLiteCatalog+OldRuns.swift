import ArchiverCore

extension SQLiteCatalog {
  /// Merges the records of runs that began before a date: of each source, month and outcome the
  /// last one stays, with the sums of all. The last run, the last to reach its source and the first
  /// to fail since are preserved. Returns the number of records removed.
  func sumUpRuns(before date: Date) throws(StorageError) -> Int {
    try write("sum up runs") { (db) throws(StorageError) in
      let groups = try SQLiteCatalog.groups(before: date, db)
      var removed = 0
      for group in groups {
        try db.run(
          """
          UPDATE runs SET archived = ?, unchanged = ?, failed = ?, images = ?, images_missing = ?,
          byte_count = ? WHERE id = ?
          """,
          group.sums[0], group.sums[1], group.sums[2], group.sums[3], group.sums[4], group.sums[5],
          group.kept)
        for id in group.all where id != group.kept {
          try db.run("DELETE FROM runs WHERE id = ?", id)
          removed += 1
        }
      }
      return removed
    }
  }

  /// Runs to be merged into one.
  private struct RunGroup {
    var all: [Int] = []
    /// The columns from `archived` on.
    var sums = [Int](repeating: 0, count: 6)

    var kept: Int { all.max() ?? 0 }
  }

  private struct GroupKey: Hashable {
    let source: String
    let month: String
    let outcome: String
  }

  private static func groups(
    before date: Date, _ db: Connection
  ) throws(StorageError) -> [RunGroup] {
    var groups: [GroupKey: RunGroup] = [:]
    try db.rows(
      """
      SELECT id, source, started, outcome, archived, unchanged, failed, images, images_missing,
      byte_count FROM runs AS r WHERE started < ?1 AND outcome IS NOT NULL
      AND id NOT IN (SELECT max(id) FROM runs GROUP BY source)
      AND id NOT IN (
        SELECT min(f.id) FROM runs AS f WHERE f.outcome = 'sourceFailed' AND f.id > coalesce(
          (SELECT max(s.id) FROM runs AS s
            WHERE s.source = f.source AND s.outcome IN ('ok', 'partial')), 0)
        GROUP BY f.source)
      """, [date]
    ) { (row) throws(StorageError) in
      let month = row.date(2).formatted(.iso8601).prefix(7)
      let key = GroupKey(source: row.text(1), month: String(month), outcome: row.text(3))
      var group = groups[key] ?? RunGroup()
      group.all.append(row.int(0))
      for index in group.sums.indices {
        let (sum, isOver) = group.sums[index].addingReportingOverflow(row.int(Int32(index + 4)))
        group.sums[index] = isOver ? .max : sum
      }
      groups[key] = group
    }
    return groups.values.filter { $0.all.count > 1 }
  }
}
