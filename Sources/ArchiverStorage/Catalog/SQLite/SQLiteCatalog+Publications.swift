import ArchiverCore

// Publishing bundles; see `Archive.publish` for the order of steps.
//
// Contract:
// 1. `announce` and `record` are each one transaction.
// 2. `intents` returns an intent, without `assets`, until it is recorded or abandoned.
// 3. `record` stores items, assets and objects, and removes each item from the queue or, with
//    `retryImagesAt`, leaves it there as `.incomplete` with one more attempt.
// 4. A recorded removal deletes the item and its queue entry.
// 5. A recorded page update changes only the item; its queue entry stays.
extension SQLiteCatalog {
  package func announce(_ intents: [Intent]) throws(StorageError) {
    // Encoded before taking the lock, as readers of the catalog wait for it.
    var records: [(key: ItemKey, json: String)] = []
    for intent in intents { records.append((intent.key, try SQLiteCatalog.jsonText(intent))) }
    try write("announce") { (db) throws(StorageError) in
      for record in records {
        try db.run(
          "INSERT OR REPLACE INTO intents VALUES (?, ?, ?)", record.key.source, record.key.id,
          record.json)
      }
    }
  }

  package func intents() throws(StorageError) -> [Intent] {
    try all("SELECT intent FROM intents ORDER BY source, id") {
      (row) throws(StorageError) in try SQLiteCatalog.decode(Intent.self, row.data(0))
    }
  }

  package func record(_ intents: [Intent]) throws(StorageError) {
    // Encoded before taking the lock, as in `announce`.
    var records: [String] = []
    for intent in intents { records.append(try intent.item.map(SQLiteCatalog.jsonText) ?? "") }
    try write("record") { (db) throws(StorageError) in
      for (intent, json) in zip(intents, records) {
        switch intent {
        case .publish(let publication): try store(publication, json, db)
        case .remove(let key, _): try remove(key, db)
        case .mend(let publication):
          try store(publication.item, json, db)
          try store(publication.objects, db)
          if let links = publication.links {
            // Items recorded or removed since the page was rendered still have to be considered.
            try store(links, of: publication.item, db)
          } else {
            try settleMending(publication.item.key, db)
          }
        }
        try forget(intent.key, db)
      }
    }
  }

  package func abandon(_ keys: [ItemKey]) throws(StorageError) {
    try write("abandon") { (db) throws(StorageError) in
      for key in keys { try forget(key, db) }
    }
  }

  private func forget(_ key: ItemKey, _ db: Connection) throws(StorageError) {
    try db.run("DELETE FROM intents WHERE source = ? AND id = ?", key.source, key.id)
  }

  private func remove(_ key: ItemKey, _ db: Connection) throws(StorageError) {
    try db.run("DELETE FROM items WHERE source = ? AND id = ?", key.source, key.id)
    try db.run("DELETE FROM queue WHERE source = ? AND id = ?", key.source, key.id)
    try removeLinks(of: key, db)
  }

  /// `json` is the item's record.
  private func store(
    _ publication: Publication, _ json: String, _ db: Connection
  ) throws(StorageError) {
    try store(publication.item, json, db)
    if let links = publication.links { try store(links, of: publication.item, db) }
    try store(publication.objects + publication.assets.map(\.object), db)
    for asset in publication.assets { try store(asset, db) }
    try settleWork(of: publication, db)
  }

  private func store(
    _ item: CatalogItem, _ json: String, _ db: Connection
  ) throws(StorageError) {
    try db.run(
      """
      INSERT INTO items
        (source, id, revision, folder, state, last_archived, byte_count, record, record_hash,
        page_revision)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source, id) DO UPDATE SET revision = excluded.revision,
      folder = excluded.folder, state = excluded.state, last_archived = excluded.last_archived,
      byte_count = excluded.byte_count, record = excluded.record,
      record_hash = excluded.record_hash, page_revision = excluded.page_revision
      """,
      item.key.source, item.key.id, item.revision, item.folder, item.state.rawValue,
      item.lastArchived, item.byteCount, json, WordHash.of(json), item.pageRevision ?? 0)
  }

  private func store(_ objects: [StoredObject], _ db: Connection) throws(StorageError) {
    for object in objects {
      try db.run("INSERT OR IGNORE INTO objects VALUES (?, ?)", object.sha256, object.byteCount)
    }
  }

  private func store(_ asset: CachedAsset, _ db: Connection) throws(StorageError) {
    try db.run(
      "INSERT OR REPLACE INTO assets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      asset.url, asset.object.sha256, asset.object.byteCount, asset.mediaType, asset.width,
      asset.height, asset.etag, asset.lastModified, asset.freshUntil)
  }

  private func settleWork(of publication: Publication, _ db: Connection) throws(StorageError) {
    let item = publication.item
    // If an essential part is missing, it stays queued as failed; abandoned if there is no retry
    // time.
    let failure = item.completeness == .failed ? item.losses?.sentence : nil
    if publication.retryImagesAt == nil, failure == nil {
      try db.run("DELETE FROM queue WHERE source = ? AND id = ?", item.key.source, item.key.id)
      return
    }
    // Normally the entry exists, with the payload that the adapter needs.
    try db.run(
      """
      INSERT OR IGNORE INTO queue (source, id, revision, title, date, reason)
      VALUES (?, ?, ?, ?, ?, 'incomplete')
      """,
      item.key.source, item.key.id, item.revision, item.metadata.title,
      item.metadata.modified ?? item.metadata.added)
    try db.run(
      """
      UPDATE queue SET attempts = CASE reason WHEN 'incomplete' THEN attempts + 1 ELSE 1 END,
      reason = 'incomplete', title = ?5, next_attempt = ?1, failure = ?2, gave_up = ?1 IS NULL,
      failure_order = CASE WHEN ?2 IS NULL THEN NULL
        ELSE (SELECT coalesce(max(failure_order), 0) + 1 FROM queue) END,
      needed = NULL, fetching = 0, blame = 0, deferred_since = NULL, payload = \(SQLiteCatalog.unsignedPayload)
      WHERE source = ?3 AND id = ?4
      """, publication.retryImagesAt, failure, item.key.source, item.key.id, item.metadata.title)
  }
}
