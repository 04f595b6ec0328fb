package import ArchiverCore

extension SQLiteCatalog {
  package func item(_ key: ItemKey) throws(StorageError) -> CatalogItem? {
    try lookUp { (db) throws(StorageError) in
      try db.first(
        "SELECT \(SQLiteCatalog.itemColumns) FROM items WHERE source = ? AND id = ?",
        [key.source, key.id]
      ) { (row) throws(StorageError) in try SQLiteCatalog.item(row) }
    }
  }

  /// Calls `body` with each archived item, newest `lastArchived` first, then by folder, until it
  /// returns false. Never holds the whole list in memory.
  package func forEachItem(
    source: String?, _ body: (CatalogItem) throws -> Bool
  ) throws {
    let db = try snapshot()
    let filter = source == nil ? "" : "WHERE source = ?"
    let rows = try db.prepare(
      """
      SELECT \(SQLiteCatalog.itemColumns) FROM items \(filter)
      ORDER BY last_archived DESC, folder
      """)
    if let source { try rows.bind([source]) }
    while try rows.step() {
      guard try body(try SQLiteCatalog.item(rows)) else { return }
    }
  }

  package func forEachStoredItem(
    where isWanted: (_ fingerprint: UInt64, _ key: () -> ItemKey) throws -> Bool,
    _ body: (StoredItem) throws -> Void
  ) throws {
    let db = try snapshot()
    // Both passes see the same items.
    try db.execute("BEGIN")
    let hash = try Schema.check(db) >= Schema.recordHashVersion ? "record_hash" : "NULL"
    let record = try db.prepare(
      "SELECT \(SQLiteCatalog.itemColumns), source, id FROM items WHERE rowid = ?")
    var wanted: [(row: Int, fingerprint: UInt64)] = []
    // `items_plan` covers these columns.
    let rows = try db.prepare("SELECT rowid, state, \(hash), source, id FROM items")
    while try rows.step() {
      var hash = rows.number(2)
      if rows.isNull(2) {
        record.reset()
        try record.bind([rows.int(0)])
        guard try record.step() else { continue }
        hash = record.withBytes(0) { WordHash.of($0) }
      }
      // Leave out the revision: items with the same content are shown the same.
      let fingerprint = WordHash.add(hash, to: WordHash.of(rows.text(1)))
      if try isWanted(fingerprint, { ItemKey(source: rows.text(3), id: rows.text(4)) }) {
        wanted.append((rows.int(0), fingerprint))
      }
    }
    // Read in the order of the file.
    for (number, fingerprint) in wanted.sorted(by: { $0.row < $1.row }) {
      record.reset()
      try record.bind([number])
      guard try record.step() else { continue }
      let (json, revision, state) = (record.data(0), record.text(1), record.text(2))
      let key = ItemKey(source: record.text(3), id: record.text(4))
      try body(
        StoredItem(
          fingerprint: fingerprint, key: key,
          record: StoredItem.Record { () throws(StorageError) in
            try SQLiteCatalog.item(json, revision, state)
          }))
    }
  }

  package func itemCount(source: String?) throws(StorageError) -> Int {
    let filter = source == nil ? "?1 IS NULL" : "source = ?1"
    return try number("SELECT count(*) FROM items WHERE \(filter)", [source])
  }

  /// Returns the number of archived items that are neither deleted at the source nor withheld.
  package func presentCount(source: String) throws(StorageError) -> Int {
    try number("SELECT count(*) FROM items WHERE source = ? AND state = 'archived'", [source])
  }

  /// Returns the number of items of which a newer copy is held back.
  package func heldBackCount(source: String) throws(StorageError) -> Int {
    // Decode only records that may name such a copy.
    try all(
      """
      SELECT \(SQLiteCatalog.itemColumns) FROM items
      WHERE source = ? AND instr(record, CAST('-held"' AS BLOB)) > 0
      """, [source]
    ) { (row) throws(StorageError) in try SQLiteCatalog.item(row).heldBack != nil }.count { $0 }
  }

  /// Records a new revision of an item whose content did not change, and removes it from the queue.
  package func markUnchanged(_ key: ItemKey, revision: String) throws(StorageError) {
    try write("mark unchanged") { (db) throws(StorageError) in
      try db.run(
        """
        UPDATE items SET revision = ?, state = 'archived' WHERE source = ? AND id = ?
        """, revision, key.source, key.id)
      try db.run("DELETE FROM queue WHERE source = ? AND id = ?", key.source, key.id)
    }
  }

  /// Requeues an archived item that is incomplete, so that the missing part is requested again
  /// although the item did not change. A no-op for a complete one.
  ///
  /// - Parameter key: The item.
  /// - Parameter attempts: The number of failed attempts.
  /// - Parameter nextAttempt: `nil` abandons it: an essential part is still reported as missing, others are not.
  package func requeueIncomplete(
    _ key: ItemKey, attempts: Int, nextAttempt: Date?
  ) throws(StorageError) {
    guard let item = try item(key), item.completeness != .complete else { return }
    let failure = item.completeness == .failed ? item.losses?.sentence : nil
    guard nextAttempt != nil || failure != nil else { return }
    try change(
      "requeue",
      """
      INSERT OR REPLACE INTO queue (source, id, revision, title, date, reason, attempts,
        next_attempt, failure, gave_up, failure_order)
      VALUES (?1, ?2, ?3, ?4, ?5, 'incomplete', ?6, ?7, ?8, ?7 IS NULL, CASE WHEN ?8 IS NULL
        THEN NULL ELSE (SELECT coalesce(max(failure_order), 0) + 1 FROM queue) END)
      """, key.source, key.id, item.revision, item.metadata.title,
      item.metadata.modified ?? item.metadata.added, attempts, nextAttempt, failure)
  }

  /// Returns the asset that a URL returned last, if its object is still in the pool.
  package func asset(url: String) throws(StorageError) -> CachedAsset? {
    let found = try lookUp { (db) throws(StorageError) in
      try db.first(
        """
        SELECT sha256, byte_count, media_type, width, height, etag, last_modified, fresh_until
        FROM assets WHERE url = ?
        """, [url]
      ) { row in
        CachedAsset(
          url: url, object: StoredObject(sha256: row.text(0), byteCount: row.int(1)),
          mediaType: row.text(2), width: row.optionalInt(3), height: row.optionalInt(4),
          etag: row.optionalText(5), lastModified: row.optionalText(6),
          freshUntil: row.optionalDate(7))
      }
    }
    guard let found, objectExists(found.object) else { return nil }
    return found
  }

  /// Whether a published bundle refers to the object.
  func isCommitted(_ digest: String) throws(StorageError) -> Bool {
    try lookUp { (db) throws(StorageError) in
      try db.has("SELECT 1 FROM objects WHERE sha256 = ?", [digest])
    }
  }

  static let itemColumns = "record, revision, state"

  /// Reads a row of `itemColumns`. Revision and state have columns of their own, as they change
  /// alone.
  static func item(_ row: Statement) throws(StorageError) -> CatalogItem {
    try item(row.data(0), row.text(1), row.text(2))
  }

  private static func item(
    _ record: Data, _ revision: String, _ state: String
  ) throws(StorageError) -> CatalogItem {
    var item = try decode(CatalogItem.self, record)
    item.revision = revision
    item.state = ItemState(rawValue: state) ?? .archived
    return item
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, _ data: Data
  ) throws(StorageError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw StorageError(
        .damaged, "a record of the catalog cannot be read: \(error)", underlying: error)
    }
  }

  static func jsonText(_ value: some Encodable) throws(StorageError) -> String {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes]
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw StorageError(.io, "a record cannot be stored: \(error)", underlying: error)
    }
  }
}
