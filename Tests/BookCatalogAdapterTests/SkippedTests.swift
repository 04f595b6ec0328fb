import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// Everything skipped in a catalog is reported.
@Suite struct SkippedTests {
  @Test(arguments: ["start", "up", "subsection", "http://opds-spec.org/sort/new", "related"])
  func `a way to a feed is followed whatever its relation`(relation: String) async throws {
    let stage = try CatalogStage(pages: [
      "/opds": atom(nav("/n", rel: relation)), "/n": atom(book("a")),
    ])
    #expect(try await stage.list().references.map(\.id) == ["a"])
  }

  @Test(arguments: ["application/xml", "text/xml", "application/json", "application/octet-stream"])
  func `a way to a feed is followed whatever its vague type`(type: String) async throws {
    let stage = try CatalogStage(pages: [
      "/opds": atom(nav("/n", type: type)),
      "/n": type.hasSuffix("json")
        ? "{\"publications\":[{\"metadata\":{\"title\":\"a\",\"identifier\":\"a\"},\"links\":[{\"href\":\"/a.epub\",\"type\":\"application/epub+zip\",\"rel\":\"http://opds-spec.org/acquisition\"}]}]}"
        : atom(book("a")),
    ])
    #expect(try await stage.list().references.map(\.id) == ["a"])
  }

  @Test(arguments: [
    "<link type=\"application/epub+zip\" href=\"/a\"/>",
    "<link rel=\"alternate\" type=\"application/epub+zip\" href=\"/a\"/>",
    "<link rel=\"enclosure\" type=\"application/epub+zip\" href=\"/a\"/>",
    "<link rel=\"enclosure\" type=\"application/octet-stream\" href=\"/a.epub\"/>",
  ])
  func `a book without an acquisition relation is downloaded`(link: String) async throws {
    let stage = try CatalogStage(pages: ["/opds": atom(book("a", link))])
    let reference = try #require(try await stage.list().references.first)
    let entry = try #require(BookPayload.entry(reference.payload))
    #expect(entry.links.first?.isDownload == true)
  }

  @Test func `a page about a book and a text are no downloads`() async throws {
    let stage = try CatalogStage(pages: [
      "/opds": atom(
        book(
          "a",
          "<link rel=\"alternate\" type=\"text/html\" href=\"/a.epub\"/>"
            + "<link type=\"text/plain\" href=\"/a.txt\"/>"))
    ])
    #expect(try await stage.list().references.isEmpty)
  }

  @Test func `feeds on another port of the catalog's host are read`() async throws {
    let base = try #require(WebURL("https://books.test/opds"))
    let other = try #require(WebURL("https://books.test:8443/"))
    let client = HandlerHTTPClient(handlers: [
      base.origin: { _ in .text(atom(nav("https://books.test:8443/n"))) },
      other.origin: { _ in .text(atom(book("a"))) },
    ])
    let adapter = try BookCatalogAdapter(
      configuration: BookCatalogConfiguration(url: base.absoluteString),
      context: AdapterContext(name: "books", http: client))
    var references: [ItemReference] = []
    for try await page in adapter.listing(since: nil) { references += page.references }
    #expect(references.map(\.id) == ["a"])
  }

  @Test func `links to other hosts and of unknown types are reported`() async throws {
    let stage = try CatalogStage(pages: [
      "/opds": atom(
        nav("https://elsewhere.test/opds") + nav("/x", type: "application/x-thing") + book("a"))
    ])
    let listed = try await stage.list()
    #expect(listed.gaps.count == 2)
    #expect(listed.gaps.allSatisfy { !$0.isEssential })
    #expect(listed.gaps.contains { $0.message.contains("elsewhere.test") })
    #expect(listed.gaps.contains { $0.message.contains("application/x-thing") })
  }

  @Test func `books that share one id are all named, by the same ids each time`() async throws {
    func entry(_ name: String) -> String {
      book(name).replacing("<id>\(name)</id>", with: "<id>urn:same</id>")
    }
    let names = ["a", "b", "c", "d", "e"]
    let one = try await CatalogStage(pages: ["/opds": atom(names.map(entry).joined())]).list()
    let two = try await CatalogStage(pages: ["/opds": atom(names.reversed().map(entry).joined())])
      .list()
    #expect(one.references.map(\.title) == names)
    #expect(Set(one.references.map(\.id)).count == 5)
    #expect(Set(one.references.map(\.id)) == Set(two.references.map(\.id)))
  }

  @Test func `one book in two feeds is one, though its titles differ`() async throws {
    let other = book("a").replacing("<title>a</title>", with: "<title>A, once more</title>")
    let stage = try CatalogStage(pages: [
      "/opds": atom(nav("/one") + nav("/two")), "/one": atom(book("a")), "/two": atom(other),
    ])
    #expect(try await stage.list().references.count == 1)
  }

  @Test func `a complete feed that leads to itself is read to its last page`() async throws {
    let itself =
      "<link rel=\"http://opds-spec.org/crawlable\" type=\"application/atom+xml\" href=\"/all\"/>"
    let next = "<link rel=\"next\" type=\"application/atom+xml\" href=\"/all?p=2\"/>"
    let stage = try CatalogStage(pages: [
      "/opds": atom(itself), "/all": atom(itself + next + book("a")),
      "/all?p=2": atom(itself + book("b")),
    ])
    #expect(try await stage.list().references.map(\.id) == ["a", "b"])
  }

  @Test(arguments: [
    "<link rel=\"next\" href=\"http://[broken\"/>", "<link rel=\"next\" href=\"\"/>",
    "<link rel=\"next\"/>", "<link rel=\"next\" href=\" \"/><totalResults>2</totalResults>",
  ])
  func `a feed that continues at no URL is a gap`(next: String) async throws {
    let stage = try CatalogStage(pages: ["/opds": atom(next + book("a"))])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(listed.hasEssentialGap && !listed.isComplete)
  }

  /// Some servers leave the link empty on the last page.
  @Test func `a feed with all its books is complete, though its next page has no address`()
    async throws
  {
    let stage = try CatalogStage(pages: [
      "/opds": atom("<link rel=\"next\" href=\"/2\"/><totalResults>2</totalResults>" + book("a")),
      "/2": atom("<link rel=\"next\" href=\"\"/><totalResults>2</totalResults>" + book("b")),
    ])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a", "b"])
    #expect(listed.isComplete && listed.gaps.isEmpty)
  }

  @Test(arguments: [
    ("http://[broken", false), ("https://books.test:99999/x", false), ("", false), (" ", false),
    ("mailto:me@books.test", true),
    ("urn:uuid:1", true),
  ])
  func `after a way to a broken URL no book counts as removed`(
    address: String, isComplete: Bool
  ) async throws {
    let stage = try CatalogStage(pages: ["/opds": atom(nav(address) + book("a"))])
    let listed = try await stage.list()
    #expect(listed.isComplete == isComplete)
    #expect(listed.gaps.map(\.isEssential) == [false])
  }

  @Test(arguments: ["http://[broken", ""])
  func `a broken way in a catalog of JSON is told too`(address: String) async throws {
    let stage = try CatalogStage(pages: [
      "/opds":
        "{\"metadata\":{\"title\":\"t\"},\"navigation\":[{\"title\":\"n\",\"href\":\"\(address)\",\"type\":\"application/opds+json\"}],\"publications\":[]}"
    ])
    let listed = try await stage.list()
    #expect(!listed.isComplete)
    #expect(listed.gaps.contains { $0.message.contains("not URLs") })
  }

  @Test(arguments: [
    ("<link rel=\"http://opds-spec.org/image\" href=\"http://[broken\"/>", 0, 1),
    (
      "<link rel=\"http://opds-spec.org/image\" href=\"http://[broken\"/>"
        + "<link rel=\"http://opds-spec.org/image/thumbnail\" href=\"/small\"/>", 1, 1
    ),
    (
      "<link rel=\"http://opds-spec.org/image\" href=\"\"/>"
        + "<link rel=\"http://opds-spec.org/image/thumbnail\" href=\"/small\"/>", 1, 1
    ),
    (
      "<link rel=\"http://opds-spec.org/image\" href=\"http://[broken\"/>"
        + "<link rel=\"http://opds-spec.org/cover\" href=\"/large\"/>", 1, 0
    ),
    ("<link rel=\"http://opds-spec.org/image\"/>", 0, 1),
    ("<link rel=\"http://opds-spec.org/image\" href=\"data:image/png;base64,iVBO\nRw==\"/>", 1, 0),
    ("<link rel=\"http://opds-spec.org/image\" href=\"data:image/png;base64,?\"/>", 0, 1),
    ("", 0, 0),
  ])
  func `a cover without a usable link is missing`(
    links: String, covers: Int, missing: Int
  ) async throws {
    let stage = try CatalogStage { request in
      request.path == "/opds"
        ? .text(atom(book("a", extra: links)))
        : .data(Array("PK".utf8), type: "application/epub+zip")
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.attachments.count { $0.role == .cover } == covers)
    #expect(item.missing.map(\.kind) == Array(repeating: .picture, count: missing))
  }

  @Test(arguments: [
    ("[{\"href\":\"http://[broken\"},{\"href\":\"/small\"}]", 1, 1),
    ("[{\"type\":\"image/png\"},{\"href\":\"/small\"}]", 1, 1),
    ("[{\"href\":\"/large\"},{\"href\":\"http://[broken\"}]", 1, 0),
    ("[{\"type\":\"image/png\"}]", 0, 1), ("[]", 0, 0),
  ])
  func `a cover of OPDS 2 without a usable link is missing`(
    images: String, covers: Int, missing: Int
  ) async throws {
    let json = """
      {"metadata":{"title":"Shop"},"publications":[{"metadata":{"identifier":"i","title":"T"},
      "links":[{"href":"/i.pdf","type":"application/pdf","rel":"http://opds-spec.org/acquisition"}],
      "images":\(images)}]}
      """
    let stage = try CatalogStage(pages: ["/opds": json, "/i.pdf": "%PDF"])
    let item = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(item.attachments.count { $0.role == .cover } == covers)
    #expect(item.missing.map(\.kind) == Array(repeating: .picture, count: missing))
  }

  @Test(arguments: ["acquisition", "stream"])
  func `a book whose link is empty lacks its file`(relation: String) async throws {
    let link =
      relation == "stream"
      ? "<link xmlns:p=\"http://vaemendis.net/opds-pse/ns\" rel=\"http://vaemendis.net/opds-pse/stream\" p:count=\"3\" href=\"\"/>"
      : "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"\"/>"
    let stage = try CatalogStage(pages: ["/opds": atom(book("a", link))])
    let item = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(item.missing.map(\.kind) == [.mainFile])
    #expect(item.notes.isEmpty)
  }

  @Test func `pages whose link is no URL are missing`() async throws {
    let link =
      "<link xmlns:p=\"http://vaemendis.net/opds-pse/ns\" rel=\"http://vaemendis.net/opds-pse/stream\" p:count=\"3\" href=\"http://[broken/{pageNumber}\"/>"
    let stage = try CatalogStage(pages: ["/opds": atom(book("a", link))])
    let item = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(item.missing.map(\.kind) == [.mainFile])
  }
}
