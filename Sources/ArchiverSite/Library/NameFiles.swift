import ArchiverStorage

/// Writes the files of `NameLists` and `SiteNames`.
enum NameFiles {
  /// - Parameters:
  ///   - rows: All rows, in the order of the items' numbers.
  ///   - count: The number of files of each kind.
  static func write(_ rows: RowList, _ count: Int, to files: SiteFiles) throws {
    try labels(rows.table, count).forEach(files.put)
    let sites = try items(rows.table)
    var lists = NameLists(.sites, count: count)
    for (site, items) in sites { lists.add(site.name, items) }
    try lists.forEach(files.put)
    try files.put(SiteNames.path, SiteNames.script(sites.map(\.site)))
  }

  private static func labels(
    _ table: RowTable, _ count: Int
  ) throws(StorageError) -> NameLists {
    var lists = NameLists(.labels, count: count)
    var (name, items) = ("", [Int32]())
    try table.store.rows("SELECT name, number FROM labels ORDER BY name, number") { row in
      let next = row.text(0)
      if ByteKey(next) != ByteKey(name) {
        if !items.isEmpty { lists.add(name, items.sorted()) }
        (name, items) = (next, [])
      }
      items.append(Int32(table.place(row.int(1))))
    }
    if !items.isEmpty { lists.add(name, items.sorted()) }
    return lists
  }

  /// Returns the sites with the numbers of their items, sorted by the bytes of their names.
  private static func items(
    _ table: RowTable
  ) throws(StorageError) -> [(site: ItemData.Site, items: [Int32])] {
    var numbers: [Int: Int] = [:]
    var names = NameTable<ItemData.Site>()
    var lists: [[Int32]] = []
    var place: Int32 = 0
    try table.store.rows(
      "SELECT origin FROM items INDEXED BY oldest ORDER BY archived, source, id"
    ) { (row) throws(StorageError) in
      defer { place += 1 }
      let origin = row.int(0)
      var number = numbers[origin]
      if number == nil {
        number = names.number(of: ItemData.Site(of: try table.shared.origin(origin)))
        if number == lists.count { lists.append([]) }
        numbers[origin] = number
      }
      if let number { lists[number].append(place) }
    }
    return zip(names.names, lists).filter { !$0.0.name.isEmpty }
      .map { (key: (ByteKey($0.name), ByteKey($0.host)), site: $0, items: $1) }
      .sorted { $0.key < $1.key }
      .map { ($0.site, $0.items) }
  }
}
