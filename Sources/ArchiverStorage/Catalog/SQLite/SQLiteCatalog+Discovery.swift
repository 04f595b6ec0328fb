package import ArchiverCore

/// Facts about the listings of a source.
package struct Discovery: Sendable, Hashable {
  /// When a full listing was last completed; `nil` if never.
  package var wholeListed: Date?
  /// The number of items that it listed.
  package var wholeFound: Int
  /// The account that the items belong to; `nil` if the source does not say.
  package var account: SourceAccount?
  /// The hash of the credential used; see `noteAccount`.
  package var credential: String?
  /// The number of deletions that were held back when there were suddenly many; 0 if none are.
  package var deletionsHeld = 0

  package init(wholeListed: Date? = nil, wholeFound: Int = 0) {
    self.wholeListed = wholeListed
    self.wholeFound = wholeFound
  }
}

extension SQLiteCatalog {
  /// Returns the facts about a source's listings; empty if it was never listed in full.
  package func discovery(source: String) throws(StorageError) -> Discovery {
    try read { (db) throws(StorageError) in try SQLiteCatalog.discovery(source, db) }
  }

  static func discovery(_ source: String, _ db: Connection) throws(StorageError) -> Discovery {
    guard try SQLiteCatalog.has("discovery", db) else { return Discovery() }
    let held = try Schema.check(db) >= Schema.heldDeletionsVersion ? "deletions_held" : "0"
    return try db.first(
      """
      SELECT whole_listed, whole_found, account, account_name, credential, \(held) FROM discovery
      WHERE source = ?
      """, [source]
    ) { row in
      var known = Discovery(wholeListed: row.optionalDate(0), wholeFound: row.int(1))
      known.account = row.optionalText(2).map {
        SourceAccount(id: $0, name: row.optionalText(3) ?? $0)
      }
      known.credential = row.optionalText(4)
      known.deletionsHeld = row.int(5)
      return known
    } ?? Discovery()
  }

  /// Records the completion of a full listing.
  package func noteWholeListing(
    source: String, at date: Date, found: Int
  ) throws(StorageError) {
    try note("note whole listing", ["whole_listed": date, "whole_found": found], of: source)
  }

  /// Records the account of a source and a hash of the credential that was used.
  package func noteAccount(
    _ account: SourceAccount?, credential: String?, source: String
  ) throws(StorageError) {
    try note(
      "note account",
      ["account": account?.id, "account_name": account?.name, "credential": credential], of: source)
  }

  /// Records how many deletions at the source are held back; 0 for none.
  package func noteHeldDeletions(_ count: Int, source: String) throws(StorageError) {
    try note("note held deletions", ["deletions_held": count], of: source)
  }

  /// Returns the last id that the source was asked about among items its listing did not return;
  /// `nil` to begin with the first.
  package func askedPlace(source: String) throws(StorageError) -> String? {
    try first("SELECT asked_place FROM discovery WHERE source = ?", [source]) {
      $0.optionalText(0)
    } ?? nil
  }

  /// Records the last id that the source was asked about; `nil` to begin with the first.
  package func noteAskedPlace(_ id: String?, source: String) throws(StorageError) {
    try note("note asked place", ["asked_place": id], of: source)
  }

  /// Sets columns of a source, and adds the source if it is unknown.
  private func note(
    _ name: String, _ columns: KeyValuePairs<String, any SQLValue>, of source: String
  ) throws(StorageError) {
    let names = columns.map(\.key)
    let values: [any SQLValue] = [source] + columns.map(\.value)
    let sql = """
      INSERT INTO discovery (source, \(names.joined(separator: ", ")))
      VALUES (?\(String(repeating: ", ?", count: names.count))) ON CONFLICT (source)
      DO UPDATE SET \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
    try write(name) { (db) throws(StorageError) in try db.rows(sql, values) { _ in } }
  }

  /// Whether a table exists: a catalog of an earlier version that is open for reading may lack it.
  static func has(_ table: String, _ db: Connection) throws(StorageError) -> Bool {
    try db.has("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [table])
  }
}
