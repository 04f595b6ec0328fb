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
      .update(isChanged: true)
    let data = try #require(FileManager.default.contents(atPath: "\(root)/library/books.html"))
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `series are sorted, books without a series come last`() async throws {
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
      #expect(page.contains("<bdi>Single #1</bdi>"))
    }
  }

  @Test func `a book with pages, a PDF or plain text can be read from the shelf`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      let items = (1...4).map { book($0, "Book \($0)", []) }
      let pages = "\(root)/\(items[0].folder)/book/text"
      try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
      for name in ["contents.html", "0002.html", "0001.html"] {
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(pages)/\(name)"))
      }
      for (item, type, ending) in [
        (items[1], "application/pdf", "pdf"), (items[2], "text/plain", "txt"),
        (items[3], "application/x-mobipocket-ebook", "mobi"),
      ] {
        let folder = "\(root)/\(item.folder)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let asset = CachedAsset(
          url: "https://books.example/b", object: StoredObject(sha256: "ab", byteCount: 1),
          mediaType: type)
        let record = ItemRecord(
          item, kind: "books", assets: [.init(path: "assets/ab.\(ending)", asset: asset)],
          generator: "test")
        try Data(record.json()).write(to: URL(fileURLWithPath: "\(folder)/item.json"))
      }
      let page = try page(root, MemoryCatalog(items))
      #expect(page.contains("href=\"../books/item-1/book/text/0001.html\""))
      #expect(page.contains("href=\"../books/item-2/assets/ab.pdf\""))
      #expect(page.contains("href=\"../books/item-3/assets/ab.txt\""))
      #expect(page.components("class=\"button\"") - 1 == 3)
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

  @Test func `issues stand together under their magazine, each with its date`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      func issue(_ number: Int, _ name: String, _ date: String) -> CatalogItem {
        var item = book(number, "\(name) \(number)", [ItemProperty("Magazine", name)])
        item.metadata.kind = .periodical
        item.metadata.published = try? Date.ISO8601FormatStyle().parse("\(date)T00:00:00Z")
        return item
      }
      let page = try page(
        root,
        MemoryCatalog([
          issue(1, "Atlas", "2024-05-03"), issue(2, "Atlas", "2024-04-26"),
          issue(3, "Zoo", "2023-01-01"), book(4, "A novel", []),
        ]))
      let order = [
        "Atlas</h2>", "26 April 2024", "Atlas 1", "3 May 2024", "Zoo</h2>", "1 January 2023",
        "Other books", "A novel",
      ]
      var rest = page[...]
      for part in order {
        let found = try #require(rest.firstRange(of: part), "\(part)")
        rest = rest[found.upperBound...]
      }
      #expect(!rest.contains("<time"), "a novel is no issue")
    }
  }

  @Test func `books of the catalog that are not archived stand on the shelf with their status`()
    async throws
  {
    try await TemporaryFolder.with("shelf") { root in
      let catalog = MemoryCatalog([book(1, "Here", [])])
      #expect(try !page(root, catalog).contains("Not in the archive"))
      func absent(_ id: String, source: String = "books", _ state: QueueState) -> AbsentItem {
        AbsentItem(key: ItemKey(source: source, id: id), title: "Title <\(id)>", state: state)
      }
      catalog.change { state in
        state.absent = [
          absent("q", QueueState(reason: .new)),
          absent("f", QueueState(reason: .new, attempts: 2, message: "the file is <broken>")),
          absent("n", QueueState(reason: .new, isLeftOut: true)),
          absent("a", source: "articles", QueueState(reason: .new)),
        ]
      }
      let page = try page(root, catalog)
      let shelf = try #require(page.firstRange(of: "Not in the archive")).upperBound
      let rows = page[shelf...]
      #expect(rows.contains(/Title &lt;q&gt;<\/span> <span[^>]*>Queued</))
      #expect(rows.contains(/Title &lt;f&gt;<\/span> <span[^>]*>Failed<.*the file is &lt;broken/))
      #expect(rows.contains(/Title &lt;n&gt;<\/span> <span[^>]*>Not cached</))
      #expect(!rows.contains("Title &lt;a&gt;"), "only of sources that have books")
    }
  }

  @Test func `the library shows changed states even if no item was archived`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      let items = [book(1, "One", []), book(2, "Two", [])]
      let catalog = MemoryCatalog(items)
      let builder = LibraryBuilder(root: root, catalog: catalog, text: SearchText { _ in "x" })
      _ = try builder.update(isChanged: true)
      func script(_ path: String) throws -> String {
        String(
          decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
      }
      #expect(try !script(ItemData.path(0)).contains("\"status\""))
      #expect(try builder.update(isChanged: false).written.isEmpty)
      catalog.change { $0.states[items[1].key] = QueueState(reason: .changed) }
      #expect(try builder.update(isChanged: false).written.contains(FacetData.path))
      #expect(try script(FacetData.path).contains("\"statuses\":[\"outdated\"]"))
      #expect(try script(ItemData.path(0)).contains("\"status\":{\"outdated\":[1]}"))
      #expect(try builder.update(isChanged: false).written.isEmpty)
      catalog.change {
        $0.absent = [
          AbsentItem(
            key: ItemKey(source: "books", id: "new"), title: "New", state: QueueState(reason: .new))
        ]
      }
      #expect(try builder.update(isChanged: false).written.contains("library/books.html"))
      #expect(try builder.update(isChanged: false).written.isEmpty)
    }
  }

  @Test func `an archive without books has no shelf`() async throws {
    try await TemporaryFolder.with("shelf") { root in
      var sample = SampleArchive()
      _ = try LibraryBuilder(
        root: root, catalog: MemoryCatalog([sample.item(1)]), text: SearchText { _ in "x" }
      ).update(isChanged: true)
      #expect(!FileManager.default.fileExists(atPath: "\(root)/library/books.html"))
    }
  }

  @Test func `series whose names end with a number in brackets stay apart`() {
    func place(_ name: String, _ position: String?) -> SeriesPlace? {
      var metadata = ItemMetadata(kind: .book, title: "T")
      metadata.series = ItemSeries(name, position: position)
      metadata.properties = [ItemProperty("Series", name)]
      return SeriesPlace(metadata)
    }
    let (one, other) = (place("Galactica [1978]", nil), place("Galactica [2003]", "1"))
    #expect(one?.name == "Galactica [1978]" && one?.position == nil)
    #expect(other?.name == "Galactica [2003]" && other?.position == "1")
  }

  @Test(arguments: [
    ("Tides [2]", "Tides", "2"), ("Tides", "Tides", nil), ("[x]", "[x]", nil),
    ("A [b] C [1.5]", "A [b] C", "1.5"), ("", nil, nil),
  ])
  func `series and place are distinguished`(text: String, name: String?, place: String?) {
    let parts = SeriesPlace.parts(text)
    #expect(parts.0 == name && parts.1 == place)
  }
}
