import ArchiverCore

// How bundles link to each other.
//
//   link_items      the items whose links are known, each with a number
//   link_addresses  what leads to them
//   link_targets    what they link to
//   link_work       those whose page may have to be rewritten
//
// Invariants:
//   1. The links of a bundle change in the transaction that records the bundle.
//   2. The same transaction puts every page into `link_work` whose links, or whose list of linking
//      pages, it may change. So no crash can lose a page that must be updated.
//   3. A key is a hash: a page may be in `link_work` needlessly, but is never missing.
extension SQLiteCatalog {
  /// Returns the archived item that an address leads to; of several, one of `source`, then the
  /// first by folder.
  package func linkTarget(
    _ address: LinkAddress, preferring source: String
  ) throws(StorageError) -> LinkedItem? {
    try first(
      """
      SELECT i.source, i.id, i.folder, i.title FROM link_addresses a JOIN link_items i USING (n)
      WHERE a.key = ? AND a.address = ? ORDER BY i.source = ? DESC, i.folder LIMIT 1
      """, [address.key, address.text, source], SQLiteCatalog.linked)
  }

  /// Returns all items with this address, sorted by folder.
  package func linkedItems(_ address: LinkAddress) throws(StorageError) -> [ItemKey] {
    try all(
      """
      SELECT i.source, i.id FROM link_addresses a JOIN link_items i USING (n)
      WHERE a.key = ? AND a.address = ? ORDER BY i.folder
      """, [address.key, address.text], SQLiteCatalog.key)
  }

  /// Returns the items that link to one of the addresses, sorted by title, then folder.
  package func linkSources(
    _ addresses: [String], except key: ItemKey, limit: Int
  ) throws(StorageError) -> [LinkedItem] {
    let keys = addresses.map { String(LinkAddress(text: $0).key) }
    let json = "[" + keys.joined(separator: ",") + "]"
    return try all(
      """
      SELECT DISTINCT i.source, i.id, i.folder, i.title
      FROM json_each(?) k CROSS JOIN link_targets t ON t.key = k.value
      JOIN link_items i ON i.n = t.n
      WHERE t.uses & 2 AND NOT (i.source = ? AND i.id = ?) ORDER BY i.title, i.folder LIMIT ?
      """, [json, key.source, key.id, limit], SQLiteCatalog.linked)
  }

  /// Returns the archived items that contain an item, sorted by title, then folder.
  package func parents(of key: ItemKey) throws(StorageError) -> [LinkedItem] {
    try all(
      """
      SELECT DISTINCT p.source, p.id, p.folder, p.title
      FROM link_items i JOIN link_targets t ON t.n = i.n AND t.uses & ?
      JOIN link_addresses a ON a.key = t.key JOIN link_items p ON p.n = a.n
      WHERE i.source = ? AND i.id = ? AND p.n <> i.n ORDER BY p.title, p.folder
      """, [LinkRecord.Use.parent.rawValue, key.source, key.id], SQLiteCatalog.linked)
  }

  package func linkedItems() throws(StorageError) -> [(from: ItemKey, to: ItemKey)] {
    try all(
      """
      SELECT DISTINCT s.source, s.id, d.source, d.id
      FROM link_addresses a CROSS JOIN link_targets t ON t.key = a.key
      JOIN link_items s ON s.n = t.n JOIN link_items d ON d.n = a.n
      WHERE t.uses & 9 AND s.n <> d.n AND NOT a.address GLOB ?
      ORDER BY s.folder, d.folder
      """, [LinkAddress.series + "*"]
    ) { (from: SQLiteCatalog.key($0), to: ItemKey(source: $0.text(2), id: $0.text(3))) }
  }

  /// Returns the recorded addresses of an item.
  package func linkAddresses(of key: ItemKey) throws(StorageError) -> [String] {
    try all(
      """
      SELECT a.address FROM link_items i JOIN link_addresses a USING (n)
      WHERE i.source = ? AND i.id = ? ORDER BY a.address
      """, [key.source, key.id]
    ) { $0.text(0) }
  }

  /// Returns items whose pages may have to be rewritten, in a stable order.
  package func mendings(limit: Int) throws(StorageError) -> [ItemKey] {
    try all(
      """
      SELECT i.source, i.id FROM link_work w JOIN link_items i USING (n)
      ORDER BY i.source, i.id LIMIT ?
      """, [limit], SQLiteCatalog.key)
  }

  /// Records that the pages of these items are up to date.
  package func settleMendings(_ keys: [ItemKey]) throws(StorageError) {
    guard !keys.isEmpty else { return }
    try write("settle links") { (db) throws(StorageError) in
      for key in keys { try settleMending(key, db) }
    }
  }

  /// Returns archived items whose links are unknown, as after the catalog was rebuilt.
  package func itemsWithoutLinks(limit: Int) throws(StorageError) -> [ItemKey] {
    // Links are recorded for archived items only, so equal counts mean that none is missing.
    let isComplete = try first(
      "SELECT (SELECT count(*) FROM items) = (SELECT count(*) FROM link_items)"
    ) { $0.bool(0) }
    if isComplete == true { return [] }
    // Merging two indexes is five times as fast as looking each item up.
    return try all(
      """
      SELECT source, id FROM items EXCEPT SELECT source, id FROM link_items
      ORDER BY source, id LIMIT ?
      """, [limit], SQLiteCatalog.key)
  }

  /// Records the links of bundles that are already archived.
  package func storeLinks(
    _ records: [(item: CatalogItem, links: LinkRecord)]
  ) throws(StorageError) {
    try write("links") { (db) throws(StorageError) in
      for record in records { try store(record.links, of: record.item, db) }
    }
  }

  func settleMending(_ key: ItemKey, _ db: Connection) throws(StorageError) {
    try db.run(
      "DELETE FROM link_work WHERE n IN (SELECT n FROM link_items WHERE source = ? AND id = ?)",
      key.source, key.id)
  }

  private static func linked(_ row: Statement) -> LinkedItem {
    LinkedItem(key: key(row), folder: row.text(2), title: row.text(3))
  }
}
