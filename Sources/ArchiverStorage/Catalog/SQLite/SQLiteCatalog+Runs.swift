import ArchiverCore

extension SQLiteCatalog {
  /// Starts a run of a source; a run of the source that never finished becomes `.died`.
  package func beginRun(_ run: RunRecord) throws(StorageError) -> RunID {
    try write("begin run") { (db) throws(StorageError) in
      try db.run(
        "UPDATE runs SET outcome = 'died' WHERE source = ? AND outcome IS NULL", run.source)
      try db.run(
        "INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        run.source, run.kind, run.started, run.finished, run.outcome?.rawValue, run.failure,
        run.archived, run.unchanged, run.failed, run.images, run.imagesMissing, run.byteCount)
      return RunID(db.lastInsertedRow)
    }
  }

  /// Stores the result of a run.
  package func finishRun(_ id: RunID, _ run: RunRecord) throws(StorageError) {
    try change(
      "finish run",
      """
      UPDATE runs SET finished = ?, outcome = ?, failure = ?, archived = ?, unchanged = ?,
      failed = ?, images = ?, images_missing = ?, byte_count = ? WHERE id = ?
      """,
      run.finished, run.outcome?.rawValue, run.failure, run.archived, run.unchanged, run.failed,
      run.images, run.imagesMissing, run.byteCount, id.value)
  }

  package func runs(source: String?, limit: Int) throws(StorageError) -> [RunRecord] {
    let filter = source == nil ? "?1 IS NULL" : "source = ?1"
    return try all(
      "SELECT \(SQLiteCatalog.runColumns) FROM runs WHERE \(filter) ORDER BY id DESC LIMIT ?2",
      [source, limit], SQLiteCatalog.run)
  }

  package func sources() throws(StorageError) -> [SourceStatus] {
    try read { (db) throws(StorageError) in
      let names = try db.all("SELECT DISTINCT source FROM runs ORDER BY source") { $0.text(0) }
      var found: [SourceStatus] = []
      for name in names { found.append(try SQLiteCatalog.status(name, db)) }
      return found
    }
  }

  private static func status(_ name: String, _ db: Connection) throws(StorageError) -> SourceStatus
  {
    let last = try db.first(
      "SELECT \(runColumns) FROM runs WHERE source = ? ORDER BY id DESC LIMIT 1", [name]
    ) { run($0) }
    var status = SourceStatus(source: name, kind: last?.kind ?? "")
    status.lastRun = last
    status.discovery = try discovery(name, db)
    try db.rows(
      """
      SELECT count(*), sum(byte_count), sum(state = 'withheld'), sum(state = 'deleted')
      FROM items WHERE source = ?
      """, [name]
    ) { row in
      (status.itemCount, status.byteCount) = (row.int(0), row.int(1))
      (status.withheld, status.deleted) = (row.int(2), row.int(3))
    }
    try db.rows(
      """
      SELECT sum(gave_up = 0 AND next_attempt IS NULL), count(failure_order),
        sum(failure_order IS NULL AND reason = 'incomplete')
      FROM queue WHERE source = ?
      """, [name]
    ) { row in
      (status.waiting, status.failing, status.incomplete) = (row.int(0), row.int(1), row.int(2))
    }

    let success = try db.first(
      """
      SELECT id, coalesce(finished, started) FROM runs
      WHERE source = ? AND outcome IN ('ok', 'partial') ORDER BY id DESC LIMIT 1
      """, [name]
    ) { ($0.int(0), $0.date(1)) }
    status.lastSuccess = success?.1
    status.failingSince = try db.first(
      """
      SELECT started FROM runs WHERE source = ? AND outcome = 'sourceFailed' AND id > ?
      ORDER BY id LIMIT 1
      """, [name, success?.0 ?? 0]
    ) { $0.date(0) }
    return status
  }

  private static let runColumns = """
    source, kind, started, finished, outcome, failure, archived, unchanged, failed, images, \
    images_missing, byte_count
    """

  private static func run(_ row: Statement) -> RunRecord {
    var run = RunRecord(source: row.text(0), kind: row.text(1), started: row.date(2))
    run.finished = row.optionalDate(3)
    run.outcome = row.optionalText(4).flatMap { RunRecord.Outcome(rawValue: $0) }
    run.failure = row.optionalText(5)
    run.archived = row.int(6)
    run.unchanged = row.int(7)
    run.failed = row.int(8)
    run.images = row.int(9)
    run.imagesMissing = row.int(10)
    run.byteCount = row.int(11)
    return run
  }
}
