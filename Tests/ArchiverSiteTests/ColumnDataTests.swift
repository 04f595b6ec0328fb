import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The values of all items by kind, which a large library has.
@Suite struct ColumnDataTests {
  /// Items of many kinds, of which few are equal.
  static func items(_ count: Int) -> [CatalogItem] {
    var sample = SampleArchive(seed: 9)
    return (0..<count).map { number in
      var item = sample.item(number, source: number % 5 == 0 ? "notion" : "readeck")
      item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number))
      item.metadata.title = "Item \(number * 7 % count)"
      if number % 4 == 0 { item.metadata.published = nil }
      if number % 50 == 0 { item.metadata.readingTime = nil }
      if number % 60 == 7 { item.metadata.added = SearchQuery.day("1949-12-31") }
      if number % 70 == 3 { item.state = .deleted }
      if number % 70 == 4 { item.state = .withheld }
      if number % 9 == 0 { item.annotations = [Annotation(id: "a", text: "marked")] }
      if number % 8 == 1 { item.metadata.siteName = item.metadata.site }
      if number % 80 == 2 { (item.metadata.siteName, item.metadata.site) = ("A Site", nil) }
      return item
    }
  }

  static let sizes = DataSizes(limit: 100, column: 128, itemsBesideColumns: 16)

  private func signed(_ number: Int) -> Int { number % 2 == 0 ? number / 2 : -(number + 1) / 2 }

  private struct Column {
    let numbers: [Int]
    let names: [String]

    init(_ kind: ColumnData.Kind, _ number: Int, _ data: ColumnData, count: Int) throws {
      let value = try ItemDataTests.argument(
        data.script(kind, number), "archiverData.column(\"\(kind.rawValue)\",\(number),")
      #expect(value["count"]?.integer == count)
      numbers = try ItemDataTests.numbers(#require(value["numbers"]?.string))
      names = try value["names"]?.array?.map { try #require($0.string) } ?? []
    }
  }

  @Test func `the columns have every value of every item`() throws {
    let rows = Self.items(3_000).map { LibraryRow($0, words: .english) }
    var data = ColumnData()
    for row in rows { data.add(row) }
    func column(_ kind: ColumnData.Kind) throws -> Column {
      try Column(kind, 3, data, count: rows.count)
    }
    var saved = 0
    #expect(
      try column(.saved).numbers.map {
        saved += signed($0)
        return saved
      } == rows.map { Int(($0.saved.timeIntervalSince1970 / 60).rounded(.down)) })
    let ages = try column(.published).numbers
    for (age, row) in zip(ages, rows) {
      guard let published = row.published else {
        #expect(age == 0)
        continue
      }
      let days = [row.saved, published].map {
        Int(($0.timeIntervalSince1970 / 86_400).rounded(.down))
      }
      #expect(signed(age - 1) == days[0] - days[1])
    }
    #expect(ages.count == rows.count && Set(ages).count > 20)
    #expect(try column(.minutes).numbers == rows.map(\.minutes))
    #expect(try column(.states).numbers == rows.map(ItemData.flags))
    let origins = try column(.origins)
    #expect(
      origins.numbers.map { [origins.names[$0 * 2], origins.names[$0 * 2 + 1]] }
        == rows.map { [$0.source, $0.kind.rawValue] })
    let unlabelled = try column(.unlabelled).numbers
    var items: [Int] = []
    for gap in unlabelled.dropFirst() { items.append((items.last ?? -1) + 1 + gap) }
    #expect(unlabelled.first == items.count && items.count > 500)
    #expect(items == rows.indices.filter { rows[$0].labels.isEmpty })
  }

  private func order(_ root: String, _ number: Int) throws -> [Int] {
    let file = try #require(ArchiveFile(OrderData.path(number), in: root).bytes)
    let value = try ItemDataTests.argument(file, "archiverData.column(\"order\",\(number),")
    var items: [Int] = []
    for gap in try ItemDataTests.numbers(#require(value["numbers"]?.string)) {
      items.append((items.last ?? -1) + 1 + signed(gap))
    }
    #expect(value["count"]?.integer == items.count)
    return items
  }

  @Test func `the order of saving has every item, those of a minute by number`() async throws {
    try await TemporaryFolder.with("columns") { root in
      var items = Self.items(300)
      for number in [40, 41, 250] { items[number].metadata.added = SearchQuery.day("2024-02-03") }
      let catalog = MemoryCatalog(items)
      func update() throws -> Set<String> {
        let builder = LibraryBuilder(
          root: root, catalog: catalog, text: SearchText { _ in "harbour" }, data: Self.sizes)
        return try Set(builder.update(isChanged: true).written)
      }
      _ = try update()
      let minutes = items.map {
        (LibraryRow($0, words: .english).saved.timeIntervalSince1970 / 60).rounded(.down)
      }
      let expected = items.indices.sorted { (minutes[$0], $0) < (minutes[$1], $1) }
      #expect(try (0..<3).flatMap { try order(root, $0) } == expected)
      // A new item that was saved last changes the last file.
      var new = items[0]
      new.key = ItemKey(source: "readeck", id: "new")
      new.folder += "-new"
      new.firstArchived = SampleArchive.now.addingTimeInterval(1_000)
      new.metadata.added = SampleArchive.now.addingTimeInterval(1_000)
      catalog.put(new)
      let written = try update()
      #expect(written.filter { $0.hasPrefix("library/data/order-") } == [OrderData.path(2)])
      #expect(try order(root, 2).last == 300)
    }
  }

  private func paths(_ root: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: "\(root)/library/data"))
  }

  @Test func `a change rewrites the file of its item and one column`() async throws {
    try await TemporaryFolder.with("columns") { root in
      var items = Self.items(300)
      let catalog = MemoryCatalog(items)
      func update() throws -> Set<String> {
        let builder = LibraryBuilder(
          root: root, catalog: catalog, text: SearchText { _ in "harbour" }, data: Self.sizes)
        let written = try builder.update(isChanged: true).written
        return Set(written.filter { $0.hasPrefix("library/data/") })
      }
      #expect(
        try update().isSuperset(
          of: ColumnData.Kind.allCases.flatMap { kind in
            (0..<3).map { ColumnData.path(kind, $0) }
          } + (0..<3).map(OrderData.path) + [ItemData.path(18), SiteNames.path]))
      items[200].metadata.isFavourite.toggle()
      catalog.put(items[200])
      #expect(try update() == [ItemData.path(12), ColumnData.path(.states, 1)])
      catalog.change { $0.states[items[202].key] = QueueState(reason: .changed) }
      #expect(
        try update() == [ItemData.path(12), ColumnData.path(.states, 1), FacetData.path])
      // Without columns, they are removed, and the files of items have as many as before.
      for item in items.dropFirst(100) { catalog.remove(item.key) }
      _ = try update()
      let left = try paths(root).filter { !$0.hasPrefix("records-") }
      #expect(left == ["items-0.js", "facets.js", "titles.js"])
    }
  }
}
