import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct BookFormatTests {
  @Test(arguments: [
    ("ab.epub", BookFormat.epub), ("ab.pdf", .pdf), ("ab.cbr", .comic), ("ab.mobi", .mobi),
    ("ab.azw3", .mobi), ("ab.fb2", .fb2), ("ab.fb2.zip", .fb2), ("ab.fb2.gz", .fb2),
    ("ab.djvu", .djvu), ("ab.txt", .text), ("ab.m4b", .audio), ("ab.bin", .other),
    ("ab.zip", .other), ("ab.jpg", nil), ("ab.csv", nil), (".ab.epub", nil), ("", nil),
  ])
  func `the format of a file follows from its name`(name: String, format: BookFormat?) {
    #expect(BookFormat.of(name: name, isComic: false) == format)
  }

  @Test(arguments: ["ab.xyz", "ab.docx", "ab.fb2.xyz", "ab", "epub", "ab."], [false, true])
  func `a file with an unknown extension, or without one, is in another format`(
    name: String, isComic: Bool
  ) {
    #expect(BookFormat.of(name: name, isComic: isComic) == .other)
  }

  @Test func `a packed file of a comic counts as a comic`() {
    #expect(BookFormat.of(name: "ab.zip", isComic: true) == .comic)
    #expect(BookFormat.of(name: "ab.7z", isComic: true) == .comic)
    #expect(BookFormat.of(name: "ab.pdf", isComic: true) == .pdf)
  }

  @Test func `every format has a name in every language`() {
    for words in Words.all {
      for format in BookFormat.allCases {
        #expect(words.texts["format.\(format.rawValue)"] != nil, "\(words.language) \(format)")
      }
    }
  }

  @Test func `the shelf tells the formats of a book once each, in the same order`() async throws {
    try await TemporaryFolder.with("formats") { root in
      var sample = SampleArchive()
      let items = (0..<2).map { number in
        var item = sample.item(number, source: "books")
        item.metadata.kind = .book
        return item
      }
      let folder = "\(root)/\(items[0].folder)/assets"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for name in ["1.pdf", "2.epub", "3.jpg", "4.epub", "5.mobi", "6"] {
        try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      _ = try LibraryBuilder(
        root: root, catalog: MemoryCatalog(items), text: SearchText { _ in "x" }
      ).update(isChanged: true)
      let bytes = try #require(FileManager.default.contents(atPath: "\(root)/library/books.html"))
      let page = String(decoding: bytes, as: UTF8.self)
      #expect(page.matches(of: /data-format="epub pdf mobi other"/).count == 1)
      #expect(page.matches(of: /data-format=/).count == 1, "a book without files has no format")
    }
  }
}
