import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The items of labels and sites, which a large library has.
@Suite struct NameListsTests {
  @Test(
    arguments: [
      ("", 0x811c_9dc5), ("a", 0xe40c_292c), ("foobar", 0xbf9c_f968), ("é", 0x1e9d_e8c1),
    ] as [(String, UInt32)])
  func `names have known hashes`(name: String, hash: UInt32) {
    #expect(Fingerprint.short(name.utf8) == hash)
  }

  @Test func `the place of a name is its file and its key there`() {
    let place = NameLists.Place("foobar", of: 16)
    let bits = UInt32(0xbf9c_f968) &* 0x9e37_79b1
    #expect(place.number == Int(bits >> 28) && place.key == Int(bits & 0xff_ffff))
  }

  @Test(arguments: [
    (1, 1), (128, 1), (129, 2), (256, 2), (257, 4), (1_024, 8), (1_025, 16),
  ])
  func `names are in as many files as there are parts of a column, or up to twice as many`(
    count: Int, files: Int
  ) {
    #expect(ColumnDataTests.sizes.lists(count) == files)
  }

  @Test func `names are in all of the files`() {
    for count in [1, 2, 16, 128] {
      let numbers = (0..<count * 20).map { number in
        NameLists.Place("The \(number)", of: count).number
      }
      #expect(Set(numbers) == Set(0..<count))
    }
  }

  /// Reads the files of one kind: the items of each name, or of the two of each site.
  private static func lists(
    _ kind: NameLists.Kind, _ names: some Sequence<[String]>, _ root: String, count: Int
  ) throws -> [[String]: [Int]] {
    let sorted = names.sorted {
      $0.map(ByteKey.init).lexicographicallyPrecedes($1.map(ByteKey.init))
    }
    var lists: [[String]: [Int]] = [:]
    for number in 0..<count {
      let mine = sorted.filter { NameLists.Place($0[0], of: count).number == number }
      guard let file = ArchiveFile(NameLists.path(kind, number, of: count), in: root).bytes
      else {
        #expect(mine.isEmpty)
        continue
      }
      let value = try ItemDataTests.argument(
        file, "archiverNames.lists(\"\(kind.rawValue)\",\(number),")
      var numbers = try ItemDataTests.numbers(#require(value["numbers"]?.string))[...]
      func next() -> Int { numbers.popFirst() ?? 0 }
      let total = next()
      #expect(total == mine.count)
      var (key, last) = (0, [[String]]())
      for _ in 0..<total {
        let gap = next()
        key += gap
        let equal = mine.filter { NameLists.Place($0[0], of: count).key == key }
        last = gap == 0 && !last.isEmpty ? Array(last.dropFirst()) : equal
        let name = try #require(last.first)
        var items: [Int] = []
        for _ in 0..<next() { items.append((items.last ?? -1) + 1 + next()) }
        #expect(lists.updateValue(items, forKey: name) == nil, "\(name)")
      }
      #expect(numbers.isEmpty)
    }
    return lists
  }

  /// Reads the names of all sites.
  private static func sites(_ script: [UInt8]) throws -> [[String]] {
    let value = try ItemDataTests.argument(script, "archiverNames.sites(")
    var lengths = try ItemDataTests.numbers(#require(value["numbers"]?.string))[...]
    var names = try Array(#require(value["names"]?.string).utf16)[...]
    func length() -> Int { lengths.popFirst() ?? 0 }
    func part() -> [UInt16] {
      let count = length()
      defer { names = names.dropFirst(count) }
      return Array(names.prefix(count))
    }
    var (name, host) = ([UInt16](), [UInt16]())
    var sites: [[String]] = []
    while !lengths.isEmpty {
      name = name.prefix(length()) + part()
      let start = host.prefix(length()) + part()
      host = start + host.suffix(length())
      sites.append([name, host].map { String(decoding: $0, as: UTF16.self) })
    }
    #expect(names.isEmpty)
    return sites
  }

  @Test(
    arguments: [
      [], [("a", "")], [("a", "a.example"), ("ab", "ab.example"), ("ab", "b.example"), ("b", "")],
      [("😀 one", "one.example"), ("😁 two", "one.example"), ("x", "x.one.example")],
      [("a", "aaa"), ("b", "aa"), ("c", "aaaa"), ("d", "")],
      [("line\nfeed", "l"), ("\u{301}", "l")],
    ] as [[(String, String)]])
  func `what a site shares with the one before is left out`(names: [(String, String)]) throws {
    let sites = names.map { ItemData.Site(name: $0.0, host: $0.1) }
    let read = try Self.sites(SiteNames.script(sites))
    #expect(read == names.map { [$0.0, $0.1] })
  }

  @Test func `the hosts of a similar form have their differences only`() {
    let sites = ["a", "b", "c"].map { ItemData.Site(name: $0, host: "www.\($0).example") }
    let script = String(decoding: SiteNames.script(sites), as: UTF8.self)
    #expect(script.contains("\"names\":\"awww.a.examplebbcc\""))
  }

  private static func items() -> [CatalogItem] {
    var items = ColumnDataTests.items(600)
    for (number, name) in [
      "Süden & <Norden>", "Süden \"quoted\"", "😀 one", "😁 two", "line\nfeed", "a\\b", "e\u{301}",
    ].enumerated() {
      (items[number].metadata.siteName, items[number].metadata.site) = (name, "\(number).example")
      items[number].metadata.labels.append(name)
    }
    (items[9].metadata.siteName, items[9].metadata.site) = (nil, nil)
    return items
  }

  @Test func `the lists have every label and site of every item`() async throws {
    try await TemporaryFolder.with("lists") { root in
      let rows = Self.items().map { LibraryRow($0, words: .english) }
      _ = try LibraryBuilder(
        root: root, catalog: MemoryCatalog(Self.items()), text: SearchText { _ in "harbour" },
        data: ColumnDataTests.sizes
      ).update(isChanged: true)
      var (labels, sites): ([[String]: [Int]], [[String]: [Int]]) = ([:], [:])
      for (number, row) in rows.enumerated() {
        for label in row.labels { labels[[label], default: []].append(number) }
        let names = [row.site ?? "", row.host ?? ""].filter { !$0.isEmpty }
        if names.isEmpty { continue }
        let site = Set(names).count == 1 ? [names[0], ""] : names
        sites[site, default: []].append(number)
      }
      #expect(labels.count == 16 && sites.count == 22)
      #expect(try Self.lists(.labels, labels.keys, root, count: 8) == labels)
      #expect(try Self.lists(.sites, sites.keys, root, count: 8) == sites)
      let listed = try Self.sites(#require(ArchiveFile(SiteNames.path, in: root).bytes))
      #expect(Set(listed) == Set(sites.keys) && listed.count == sites.count)
      #expect(listed == listed.sorted { ByteKey($0[0]) < ByteKey($1[0]) })
    }
  }

  @Test func `a new name rewrites the files of its kind that have it`() async throws {
    try await TemporaryFolder.with("lists") { root in
      var items = Self.items()
      let catalog = MemoryCatalog(items)
      func update() throws -> Set<String> {
        let written = try LibraryBuilder(
          root: root, catalog: catalog, text: SearchText { _ in "harbour" },
          data: ColumnDataTests.sizes
        ).update(isChanged: true).written
        return Set(written.filter { $0.hasPrefix("library/data/") })
      }
      func path(_ kind: NameLists.Kind, _ names: [String]) -> String {
        NameLists.path(kind, NameLists.Place(names[0], of: 8).number, of: 8)
      }
      #expect(try update().contains(ColumnData.path(.unlabelled, 4)))
      // A label more.
      items[200].metadata.labels = ["sea"]
      catalog.put(items[200])
      _ = try update()
      items[200].metadata.labels = ["sea", "lights"]
      catalog.put(items[200])
      let itemPath = ItemData.path(200 / 16)
      #expect(try update() == [itemPath, FacetData.path, path(.labels, ["lights"])])
      // The last label.
      items[200].metadata.labels = []
      catalog.put(items[200])
      #expect(
        try update() == [
          itemPath, FacetData.path, ColumnData.path(.unlabelled, 1), path(.labels, ["sea"]),
          path(.labels, ["lights"]),
        ])
      // A known site, then another one.
      items[200].metadata.siteName = "Slow Kitchen"
      items[200].metadata.site = "kitchen.example"
      catalog.put(items[200])
      _ = try update()
      items[200].metadata.siteName = "Long Reads"
      items[200].metadata.site = "longreads.example"
      catalog.put(items[200])
      let known = [
        path(.sites, ["Slow Kitchen", "kitchen.example"]),
        path(.sites, ["Long Reads", "longreads.example"]),
      ]
      // The tile of an item without a picture has the colour of its host.
      #expect(try update() == Set([itemPath, RecordData.path(200 / 16)] + known))
      items[200].metadata.siteName = "Brand New"
      catalog.put(items[200])
      #expect(
        try update() == [
          itemPath, SiteNames.path, known[1],
          path(.sites, ["Brand New", "longreads.example"]),
        ])
    }
  }
}
