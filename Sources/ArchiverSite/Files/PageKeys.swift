import ArchiverCore
import ArchiverStorage

/// Hashes of the content of pages, so that unchanged pages are not rebuilt.
struct PageKeys {
  private let store: LibraryStore
  /// The hashes of the last update, by the hash of the path, of pages that this update has not noted yet.
  private var known: [UInt64: UInt64] = [:]

  init(_ store: LibraryStore) throws(StorageError) {
    self.store = store
    try store.rows("SELECT path, key FROM pages") { row in known[row.number(0)] = row.number(1) }
  }

  func isKnown(_ path: String, _ key: UInt64) -> Bool { known[WordHash.of(path)] == key }

  /// Records the content of a page; called once per page.
  mutating func note(_ path: String, _ key: UInt64) throws(StorageError) {
    let hash = WordHash.of(path)
    guard known.removeValue(forKey: hash) != key else { return }
    try store.run("INSERT OR REPLACE INTO pages VALUES (?, ?)", hash, key)
  }

  /// Removes the pages that were not noted.
  mutating func finish() throws(StorageError) {
    for path in known.keys { try store.run("DELETE FROM pages WHERE path = ?", path) }
    known = [:]
  }
}
