import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

@Suite struct ItemTests {
  private func item(
    _ entry: String, pages: [String: String] = [:],
    _ change: (inout BookCatalogConfiguration) -> Void = { _ in }
  ) async throws -> SourceItem {
    var pages = pages
    pages["/opds"] = atom(entry)
    let stage = try CatalogStage(pages: pages, change)
    let reference = try #require(try await stage.list().references.first)
    return try await stage.adapter.item(reference)
  }

  private func files(_ item: SourceItem) -> [String] {
    item.attachments.filter { $0.role == .file }.map {
      guard case .remote(let url) = $0.location else { return "inline" }
      return url.path
    }
  }

  private static let both =
    "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" href=\"/f.pdf\"/>"
    + "<link rel=\"http://opds-spec.org/acquisition/open-access\" type=\"application/epub+zip\" href=\"/f.epub\"/>"
    + "<link rel=\"http://opds-spec.org/acquisition/sample\" type=\"application/epub+zip\" href=\"/s.epub\"/>"

  @Test func `an EPUB is preferred to a PDF and samples are left out`() async throws {
    let pages = ["/f.epub": "PK", "/f.pdf": "%PDF"]
    #expect(try await files(item(book("a", Self.both), pages: pages)) == ["/f.epub"])
    #expect(
      try await files(item(book("a", Self.both), pages: pages) { $0.formats = ["pdf"] }) == [
        "/f.pdf"
      ])
    #expect(
      try await files(item(book("a", Self.both), pages: pages) { $0.allFormats = true }) == [
        "/f.epub", "/f.pdf",
      ])
  }

  @Test func `what calibre writes into the description becomes metadata`() async throws {
    let catalog = FakeCatalog([.init(2, series: "Saga", tags: ["Magazine", "x"])])
    let stage = try CatalogStage(catalog.respond)
    let item = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(item.metadata.kind == .periodical)
    #expect(item.metadata.labels == ["Magazine", "x"])
    #expect(item.metadata.properties.contains(ItemProperty("Magazine", "Saga")))
    #expect(item.metadata.properties.contains(ItemProperty("Issue", "2")))
    guard case .html(let html, _) = item.body else {
      Issue.record("no description")
      return
    }
    #expect(String(decoding: html, as: UTF8.self) == "<p>About Book 2</p>")
    #expect(item.attachments.map(\.role) == [.cover, .file])
  }

  @Test func `a changed file is another revision`() async throws {
    let catalog = FakeCatalog([.init(1)])
    let stage = try CatalogStage(catalog.respond)
    let before = try #require(try await stage.list().references.first)
    let old = try await stage.adapter.item(before).attachments.last?.revision
    catalog.books[0].updated = "2026-02-02T00:00:00+00:00"
    let after = try #require(try await stage.list().references.first)
    #expect(before.id == after.id && before.revision != after.revision)
    #expect(try await stage.adapter.item(after).attachments.last?.revision != old)
  }

  @Test(arguments: [
    (
      "<link rel=\"http://opds-spec.org/acquisition/buy\" href=\"/b\"><price currencycode=\"EUR\">9.99</price></link>",
      "sale (EUR 9.99)"
    ),
    ("<link rel=\"http://opds-spec.org/acquisition/borrow\" href=\"/b\"/>", "lends"),
    (
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/vnd.readium.lcp.license.v1.0+json\" href=\"/b\"/>",
      "licence"
    ),
    (
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/atom+xml\" href=\"/b\"><indirectAcquisition type=\"application/epub+zip\"/></link>",
      "licence"
    ),
  ])
  func `what has to be bought or borrowed is noted and not fetched`(link: String, word: String)
    async throws
  {
    let item = try await item(book("a", link))
    #expect(files(item).isEmpty)
    #expect(item.notes.first?.contains(word) == true, "\(item.notes)")
  }

  @Test func `partial entries are completed`() async throws {
    let link =
      "<link rel=\"alternate\" type=\"application/atom+xml;type=entry;profile=opds-catalog\" href=\"/e\"/>"
      + "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" href=\"/f.pdf\"/>"
    let whole =
      "<entry xmlns=\"http://www.w3.org/2005/Atom\" xmlns:dc=\"x\"><title>a</title><id>a</id><dc:language>English</dc:language><dc:publisher>P</dc:publisher></entry>"
    let item = try await item(book("a", link), pages: ["/e": whole, "/f.pdf": "%PDF"])
    #expect(item.metadata.language == "en")
    #expect(item.metadata.properties.contains(ItemProperty("Publisher", "P")))
  }

  @Test func `calibre's own record completes a book`() async throws {
    let link =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/get/epub/7/lib\"/>"
    let record =
      "{\"languages\":[\"deu\"],\"publisher\":\"V\",\"series\":\"S\",\"series_index\":2.0,\"identifiers\":{\"isbn\":\"1\"},\"comments\":\"<p>C</p>\"}"
    let item = try await item(book("a", link), pages: ["/ajax/book/7/lib": record])
    #expect(item.metadata.language == "de")
    #expect(item.metadata.properties.map(\.value) == ["S [2]", "V", "isbn:1"])
  }

  @Test func `streamed pages become pictures of the body`() async throws {
    let link =
      "<link rel=\"http://vaemendis.net/opds-pse/stream\" xmlns:pse=\"p\" pse:count=\"2\" type=\"image/jpeg\" href=\"/p/{pageNumber}?w={maxWidth}\"/>"
    let item = try await item(book("a", link))
    #expect(item.metadata.kind == .comic)
    guard case .html(let html, _) = item.body else {
      Issue.record("no pages")
      return
    }
    let text = String(decoding: html, as: UTF8.self)
    #expect(text.contains("https://books.test/p/0?w=1600"))
    #expect(text.contains("https://books.test/p/1?w=1600"))
    #expect(!text.contains("/p/2"))
  }

  @Test func `a key in the path is shown nowhere`() async throws {
    let stage = try CatalogStage(
      { request in
        request.path.hasSuffix("epub")
          ? .text("PK", type: "application/epub+zip")
          : .text(
            atom(
              book(
                "a",
                "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/api/opds/SECRETKEY/a.epub\"/>"
              )))
      }, path: "/api/opds/SECRETKEY")
    let item = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(!String(decoding: item.record ?? [], as: UTF8.self).contains("SECRETKEY"))
    #expect(item.metadata.url == nil)
  }

  @Test(arguments: [
    ("2009-09-30 02:39:29.413927", "2009-09-30T02:39:29Z"), ("2020", "2020-01-01T00:00:00Z"),
    ("2020-05", "2020-05-01T00:00:00Z"), ("2026-11-20T23:44:16+00:00", "2026-11-20T23:44:16Z"),
    ("101-01-01T00:00:00+00:00", nil), ("0101-01-01T00:00:00+00:00", nil), ("soon", nil),
  ])
  func `dates of all kinds are read`(text: String, expected: String?) {
    #expect(CatalogDate.date(text)?.formatted(Date.ISO8601FormatStyle()) == expected)
  }
}
