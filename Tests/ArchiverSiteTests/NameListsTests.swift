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
    #expect(NameLists.hash(name) == hash)
  }

  @Test(
    arguments: [
      ([], []), ([0], [1, 0]), ([3, 4, 8], [3, 3, 0, 3]), ([0, 1, 100_000], [3, 0, 0, 99_998]),
    ] as [([Int], [Int])])
  func `a list of items has the gaps between them`(items: [Int], numbers: [Int]) throws {
    var bytes: [UInt8] = []
    PostingCode.append(gapsOf: items, to: &bytes)
    let expected = items.isEmpty ? [0] : numbers
    #expect(try ItemDataTests.numbers(String(decoding: bytes, as: UTF8.self)) == expected)
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
        NameLists.number("The \(number)", of: count)
      }
      #expect(Set(numbers) == Set(0..<count))
    }
  }

  /// Reads the files of one kind: the items of each name, or of the two of each site.
  private static func lists(
    _ kind: NameLists.Kind, _ root: String, count: Int
  ) throws -> [[String]: [Int]] {
    let width = kind == .sites ? 2 : 1
    var lists: [[String]: [Int]] = [:]
    for number in 0..<count {
      guard let file = ArchiveFile(NameLists.path(kind, number, of: count), in: root).bytes
      else { continue }
      let value = try ItemDataTests.argument(file, "archiverData.lists(\"\(kind.rawValue)\",")
      let names = try #require(value["names"]?.array).map { try #require($0.string) }
      var rest = try ItemDataTests.numbers(#require(value["numbers"]?.string))[...]
      #expect(!names.isEmpty)
      for start in stride(from: 0, to: names.count, by: width) {
        let name = Array(names[start..<start + width])
        #expect(NameLists.number(name[0], of: count) == number)
        var items: [Int] = []
        for _ in 0..<(rest.popFirst() ?? 0) {
          items.append((items.last ?? -1) + 1 + (rest.popFirst() ?? 0))
        }
        #expect(lists.updateValue(items, forKey: name) == nil, "\(name)")
      }
      #expect(rest.isEmpty)
    }
    return lists
  }

  /// Reads the names of all sites.
  private static func sites(_ root: String) throws -> [[String]] {
    let file = try #require(ArchiveFile(NameLists.sitesPath, in: root).bytes)
    let value = try ItemDataTests.argument(file, "archiverData.sites(")
    var shared = try ItemDataTests.numbers(#require(value["numbers"]?.string))[...]
    let lines = try #require(value["names"]?.string).split(
      separator: "\n", omittingEmptySubsequences: false)
    var last = ["", ""]
    var sites: [[String]] = []
    for start in stride(from: 0, to: lines.count - 1, by: 2) {
      for part in 0..<2 {
        let first = last[part].utf16.prefix(shared.popFirst() ?? 0)
        last[part] = String(decoding: Array(first) + lines[start + part].utf16, as: UTF16.self)
      }
      sites.append(last)
    }
    #expect(shared.isEmpty)
    return sites
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
          .map { $0 == "line\nfeed" ? "line feed" : $0 }
        if names.isEmpty { continue }
        let site = Set(names).count == 1 ? [names[0], ""] : names
        sites[site, default: []].append(number)
      }
      #expect(labels.count == 16 && sites.count == 22)
      #expect(try Self.lists(.labels, root, count: 8) == labels)
      #expect(try Self.lists(.sites, root, count: 8) == sites)
      let listed = try Self.sites(root)
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
        NameLists.path(kind, NameLists.number(names[0], of: 8), of: 8)
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
          itemPath, NameLists.sitesPath, known[1],
          path(.sites, ["Brand New", "longreads.example"]),
        ])
    }
  }
}
