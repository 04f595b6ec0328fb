import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct NaturalOrderTests {
  @Test func `names are sorted as people sort them`() async throws {
    let names = [
      "9 things", "10 things", "a", "apfel", "Apfel", "Ärzte", "b", "café", "Économie", "file 2",
      "file 10", "file 010 b", "Zebra", "zeta", "Zoo", "資料",
    ]
    #expect(
      NaturalOrder.sorted(names.reversed()).map { $0.lowercased() } == names.map { $0.lowercased() }
    )
    try await TemporaryFolder.with("library") { root in
      var item = SampleArchive().first
      item.metadata.labels = names.shuffled()
      _ = try LibraryBuilder(
        root: root, catalog: MemoryCatalog([item]), text: SearchText { _ in "" }
      ).update(isChanged: true)
      let page = try String(contentsOfFile: root + "/library/labels.html", encoding: .utf8)
      let places = try ["9 things", "10 things", "Ärzte", "café", "Zebra"].map { name in
        try #require(page.firstRange(of: ">\(name)<")).lowerBound
      }
      #expect(places == places.sorted())
    }
  }

  @Test func `a cover that is not wide is shown whole`() {
    for (width, height, isWhole) in [
      (600, 900, true), (900, 900, true), (1_600, 900, false), (1_200, 630, false),
      (3_000, 900, true),
    ] {
      let picture = CatalogItem.Thumbnail(path: "a", width: width, height: height)
      #expect(Tile.isWhole(picture) == isWhole)
    }
    #expect(!Tile.isWhole(CatalogItem.Thumbnail(path: "a")))
    #expect(Tile.isWhole(CatalogItem.Thumbnail(path: "book/assets/0001.jpg")), "a book's cover")
  }
}

extension SampleArchive {
  /// An item.
  fileprivate var first: CatalogItem {
    var sample = self
    return sample.item(0)
  }
}
