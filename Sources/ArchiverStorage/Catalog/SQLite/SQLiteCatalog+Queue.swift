package import ArchiverCore

extension SQLiteCatalog {
  package func work(
    source: String, _ selection: WorkSelection
  ) throws(StorageError) -> [WorkItem] {
    try read { (db) throws(StorageError) in
      var found: [WorkItem] = []
      let (filter, values) = try SQLiteCatalog.filter(source, selection)
      for (segment, bounds) in SQLiteCatalog.segments(after: selection.after) {
        let left = selection.limit.map { $0 - found.count }
        if left == 0 { break }
        found += try db.all(
          """
          SELECT \(SQLiteCatalog.workColumns) FROM queue WHERE \(filter) AND \(segment)
          ORDER BY date DESC, id LIMIT ?
          """, values + bounds + [left ?? -1]
        ) { SQLiteCatalog.work($0) }
      }
      return found
    }
  }

  /// Returns how many entries `work` would return without a limit.
  package func workCount(
    source: String, _ selection: WorkSelection
  ) throws(StorageError) -> Int {
    try read { (db) throws(StorageError) in
      let (filter, values) = try SQLiteCatalog.filter(source, selection)
      var count = 0
      for (segment, bounds) in SQLiteCatalog.segments(after: selection.after) {
        count += try db.number(
          "SELECT count(*) FROM queue WHERE \(filter) AND \(segment)", values + bounds)
      }
      return count
    }
  }

  /// Records a failed attempt: the entry stays until `nextAttempt`, with one more attempt.
  package func recordFailure(
    _ key: ItemKey, message: String, nextAttempt: Date?, gaveUp: Bool
  ) throws(StorageError) {
    try change(
      "record failure",
      """
      UPDATE queue SET attempts = attempts + 1, failure = ?, next_attempt = ?, gave_up = ?,
      fetching = 0, blame = 0, payload = \(SQLiteCatalog.unsignedPayload),
      failure_order = (SELECT coalesce(max(failure_order), 0) + 1 FROM queue)
      WHERE source = ? AND id = ?
      """, message, nextAttempt, gaveUp, key.source, key.id)
  }

  /// Records that parts which are not essential are still missing: the entry stays, with one more
  /// attempt, and does not count as failed. If abandoned, it is removed.
  package func recordIncomplete(_ key: ItemKey, nextAttempt: Date?) throws(StorageError) {
    try write("record incomplete") { (db) throws(StorageError) in
      guard let nextAttempt else {
        try db.run("DELETE FROM queue WHERE source = ? AND id = ?", key.source, key.id)
        return
      }
      try db.run(
        """
        UPDATE queue SET attempts = attempts + 1, failure = NULL, failure_order = NULL,
        next_attempt = ?, fetching = 0, blame = 0, deferred_since = NULL
        WHERE source = ? AND id = ?
        """, nextAttempt, key.source, key.id)
    }
  }

  /// Postpones an entry without counting an attempt, such as an item that is still loading at the
  /// source. Returns when it was first postponed since it was archived or changed, at most `now`.
  package func putOff(
    _ key: ItemKey, until: Date?, message: String, now: Date
  ) throws(StorageError) -> Date {
    try write("put off") { (db) throws(StorageError) in
      // A time in the future comes from a wrong clock.
      try db.run(
        """
        UPDATE queue SET failure = ?1, next_attempt = ?2, fetching = 0, blame = 0,
        deferred_since = min(coalesce(deferred_since, ?3), ?3) WHERE source = ?4 AND id = ?5
        """,
        message, until, now, key.source, key.id)
      return try db.first(
        "SELECT deferred_since FROM queue WHERE source = ? AND id = ?", [key.source, key.id]
      ) { $0.optionalDate(0) ?? now } ?? now
    }
  }

  /// Removes an entry, such as that of an item that was removed from the archive.
  package func removeWork(_ key: ItemKey) throws(StorageError) {
    try change(
      "remove work", "DELETE FROM queue WHERE source = ? AND id = ?", key.source, key.id)
  }

  package func failures(
    source: String?
  ) throws(StorageError) -> [(key: ItemKey, work: WorkItem)] {
    try entries(source: source, where: "failure_order IS NOT NULL", by: "failure_order DESC")
  }

  /// Returns the entries that failed, except those at which the process only died: a run that is
  /// killed says nothing about the item. A catalog of an earlier version, opened for reading, does
  /// not distinguish them.
  package func failuresBesidesDeaths() throws(StorageError) -> [ItemKey] {
    let tellsDeaths = try read { (db) throws(StorageError) in
      try Schema.check(db) >= Schema.blameVersion
    }
    let failed = "failure_order IS NOT NULL"
    return try entries(
      source: nil, where: tellsDeaths ? failed + " AND blame = 0" : failed, by: "source, id"
    ).map(\.key)
  }

  /// Returns the entries of archived items that are incomplete, with nothing essential missing,
  /// sorted by id.
  package func incomplete(
    source: String?
  ) throws(StorageError) -> [(key: ItemKey, work: WorkItem)] {
    try entries(
      source: source, where: "failure_order IS NULL AND reason = 'incomplete'", by: "source, id")
  }

  private func entries(
    source: String?, where condition: String, by order: String
  ) throws(StorageError) -> [(key: ItemKey, work: WorkItem)] {
    var entries = try all(
      """
      SELECT \(SQLiteCatalog.workColumns), source FROM queue
      WHERE \(condition) AND (?1 IS NULL OR source = ?1)
      ORDER BY \(order)
      """, [source]
    ) { (key: ItemKey(source: $0.text(10), id: $0.text(0)), work: SQLiteCatalog.work($0)) }
    // Not every listing returns titles.
    for index in entries.indices where entries[index].work.reference.title.isEmpty {
      entries[index].work.reference.title =
        try item(entries[index].key)?.metadata.title ?? ""
    }
    return entries
  }

  /// The payload to keep with an entry that was tried. One with a presigned URL is dropped: it will
  /// have expired at the next attempt, before which the listing delivers another, and stored it
  /// would be a secret.
  static let unsignedPayload =
    "CASE WHEN payload LIKE '%x-amz-signature=%' THEN NULL ELSE payload END"

  private static let workColumns =
    "id, revision, title, date, payload, reason, attempts, next_attempt, failure, gave_up"

  private static func work(_ row: Statement) -> WorkItem {
    WorkItem(
      reference: ItemReference(
        id: row.text(0), revision: row.text(1), title: row.text(2), date: row.optionalDate(3),
        payload: row.optionalText(4)),
      reason: WorkReason(rawValue: row.text(5)) ?? .changed, attempts: row.int(6),
      nextAttempt: row.optionalDate(7), failure: row.optionalText(8), gaveUp: row.bool(9))
  }

  /// Returns the ranges of the order after an entry.
  ///
  /// SQLite sorts NULL as the smallest value: last in a descending order, as undated entries are.
  /// Dated and undated entries are queried separately, so that each query is one index search.
  private static func segments(
    after: ItemReference?
  ) -> [(condition: String, values: [any SQLValue])] {
    guard let after else { return [("1", [])] }
    guard let date = after.date else { return [("date IS NULL AND id > ?", [after.id])] }
    return [
      ("date <= ? AND (date < ? OR id > ?)", [date, date, after.id]), ("date IS NULL", []),
    ]
  }

  private static func filter(
    _ source: String, _ selection: WorkSelection
  ) throws(StorageError) -> (String, [any SQLValue]) {
    var filter = "source = ?"
    var values: [any SQLValue] = [source]
    if !selection.force {
      filter +=
        " AND gave_up = 0 AND "
        + "(next_attempt IS NULL OR next_attempt <= ? OR next_attempt > ?)"
      values += [selection.now, selection.now.addingTimeInterval(WorkSelection.longestWait)]
    }
    switch selection.blame {
    case .any: break
    case .none: filter += " AND blame = 0"
    case .some: filter += " AND blame > 0 AND blame < \(ProcessDeath.failureLimit)"
    case .failed: filter += " AND blame >= \(ProcessDeath.failureLimit)"
    }
    if !selection.only.isEmpty {
      filter += " AND id IN (SELECT value FROM json_each(?))"
      values.append(try SQLiteCatalog.jsonText(selection.only))
    }
    return (filter, values)
  }
}
