import ArchiverCore

/// Changes of links inside the transaction that records a bundle; see `SQLiteCatalog+Links`.
extension SQLiteCatalog {
  /// The links of an item that the catalog had recorded.
  private struct Known {
    var number: Int
    var folder: String
    var title: String
    var addresses: Set<String> = []
    var targets: [Int: LinkRecord.Use] = [:]
  }

  func store(_ links: LinkRecord, of item: CatalogItem, _ db: Connection) throws(StorageError) {
    let old = try known(item.key, db)
    let number: Int
    if let old { number = old.number } else { number = try insert(item, db) }
    let isMoved = old?.folder != item.folder
    let isRenamed = isMoved || old?.title != item.metadata.title
    if isRenamed, old != nil {
      try db.run(
        "UPDATE link_items SET folder = ?, title = ? WHERE n = ?", item.folder,
        item.metadata.title, number)
    }
    let before = old?.addresses ?? []
    let after = Set(links.addresses)
    // Links to the item may show its title.
    let isElsewhere = isMoved || isRenamed && old != nil
    var changed = isElsewhere ? before.union(after) : before.symmetricDifference(after)
    // Update its neighbours in a series: they show its title, and its position may have changed.
    if isRenamed || !changed.isEmpty {
      changed.formUnion(before.union(after).filter { $0.hasPrefix(LinkAddress.series) })
    }
    try mendPages(linkingTo: changed, but: number, db)
    try mendPages(
      linkedFrom: SQLiteCatalog.named(old?.targets ?? [:], links.targets, all: isRenamed),
      but: number, db)
    try replace(addresses: before, with: after, of: number, db)
    try replace(targets: old?.targets ?? [:], with: links.targets, of: number, db)
    if try isOutdated(links, number, db) {
      try db.run("INSERT OR IGNORE INTO link_work VALUES (?)", number)
    }
  }

  func removeLinks(of key: ItemKey, _ db: Connection) throws(StorageError) {
    guard let old = try known(key, db) else { return }
    try mendPages(linkingTo: old.addresses, but: old.number, db)
    try mendPages(
      linkedFrom: SQLiteCatalog.named(old.targets, [:], all: true), but: old.number, db)
    for table in ["link_work", "link_addresses", "link_targets", "link_items"] {
      try db.run("DELETE FROM \(table) WHERE n = ?", old.number)
    }
  }

  private func known(_ key: ItemKey, _ db: Connection) throws(StorageError) -> Known? {
    let found = try db.first(
      "SELECT n, folder, title FROM link_items WHERE source = ? AND id = ?", [key.source, key.id]
    ) { Known(number: $0.int(0), folder: $0.text(1), title: $0.text(2)) }
    guard var known = found else { return nil }
    known.addresses = Set(
      try db.all("SELECT address FROM link_addresses WHERE n = ?", [known.number]) { $0.text(0) })
    try db.rows("SELECT key, uses FROM link_targets WHERE n = ?", [known.number]) {
      (row) throws(StorageError) in known.targets[row.int(0)] = .init(rawValue: row.int(1))
    }
    return known
  }

  private func insert(_ item: CatalogItem, _ db: Connection) throws(StorageError) -> Int {
    try db.run(
      "INSERT INTO link_items (source, id, folder, title) VALUES (?, ?, ?, ?)", item.key.source,
      item.key.id, item.folder, item.metadata.title)
    return db.lastInsertedRow
  }

  /// Returns the keys of the targets whose list of linking pages changes; with `all`, of every
  /// target that lists the item before or after.
  private static func named(
    _ old: [Int: LinkRecord.Use], _ new: [Int: LinkRecord.Use], all: Bool
  ) -> Set<Int> {
    let before = Set(old.filter { $0.value.contains(.named) }.keys)
    let after = Set(new.filter { $0.value.contains(.named) }.keys)
    return all ? before.union(after) : before.symmetricDifference(after)
  }

  private func mendPages(
    linkingTo addresses: Set<String>, but number: Int, _ db: Connection
  ) throws(StorageError) {
    for address in addresses {
      try db.run(
        """
        INSERT OR IGNORE INTO link_work
        SELECT n FROM link_targets WHERE key = ? AND uses & 1 AND n <> ?
        """, LinkAddress(text: address).key, number)
    }
  }

  private func mendPages(
    linkedFrom keys: Set<Int>, but number: Int, _ db: Connection
  ) throws(StorageError) {
    for key in keys {
      try db.run(
        "INSERT OR IGNORE INTO link_work SELECT n FROM link_addresses WHERE key = ? AND n <> ?",
        key, number)
    }
  }

  private func replace(
    addresses old: Set<String>, with new: Set<String>, of number: Int, _ db: Connection
  ) throws(StorageError) {
    for address in old.subtracting(new) {
      try db.run("DELETE FROM link_addresses WHERE address = ? AND n = ?", address, number)
    }
    for address in new.subtracting(old) {
      try db.run(
        "INSERT OR IGNORE INTO link_addresses VALUES (?, ?, ?)", LinkAddress(text: address).key,
        number, address)
    }
  }

  private func replace(
    targets old: [Int: LinkRecord.Use], with new: [Int: LinkRecord.Use], of number: Int,
    _ db: Connection
  ) throws(StorageError) {
    for key in old.keys where new[key] == nil {
      try db.run("DELETE FROM link_targets WHERE key = ? AND n = ?", key, number)
    }
    for (key, use) in new where old[key] != use {
      try db.run("INSERT OR REPLACE INTO link_targets VALUES (?, ?, ?)", key, number, use.rawValue)
    }
  }

  /// Whether the page was rendered before something that it shows was recorded or removed.
  private func isOutdated(
    _ links: LinkRecord, _ number: Int, _ db: Connection
  ) throws(StorageError) -> Bool {
    for (key, use) in links.targets where use.contains(.shown) {
      let isThere = try db.has("SELECT 1 FROM link_addresses WHERE key = ?", [key])
      if isThere != use.contains(.local) { return true }
    }
    for address in links.addresses {
      let isNamed = try db.has(
        "SELECT 1 FROM link_targets WHERE key = ? AND uses & 2 AND n <> ?",
        [LinkAddress(text: address).key, number])
      if isNamed { return true }
    }
    return false
  }
}
