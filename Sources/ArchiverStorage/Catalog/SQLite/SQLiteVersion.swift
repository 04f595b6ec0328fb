import CSQLite

/// The version of SQLite.
package enum SQLiteVersion {
  /// "SQLite/3.46.1".
  package static var text: String { "SQLite/" + String(cString: sqlite3_libversion()) }
}
