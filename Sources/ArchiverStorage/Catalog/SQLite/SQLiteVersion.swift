import CSQLite

/// The library that keeps the catalog.
package enum SQLiteVersion {
  /// "SQLite/3.46.1".
  package static var text: String { "SQLite/" + String(cString: sqlite3_libversion()) }
}
