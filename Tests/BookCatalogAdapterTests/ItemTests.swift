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
  func `books for sale or loan are noted and not fetched`(link: String, word: String)
    async throws
  {
    let item = try await item(book("a", link))
    #expect(files(item).isEmpty)
    #expect(item.notes.first?.contains(word) == true, "\(item.notes)")
  }

  @Test func `a brace in the link of a file is a character like others`() async throws {
    let link =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/f/{x}.epub\"/>"
    let item = try await item(book("a", link), pages: ["/f/%7Bx%7D.epub": "PK"])
    #expect(files(item) == ["/f/%7Bx%7D.epub"])
    #expect(item.notes.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a template of OPDS 2 is expanded without values`(isTemplate: Bool) async throws {
    let json = """
      {"metadata":{"title":"Shop"},"publications":[{"metadata":{"identifier":"i","title":"T"},
      "links":[{"href":"/i{x}.pdf","type":"application/pdf","templated":\(isTemplate),
      "rel":"http://opds-spec.org/acquisition"}]}]}
      """
    let path = isTemplate ? "/i.pdf" : "/i%7Bx%7D.pdf"
    let stage = try CatalogStage(pages: ["/opds": json, path: "%PDF"])
    let item = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(files(item) == [path])
  }

  @Test(arguments: ["ftp://books.test/a.epub", "http://", "urn:x", "http://a b:x/"])
  func `a file whose link is no URL counts as missing`(href: String) async throws {
    let link =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"\(href)\"/>"
    let item = try await item(book("a", link))
    #expect(files(item).isEmpty)
    #expect(item.missing.map(\.kind) == [.mainFile])
    #expect(item.missing.allSatisfy { $0.isEssential && $0.isPermanent })
    #expect(item.notes.isEmpty)
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

  @Test(arguments: [
    ("a", "b", ["A"]), ("b", "a", ["A"]), ("x", nil, ["A"]), ("b", "c", []),
  ])
  func `partial entries are completed from a feed`(
    first: String, second: String?, authors: [String]
  ) async throws {
    let file =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" href=\"/f.pdf\"/>"
    let link =
      "<link rel=\"alternate\" type=\"application/atom+xml;type=entry;profile=opds-catalog\" href=\"/e\"/>"
      + file
    func whole(_ id: String) -> String {
      let author = id == "a" || second == nil ? "A" : "B"
      return book(id, file, extra: "<author><name>\(author)</name></author>")
    }
    let start =
      "<entry><title>Start</title><id>s</id><link rel=\"subsection\" type=\"application/atom+xml\" href=\"/opds\"/></entry>"
    let feed = atom(start + whole(first) + (second.map(whole) ?? ""))
    let item = try await item(book("a", link), pages: ["/e": feed, "/f.pdf": "%PDF"])
    #expect(item.metadata.authors == authors)
    #expect(item.notes.count == (authors.isEmpty ? 1 : 0))
  }

  @Test(arguments: [
    ("The Atlas – No. 12, May 2024", "The Atlas", "No. 12, May 2024", "2024-05"),
    ("Neue Rundschau 3/2023", "Neue Rundschau", "3/2023", "2023"),
    ("Wired 2024-05-03", "Wired", "2024-05-03", "2024-05-03"),
    ("Wired (2024/05)", "Wired", "2024/05", "2024-05"),
    ("The Week, 3 May 2024", "The Week", "3 May 2024", "2024-05-03"),
    ("GEO Heft 4 Dezember 2022", "GEO", "Heft 4 Dezember 2022", "2022-12"),
    ("Byte #7", "Byte", "#7", nil), ("Retronaut 1984", "Retronaut", "1984", "1984"),
    ("Mar", "Mar", nil, nil), ("March", "March", nil, nil), ("2024", "2024", nil, nil),
    ("Poems of May", "Poems of May", nil, nil), ("", "", nil, nil),
  ])
  func `titles of issues are taken apart`(
    title: String, name: String, issue: String?, date: String?
  ) {
    let parts = IssueTitle(title)
    #expect(parts.name == name && parts.issue == issue && parts.date == date, "\(parts)")
  }

  @Test func `issues that only their titles tell of are of one magazine`() async throws {
    let tag = "<category term=\"Magazine\"/>"
    let pages = ["/f.epub": "PK"]
    let item = try await item(book("Wired 2024-05-03", Self.both, extra: tag), pages: pages)
    #expect(item.metadata.kind == .periodical)
    #expect(
      item.metadata.properties == [
        ItemProperty("Magazine", "Wired"), ItemProperty("Issue", "2024-05-03"),
      ])
    #expect(
      item.metadata.published?.formatted(Date.ISO8601FormatStyle()) == "2024-05-03T00:00:00Z")
    let dated = book(
      "Wired 2024-05-03", Self.both, extra: tag + "<dc:issued>2020-01-01</dc:issued>")
    #expect(
      try await self.item(
        dated.replacing("<entry>", with: "<entry xmlns:dc=\"http://purl.org/dc/terms/\">"),
        pages: pages
      ).metadata.published?.formatted(Date.ISO8601FormatStyle()) == "2020-01-01T00:00:00Z")
  }

  @Test func `a feed that is named as magazines makes issues of its books`() async throws {
    let pages = ["/f.epub": "PK"]
    let entry = book("Sail 3/2024", Self.both)
    let magazines = try await item(entry, pages: pages) { $0.magazines = ["t"] }
    #expect(magazines.metadata.kind == .periodical, "the feed is called T")
    #expect(magazines.metadata.properties.first == ItemProperty("Magazine", "Sail"))
    #expect(try await item(entry, pages: pages).metadata.kind == .book)
  }

  @Test(arguments: ["magazine", "periodical"])
  func `issues of OPDS 2 name what they belong to`(kind: String) async throws {
    let json = """
      {"metadata":{"title":"Shop"},"publications":[{"metadata":{"identifier":"i",
      "title":"Sail, May","published":"2024-05-01","belongsTo":{"\(kind)":{"name":"Sail",
      "position":5}}},"links":[{"href":"/i.pdf","type":"application/pdf",
      "rel":"http://opds-spec.org/acquisition"}]}]}
      """
    let stage = try CatalogStage(pages: ["/opds": json, "/i.pdf": "%PDF"])
    let item = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(item.metadata.kind == .periodical)
    #expect(
      item.metadata.properties == [ItemProperty("Magazine", "Sail"), ItemProperty("Issue", "5")])
    #expect(
      item.metadata.published?.formatted(Date.ISO8601FormatStyle()) == "2024-05-01T00:00:00Z")
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

  @Test func `calibre's own record leads to files that its feeds omit`() async throws {
    let cover = "<link rel=\"http://opds-spec.org/image\" href=\"/x/get/cover/7/lib\"/>"
    let record = """
      {"main_format":{"cbt":"/x/get/cbt/7/lib"},"other_formats":{"zip":"/x/get/zip/7/lib"}}
      """
    let item = try await item(book("a", cover), pages: ["/x/ajax/book/7/lib": record])
    let file = try #require(item.attachments.first { $0.role == .file })
    #expect(files(item) == ["/x/get/cbt/7/lib"] && item.metadata.kind == .comic)
    #expect(file.mediaType == "application/x-cbt" && file.revision == "2026-01-01T00:00:00Z")
    #expect(item.notes.isEmpty, "\(item.notes)")
    let without = try await self.item(book("a", cover), pages: ["/x/ajax/book/7/lib": "{}"])
    #expect(files(without).isEmpty)
    #expect(without.notes == ["The catalog offers no file of this book."])
  }

  @Test func `the columns of one's own in calibre stand with the book`() async throws {
    let link =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/get/epub/7/lib\"/>"
    let columns = [
      ("#b", "Owned", "bool", "true", ""),
      ("#c", "Opinion", "comments", "\"<p>So <b>so</b></p>\"", ""),
      ("#d", "Read on", "datetime", "\"2020-02-03T22:30:00+00:00\"", ""),
      ("#e", "Never", "datetime", "\"0101-01-01T00:00:00+00:00\"", ""),
      ("#f", "Empty", "text", "null", ""), ("#g", "Length", "int", "321", ""),
      ("#h", "Lists", "text", "[\"a\", \"b\"]", ""), ("#i", "My rating", "rating", "7", ""),
      ("#j", "World", "series", "\"Arda\"", ",\"#extra#\":2.5"), ("#k", "Half", "float", "0.5", ""),
    ].map {
      "\"\($0.0)\":{\"name\":\"\($0.1)\",\"datatype\":\"\($0.2)\",\"#value#\":\($0.3)\($0.4)}"
    }
    let record = "{\"user_metadata\":{\(columns.joined(separator: ","))}}"
    let item = try await item(book("a", link), pages: ["/ajax/book/7/lib": record])
    #expect(
      item.metadata.properties.map { "\($0.name): \($0.value)" } == [
        "Half: 0.5", "Length: 321", "Lists: a, b", "My rating: ★★★½", "Opinion: So so", "Owned: ✓",
        "Read on: 2020-02-03", "World: Arda [2.5]",
      ])
  }

  @Test func `another choice among formats is a change for the books it means`() async throws {
    func revision(
      _ links: String?, _ change: (inout BookCatalogConfiguration) -> Void = { _ in }
    ) async throws -> String? {
      try await CatalogStage(pages: ["/opds": atom(book("a", links))], change).list()
        .references.first?.revision
    }
    let usual = try await revision(Self.both)
    #expect(try await revision(Self.both) { $0.formats = ["epub", "cbz"] } == usual)
    let all = try await revision(Self.both) { $0.allFormats = true }
    let paper = try await revision(Self.both) { $0.formats = ["pdf, epub"] }
    #expect(Set([usual, all, paper]).count == 3)
    #expect(try await revision(nil) == revision(nil) { $0.allFormats = true })
  }

  @Test func `a book that no listing named is not there`() async throws {
    let stage = try CatalogStage(pages: ["/opds": atom(book("a"))])
    await #expect {
      _ = try await stage.adapter.item(ItemReference(id: "b", revision: "0"))
    } throws: {
      ($0 as? AdapterError)?.code == .notFound
    }
  }

  @Test func `Calibre-Web tells when a book came out and numbers series with zeros`() async throws {
    let entry = book(
      "a",
      extra: "<published>1851-10-18T00:00:00+00:00</published><content type=\"xhtml\">"
        + "<div>SERIES: Whales [2.00]<br/></div></content>")
    let maker =
      "<author><name>My books</name><uri>https://github.com/janeczku/calibre-web</uri></author>"
    for (feed, isOut) in [(maker + entry, true), (entry, false)] {
      let item = try await item(feed, pages: ["/f/a.epub": "PK"])
      let came = isOut ? item.metadata.published : item.metadata.added
      #expect(came?.formatted(Date.ISO8601FormatStyle()) == "1851-10-18T00:00:00Z")
      #expect((isOut ? item.metadata.added : item.metadata.published) == nil)
      #expect(item.metadata.properties.first?.value == "Whales [2]")
    }
  }

  @Test func `streamed pages become images of the body`() async throws {
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
    ("1500-03-01T12:00:00+00:00", "1500-03-01T12:00:00Z"), ("1582-10-10", "1582-10-10T00:00:00Z"),
    ("101-01-01T00:00:00+00:00", nil), ("0101-01-01T00:00:00+00:00", nil), ("soon", nil),
  ])
  func `dates of all kinds are read`(text: String, expected: String?) {
    #expect(CatalogDate.date(text).map(UTCTime.text) == expected)
  }

  @Test(arguments: [
    ("circa 1923", "circa 1923"), ("5 May 1999", "5 May 1999"), ("05-06-1999", "05-06-1999"),
    ("2020-05", nil), ("0101-01-01T00:00:00+00:00", nil), ("101-01-01T00:00:00+00:00", nil),
    (" ", nil),
  ])
  func `a date of publication that cannot be read is shown as it is`(text: String, shown: String?) {
    #expect(CatalogDate.unread(text) == shown)
  }

  @Test func `a book shows a date of publication that cannot be read`() async throws {
    let entry = book(
      "a", Self.both, extra: "<issued xmlns=\"http://purl.org/dc/terms/\">circa 1923</issued>")
    let item = try await item(entry)
    #expect(item.metadata.published == nil)
    #expect(item.metadata.properties.contains(ItemProperty("Published", "circa 1923")))
  }
}
