import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// The tools of the shelf.
  @Suite(.serialized) struct ShelfTests {
    private static func books() -> [CatalogItem] {
      var sample = SampleArchive()
      let books: [(title: String, author: String?, language: String?, series: String?)] = [
        ("Second Tide", "Ada Quill", "en", "Tides [2]"),
        ("Tide 10", "Ada Quill", "en", "Tides [1]"),
        ("Éclairs", "Bo Baker", "fr-CA", nil), ("Tide 9", "Zoë Zimmer", nil, nil),
        ("A comic", nil, "en", nil),
      ]
      return books.enumerated().map { number, book in
        var item = sample.item(number, source: "books")
        item.metadata.kind = number == 4 ? .comic : .book
        item.metadata.title = book.title
        item.metadata.authors = book.author.map { [$0] } ?? []
        item.metadata.language = book.language
        item.metadata.properties = book.series.map { [ItemProperty("Series", $0)] } ?? []
        item.metadata.added = Date(
          timeIntervalSince1970: 1_000_000 * Double([3, 1, 5, 2, 4][number]))
        item.metadata.isArchived = number == 1
        item.metadata.isFavourite = number == 2
        item.metadata.readProgress = 0
        item.annotations = []
        return item
      }
    }

    /// The names of the files of each book.
    private static let files = [[], ["a.epub"], ["b.epub", "b.pdf"], ["cover.jpg"], ["c.cbz"]]

    private func writeFiles(_ names: [String], of item: CatalogItem, _ root: String) throws {
      let folder = "\(root)/\(item.folder)/assets"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for name in names { try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
    }

    private func titles(_ browser: LibraryBrowser) async throws -> [String] {
      try await browser.run(
        """
        return [...document.querySelectorAll(".shelf .item")].filter((one) => one.checkVisibility())
          .map((one) => one.querySelector("h2").textContent);
        """
      ).array?.compactMap(\.string) ?? []
    }

    private func set(_ id: String, _ value: String, _ browser: LibraryBrowser) async throws {
      try await browser.run(
        """
        const field = document.getElementById("shelf-\(id)");
        field.value = "\(value)";
        field.dispatchEvent(new Event(field.localName === "input" ? "input" : "change"));
        """)
    }

    private static let shelf = ["Tide 10", "Second Tide", "A comic", "Tide 9", "Éclairs"]

    @Test(arguments: LibraryBrowser.Name.allCases)
    func `books are searched, filtered and sorted on the shelf`(
      name: LibraryBrowser.Name
    ) async throws {
      guard let browser = try await LibraryBrowser.start(name) else { return }
      try await TemporaryFolder.with("shelf") { root in
        let books = Self.books()
        for (number, names) in Self.files.enumerated() {
          try writeFiles(names, of: books[number], root)
        }
        _ = try LibraryBuilder(
          root: root, catalog: MemoryCatalog(books), text: SearchText { _ in "x" }
        ).update(isChanged: true)
        try await browser.open("file://\(root)/library/books.html")
        #expect(try await browser.becomes("document.getElementById('shelf-sort')"))
        #expect(try await titles(browser) == Self.shelf)
        for (sort, expected) in [
          ("title", ["A comic", "Éclairs", "Second Tide", "Tide 9", "Tide 10"]),
          ("author", ["Second Tide", "Tide 10", "Éclairs", "Tide 9", "A comic"]),
          ("saved", ["Éclairs", "A comic", "Second Tide", "Tide 9", "Tide 10"]),
          ("", Self.shelf),
        ] {
          try await set("sort", sort, browser)
          #expect(try await titles(browser) == expected, "\(sort)")
        }
        for (id, value, expected) in [
          ("lang", "fr", ["Éclairs"]), ("kind", "comic", ["A comic"]),
          ("format", "epub", ["Tide 10", "Éclairs"]),
          ("format", "pdf", ["Éclairs"]), ("format", "comic", ["A comic"]),
          ("state", "done", ["Tide 10"]), ("state", "favourite", ["Éclairs"]),
          ("find", "ECLAIRS bak", ["Éclairs"]), ("find", "tides", ["Tide 10", "Second Tide"]),
          ("find", "other books", []),
        ] {
          try await set(id, value, browser)
          #expect(try await titles(browser) == expected, "\(id) \(value)")
          let total = try await browser.run("return document.querySelector('.total').textContent;")
          let counts = ["Nothing found", "1 item", "2 items"]
          #expect(total.string == counts[expected.count], "\(id) \(value)")
          try await set(id, "", browser)
        }
        let formats = try await browser.run(
          "return [...document.getElementById('shelf-format').options].map((one) => one.text);")
        #expect(formats.array == ["All formats", "EPUB", "PDF", "Comic (CBZ, CBR)"])
        #expect(try await titles(browser) == Self.shelf)
      }
      await browser.quit()
    }
  }
}
