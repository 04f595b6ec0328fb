import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// The identity of an entry across feeds.
struct IdentityTests {
  private static func entry(_ id: String, file: String) -> String {
    let link =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/vnd.comicbook+zip\" href=\"\(file)\"/>"
    return
      "<entry><title>\(file)</title><id>\(id)</id><updated>2026-01-01T00:00:00Z</updated>\(link)</entry>"
  }

  @Test func `a path in place of an id is the same book in every order of a feed`() async throws {
    let orders = ["topGroup=s", "topGroup=s&amp;orderBy=date", "topGroup=s&amp;orderBy=filename"]
    var pages = [
      "/opds": atom(nav("/o0") + nav("/o1") + nav("/o2"))
    ]
    for (number, order) in orders.enumerated() {
      pages["/o\(number)"] = atom(
        (1...3).map { Self.entry("/opds/c/\($0)/1?\(order)", file: "/f/\($0).cbz") }.joined())
    }
    let listed = try await CatalogStage(pages: pages).list()
    #expect(listed.references.map(\.id).sorted() == ["/opds/c/1/1", "/opds/c/2/1", "/opds/c/3/1"])
    #expect(listed.isComplete)
  }

  @Test func `URLs that differ in the query are several books`() async throws {
    let listed = try await CatalogStage(pages: [
      "/opds": atom(
        (1...3).map { Self.entry("/book?id=\($0)", file: "/f/\($0).cbz") }.joined())
    ]).list()
    #expect(Set(listed.references.map(\.id)).count == 3)
  }

  @Test func `books without a file are distinguished by where they are read`() async throws {
    let listed = try await CatalogStage(pages: [
      "/opds": atom(
        (1...3).map { number in
          "<entry><title>Book \(number)</title><id>/?p=\(number)</id>"
            + "<link rel=\"http://vaemendis.net/opds-pse/stream\" type=\"image/jpeg\" "
            + "href=\"/s/\(number)/{pageNumber}\"/></entry>"
        }.joined())
    ]).list()
    #expect(Set(listed.references.map(\.id)).count == 3)
  }

  @Test(arguments: [
    ("application/zip", "/opds/download/107/cbz/", BookFormat.cbz),
    ("application/x-rar", "/opds/download/1955/", .cbr), ("application/x-rar", "/1/cbr/", .cbr),
    ("application/octet-stream", "/comics/2902/Promethea%20001%20%282000%29.cbz", .cbz),
    ("application/vnc.comicbook+zip", "/get/5/x.cbz", .cbz), ("text/fb2-xml", "/get/7", .fb2),
    ("application/vnd.amazon.mobi8-ebook", "/get/8", .azw3), ("image/x-djvu", "/get/9", .djvu),
  ])
  func `formats are known by the types that servers send`(
    type: String, path: String, format: BookFormat
  ) async throws {
    let entry =
      "<entry><title>a</title><id>urn:a</id><link rel=\"http://opds-spec.org/acquisition\" "
      + "type=\"\(type)\" href=\"\(path)\"/></entry>"
    let stage = try CatalogStage(pages: ["/opds": atom(entry), path: "a file"])
    let listed = try await stage.list()
    let item = try await stage.adapter.item(try #require(listed.references.first))
    #expect(item.attachments.first { $0.role == .file }?.mediaType == format.mediaType)
  }

  @Test func `the query of an absolute id belongs to it`() async throws {
    let listed = try await CatalogStage(pages: [
      "/opds": atom(
        (1...2).map { Self.entry("https://books.test/b?id=\($0)", file: "/f/\($0).cbz") }.joined())
    ]).list()
    #expect(
      listed.references.map(\.id) == ["https://books.test/b?id=1", "https://books.test/b?id=2"])
  }

  @Test func `an entry with the id and title of another one but other files is told`() async throws
  {
    func link(_ file: String) -> String {
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/f/\(file)\"/>"
    }
    let feed = book("a", link("1.epub")) + book("a", link("2.epub")) + book("a", link("1.epub"))
    let stage = try CatalogStage(pages: ["/opds": atom(feed + book("b"))])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a", "b"])
    let told = listed.gaps.filter { $0.message.contains("the id and the title of another one") }
    #expect(told.count == 1 && told.allSatisfy { !$0.isEssential }, "\(listed.gaps)")
    #expect(listed.isComplete)
  }
}
