import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct ShelfTests {
  private func book(_ number: Int, _ title: String, _ properties: [ItemProperty]) -> CatalogItem {
    var sample = SampleArchive()
    var item = sample.item(number, source: "books")
    item.metadata.kind = .book
    item.metadata.title = title
    item.metadata.properties = properties
    return item
  }

  private func page(_ root: String, _ catalog: MemoryCatalog) throws -> String {
    _ = try LibraryBuilder(root: root, catalog: catalog, text: SearchText { _ in "x" })
      .update(changed: nil)
    let data = try #require(FileManager.default.contents(atPath: "\(root)/library/books.html"))
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `series stand in their order, what is in none comes after`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      let page = try page(
        root,
        MemoryCatalog([
          book(1, "Tenth", [ItemProperty("Series", "Tides [10]")]),
          book(2, "Second", [ItemProperty("Series", "Tides [2]")]),
          book(3, "First and a half", [ItemProperty("Series", "Tides [1.5]")]),
          book(4, "Alone", [ItemProperty("Series", "Single [1]")]),
          book(5, "A novel", []),
        ]))
      let order = [
        "Tides</h2>", "First and a half", "Second", "Tenth", "Other books", "A novel", "Alone",
      ]
      let places = order.map { page.firstRange(of: $0)?.lowerBound ?? page.endIndex }
      #expect(places == places.sorted() && !places.contains(page.endIndex))
      #expect(page.contains("<bdi>#1.5</bdi>"))
    }
  }

  @Test func `a book with pages or a PDF can be read from the shelf`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      let items = (1...3).map { book($0, "Book \($0)", []) }
      let pages = "\(root)/\(items[0].folder)/book/text"
      try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
      for name in ["contents.html", "0002.html", "0001.html"] {
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(pages)/\(name)"))
      }
      let folder = "\(root)/\(items[1].folder)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let asset = CachedAsset(
        url: "https://books.example/b.pdf", object: StoredObject(sha256: "ab", byteCount: 1),
        mediaType: "application/pdf")
      let record = ItemRecord(
        items[1], kind: "books", assets: [.init(path: "assets/ab.pdf", asset: asset)],
        generator: "test")
      try Data(record.json()).write(to: URL(fileURLWithPath: "\(folder)/item.json"))
      let page = try page(root, MemoryCatalog(items))
      #expect(page.contains("href=\"../books/item-1/book/text/0001.html\""))
      #expect(page.contains("href=\"../books/item-2/assets/ab.pdf\""))
      #expect(page.components("class=\"button\"") - 1 == 2)
    }
  }

  @Test func `a book of which the queue holds a newer one is marked`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      let items = (1...2).map { book($0, "Book \($0)", []) }
      let catalog = MemoryCatalog(items)
      #expect(try !page(root, catalog).contains("class=\"flag\""))
      catalog.change { state in
        state.work["books"] = [
          WorkItem(
            reference: ItemReference(id: "id2", revision: "9", title: "Book 2"), reason: .changed)
        ]
      }
      let page = try page(root, catalog)
      #expect(page.components("class=\"flag\"") - 1 == 1)
      let flag = try #require(page.firstRange(of: "class=\"flag\"")).lowerBound
      #expect(page[flag...].contains("Book 2") && !page[flag...].contains("Book 1"))
    }
  }

  @Test func `an archive without books has no shelf`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      var sample = SampleArchive()
      _ = try LibraryBuilder(
        root: root, catalog: MemoryCatalog([sample.item(1)]), text: SearchText { _ in "x" }
      ).update(changed: nil)
      #expect(!FileManager.default.fileExists(atPath: "\(root)/library/books.html"))
    }
  }

  @Test(arguments: [
    ("Tides [2]", "Tides", "2"), ("Tides", "Tides", nil), ("[x]", "[x]", nil),
    ("A [b] C [1.5]", "A [b] C", "1.5"), ("", nil, nil),
  ])
  func `series and place are told apart`(text: String, name: String?, place: String?) {
    let parts = SeriesPlace.parts(text)
    #expect(parts.0 == name && parts.1 == place)
  }
}
