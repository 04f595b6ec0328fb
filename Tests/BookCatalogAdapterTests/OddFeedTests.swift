import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

/// Feeds that deviate from their specifications as real servers' feeds do.
@Suite struct OddFeedTests {
  private static let acquisition = "http://opds-spec.org/acquisition"

  private func file(_ href: String, type: String = "application/epub+zip", more: String = "")
    -> String
  {
    "<link rel=\"\(Self.acquisition)\" type=\"\(type)\" href=\"\(href)\" \(more)/>"
  }

  private func item(_ entry: String) async throws -> SourceItem {
    let stage = try CatalogStage(pages: ["/opds": atom(entry)])
    return try await stage.adapter.item(try #require(try await stage.list().references.first))
  }

  @Test(arguments: [2, 3, 25])
  func `a feed that declares more books than it lists, without a next page, is a gap`(
    total: Int
  ) async throws {
    let count =
      "<totalResults xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\(total)</totalResults>"
    let stage = try CatalogStage(pages: [
      "/opds": atom(nav("/list")),
      "/list": atom(count + book("a") + book("b") + "<entry><title>x</title></entry>"),
    ])
    let listed = try await stage.list()
    #expect(listed.references.count == 2)
    #expect(listed.hasEssentialGap == (total > 3))
    #expect(listed.isComplete == (total <= 3))
  }

  @Test func `the number of entries behind previews in groups is no gap`() async throws {
    let feed = """
      {"metadata": {"title": "Home", "numberOfItems": 90}, "links": [], "groups": [
        {"metadata": {"title": "New", "numberOfItems": 40}, "publications": [
          {"metadata": {"title": "A", "identifier": "a"},
           "links": [{"rel": "download", "href": "/a.epub", "type": "application/epub+zip"}]}]}]}
      """
    let listed = try await CatalogStage(pages: ["/opds": feed]).list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(!listed.hasEssentialGap)
  }

  @Test func `an OPDS 2 feed without entries is not a book`() async throws {
    let empty = """
      {"metadata": {"title": "New", "identifier": "urn:new"},
       "links": [{"rel": ["self"], "href": "/new", "type": "application/opds+json"}]}
      """
    let stage = try CatalogStage(pages: ["/opds": atom(nav("/new") + book("a")), "/new": empty])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(listed.gaps.isEmpty)
  }

  @Test func `an entry that a broken feed has cut is not a book without a file`() async throws {
    let author = "<author><name>A</name></author>"
    let whole = atom(book("a", extra: author) + book("b", file("/b.epub"), extra: author))
    let link = try #require(whole.firstRange(of: file("/b.epub")))
    let stage = try CatalogStage(pages: ["/opds": String(whole[..<link.lowerBound])])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(listed.hasEssentialGap && !listed.isComplete)
  }

  @Test func `a publication that only a document of its own describes is found`() async throws {
    let feed = """
      {"metadata": {"title": "T"}, "links": [], "publications": [
        {"metadata": {"title": "A"}, "links": [
          {"rel": "self", "href": "/a.json", "type": "application/opds-publication+json"}]}]}
      """
    let whole = """
      {"metadata": {"title": "A"}, "links": [
        {"rel": "download", "href": "/f/a.epub", "type": "application/epub+zip"}]}
      """
    let stage = try CatalogStage(pages: ["/opds": feed, "/a.json": whole, "/f/a.epub": "PK"])
    let listed = try await stage.list()
    #expect(listed.gaps.isEmpty)
    let item = try await stage.adapter.item(try #require(listed.references.first))
    #expect(item.attachments.map(\.name) == ["A.epub"])
  }

  @Test func `catalogs of a registry are followed`() async throws {
    let registry = """
      {"metadata": {"title": "Registry"}, "links": [], "catalogs": [
        {"metadata": {"title": "Own"}, "links": [
          {"rel": "http://opds-spec.org/catalog", "href": "/own", "type": "application/opds+json"}
        ]}]}
      """
    let stage = try CatalogStage(pages: ["/opds": registry, "/own": atom(book("a"))])
    #expect(try await stage.list().references.map(\.id) == ["a"])
  }

  @Test func `the next page is the feed, not the web page with the same relation`() async throws {
    let links =
      "<link rel=\"next\" type=\"text/html\" href=\"/web?p=2\"/>"
      + "<link rel=\"next\" type=\"application/atom+xml\" href=\"/opds?p=2\"/>"
    let stage = try CatalogStage(pages: [
      "/opds": atom(links + book("a")), "/opds?p=2": atom(book("b")),
      "/web?p=2": "<!doctype html><html></html>",
    ])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a", "b"])
    #expect(listed.isComplete)
  }

  @Test func `a link may have a base URL of its own`() async throws {
    let link =
      "<link xml:base=\"/sub/\" rel=\"\(Self.acquisition)\" type=\"application/epub+zip\" href=\"a.epub\"/>"
    let item = try await item(book("a", link))
    #expect(item.targets == ["https://books.test/sub/a.epub"])
  }

  @Test(arguments: [
    "<summary type=\"html\">&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&lt;br&gt;and&lt;/p&gt;</summary>",
    """
    <summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One</p>
    <p>Two<br/>and</p></div></summary>
    """,
  ])
  func `paragraphs of a summary stay apart`(summary: String) async throws {
    let item = try await item(book("a", extra: summary))
    #expect(item.metadata.summary == "One\nTwo\nand")
    guard case .html(let bytes, _) = item.body else { return #expect(Bool(false)) }
    #expect(String(decoding: bytes, as: UTF8.self) == "<p>One</p><p>Two</p><p>and</p>")
  }

  @Test func `a series told as in EPUB 3 is one`() async throws {
    let series =
      "<meta property=\"belongs-to-collection\" id=\"series\">Dune</meta>"
      + "<meta property=\"group-position\" refines=\"#series\">2.0</meta>"
    let item = try await item(book("a", extra: series))
    #expect(item.metadata.series == ItemSeries("Dune", position: "2"))
  }

  @Test func `a second series is shown and does not give the first one its position`() async throws
  {
    let series =
      "<meta property=\"belongs-to-collection\">Dune</meta>"
      + "<meta property=\"belongs-to-collection\">Classics</meta>"
      + "<meta property=\"group-position\">7</meta>"
    let item = try await item(book("a", extra: series))
    #expect(item.metadata.series == ItemSeries("Dune", position: nil))
    #expect(item.metadata.properties.contains(ItemProperty("Series", "Classics [7]")))
  }

  @Test(arguments: ["12345", "\"MCMXLIII\"", "1943, \"month\": 13"])
  func `a date in parts that is none is shown as it is`(year: String) async throws {
    let feed = """
      {"metadata": {"title": "T"}, "links": [], "publications": [
        {"metadata": {"title": "A", "identifier": "a", "year": \(year)},
         "links": [{"rel": "download", "href": "/a.epub", "type": "application/epub+zip"}]}]}
      """
    let stage = try CatalogStage(pages: ["/opds": feed])
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.metadata.properties.contains { $0.name == "Published" })
  }

  @Test func `a date of publication in parts is one`() async throws {
    let feed = """
      {"metadata": {"title": "T"}, "links": [], "publications": [
        {"metadata": {"title": "A", "identifier": "a", "year": 1943, "month": 6, "day": 1},
         "links": [{"rel": "download", "href": "/a.epub", "type": "application/epub+zip"}]}]}
      """
    let stage = try CatalogStage(pages: ["/opds": feed])
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.metadata.published == CatalogDate.date("1943-06-01"))
  }

  @Test(arguments: [
    ("application/lpf+zip", "/f/Alice.lpf", "a.lpf"), ("audio/x-m4b", "/d/5", "a.m4b"),
    ("application/x-unknown", "/d/5", "a.bin"), ("application/vnd.oasis", "/d/5.odt", "a.odt"),
  ])
  func `a file of another format keeps the ending of its URL`(
    type: String, path: String, name: String
  ) async throws {
    let item = try await item(book("a", file(path, type: type)))
    #expect(item.attachments.map(\.name) == [name])
  }

  @Test(arguments: [
    "Warning: undefined variable in feed.php on line 3\n", "<br />\n<b>Notice</b>: x<br />\n",
  ])
  func `a message of the server before a feed hides no book`(message: String) async throws {
    let stage = try CatalogStage(pages: [
      "/opds": message + atom(nav("/list")), "/list": message + atom(book("a")),
    ])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(listed.isComplete)
  }
}

extension SourceItem {
  /// The URLs of the attachments.
  var targets: [String?] {
    attachments.map { if case .remote(let url) = $0.location { url.absoluteString } else { nil } }
  }
}
