import ArchiverCore

extension SQLiteCatalog {
  /// Whether SQLite finds no structural damage in a catalog. Read-only.
  static func isWhole(_ path: String) throws(StorageError) -> Bool {
    let answer = try reading(path).first("PRAGMA quick_check(1)", []) { $0.text(0) }
    return answer == "ok"
  }

  /// Returns the item whose bundle is in a folder.
  func item(folder: String) throws(StorageError) -> CatalogItem? {
    try first("SELECT \(SQLiteCatalog.itemColumns) FROM items WHERE folder = ?", [folder]) {
      (row) throws(StorageError) in try SQLiteCatalog.item(row)
    }
  }

  /// Calls `body` with the folder of each item.
  func forEachFolder(_ body: (String) throws(StorageError) -> Void) throws(StorageError) {
    try snapshot().rows("SELECT folder FROM items ORDER BY folder", []) {
      (row) throws(StorageError) in try body(row.text(0))
    }
  }

  /// Calls `body` with each object that a remembered URL returned.
  func forEachObject(_ body: (StoredObject) throws(StorageError) -> Void) throws(StorageError) {
    try snapshot().rows("SELECT DISTINCT sha256, byte_count FROM assets ORDER BY sha256", []) {
      (row) throws(StorageError) in
      try body(StoredObject(sha256: row.text(0), byteCount: row.int(1)))
    }
  }

  /// Whether a remembered URL returned the object.
  func remembers(object digest: String) throws(StorageError) -> Bool {
    try read { (db) throws(StorageError) in
      try db.has("SELECT 1 FROM assets WHERE sha256 = ?", [digest])
    }
  }

  /// Forgets a committed reference to an object.
  func forget(object digest: String) throws(StorageError) {
    try change("forget object", "DELETE FROM objects WHERE sha256 = ?", digest)
  }

  /// Forgets committed references to objects, and the URLs that returned them.
  func forget(objects digests: [String]) throws(StorageError) {
    try write("forget objects") { (db) throws(StorageError) in
      for digest in digests {
        try db.run("DELETE FROM objects WHERE sha256 = ?", digest)
        try db.run("DELETE FROM assets WHERE sha256 = ?", digest)
      }
    }
  }
}
