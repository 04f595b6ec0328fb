import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

@Suite struct CrawlTests {
  @Test(arguments: [
    ("", "<author><name>A</name></author>", true),
    ("<link rel=\"http://opds-spec.org/image\" type=\"image/jpeg\" href=\"/c\"/>", "", true),
    ("<link type=\"text/html\" href=\"/c\"/>", "<author><name>A</name></author>", true),
    ("", "", false), ("<link type=\"text/html\" href=\"/c\"/>", "", false),
    ("<link type=\"application/atom+xml\" href=\"/n\"/>", "<author><name>A</name></author>", false),
  ])
  func `an entry with authors or a cover that leads nowhere is a book without a file`(
    link: String, more: String, isBook: Bool
  ) async throws {
    let listed = try await CatalogStage(pages: [
      "/opds": atom(book("b") + book("a", link, extra: more)), "/n": atom(""),
    ]).list()
    #expect(listed.references.map(\.id) == ["b"] + (isBook ? ["a"] : []))
  }

  @Test func `names each book once whatever feeds it is in`() async throws {
    let catalog = FakeCatalog((1...37).map { FakeCatalog.Book($0) }, pageSize: 30)
    let stage = try CatalogStage(catalog.respond)
    let listed = try await stage.list()
    #expect(listed.references.count == 37)
    #expect(Set(listed.references.map(\.id)).count == 37)
    #expect(Set(stage.paths()).count == stage.paths().count, "each feed once")
  }

  @Test func `a feed that is not there leaves a gap`() async throws {
    let listed = try await CatalogStage(FakeCatalog([.init(1)]).respond).list()
    #expect(!listed.isComplete)
    let whole = try await CatalogStage(pages: ["/opds": atom(book("a"))]).list()
    #expect(whole.isComplete)
  }

  @Test func `facets, searches, samples and loans are not followed`() async throws {
    let stage = try CatalogStage(pages: [
      "/opds": atom(
        "<link rel=\"http://opds-spec.org/facet\" type=\"application/atom+xml\" href=\"/facet\"/>"
          + "<link rel=\"search\" type=\"application/atom+xml\" href=\"/s/{searchTerms}\"/>"
          + "<link rel=\"last\" type=\"application/atom+xml\" href=\"/last\"/>"
          + "<link rel=\"next\" type=\"application/atom+xml\" href=\"/opds?p=2\"/>"
          + book(
            "loan", "<link rel=\"http://opds-spec.org/acquisition/borrow\" href=\"/borrow\"/>")),
      "/opds?p=2": atom(book("b")),
    ])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["loan", "b"])
    #expect(stage.paths() == ["/opds", "/opds?p=2"])
  }

  @Test func `a complete feed is preferred to a crawl`() async throws {
    let stage = try CatalogStage(pages: [
      "/opds": atom(
        "<link rel=\"http://opds-spec.org/crawlable\" type=\"application/atom+xml\" href=\"/all\"/>"
          + "<entry><title>N</title><link type=\"application/atom+xml\" href=\"/nav\"/></entry>"),
      "/all": atom(book("a") + book("b")),
    ])
    #expect(try await stage.list().references.count == 2)
    #expect(stage.paths() == ["/opds", "/all"])
  }

  @Test func `every library of a calibre server is read, by its newest books only`() async throws {
    func root(_ library: String) -> String {
      atom(
        "<entry><title>By Newest</title><link type=\"application/atom+xml\" href=\"/opds/navcatalog/4f6e6577657374?library_id=\(library)\"/></entry>"
          + "<entry><title>By Author</title><link type=\"application/atom+xml\" href=\"/opds/navcatalog/4e61?library_id=\(library)\"/></entry>"
          + "<entry><title>Library: a</title><link type=\"application/atom+xml\" href=\"/opds?library_id=a\"/></entry>"
          + "<entry><title>Library: b</title><link type=\"application/atom+xml\" href=\"/opds?library_id=b\"/></entry>"
      )
    }
    let stage = try CatalogStage(pages: [
      "/opds": root("a"), "/opds?library_id=a": root("a"), "/opds?library_id=b": root("b"),
      "/opds/navcatalog/4f6e6577657374?library_id=a": atom(book("one")),
      "/opds/navcatalog/4f6e6577657374?library_id=b": atom(book("two")),
    ])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["one", "two"])
    #expect(listed.isComplete)
  }

  @Test func `missing and wrong namespaces are tolerated`() async throws {
    let stage = try CatalogStage(pages: ["/opds": atom(book("a"), attributes: "xmlns:opds=\"x\"")])
    #expect(try await stage.list().references.map(\.title) == ["a"])
  }

  @Test func `feeds that are not well formed are read as far as they go`() async throws {
    let stage = try CatalogStage(pages: ["/opds": atom("<link href=\"/x?a=1&b\"/>" + book("a"))])
    let listed = try await stage.list()
    #expect(listed.references.map(\.title) == ["a"])
    #expect(listed.isComplete, "nothing is missing of what can be mended")
  }

  @Test func `a feed that is aborted never counts as complete`() async throws {
    let whole = atom(book("a") + book("b") + book("c"))
    let cut = try #require(whole.firstRange(of: "<id>c"))
    for text in [String(whole[..<cut.lowerBound]), whole.replacing("<id>b</id>", with: "<id>b")] {
      let listed = try await CatalogStage(pages: ["/opds": text]).list()
      #expect(listed.references.map(\.id).contains("a"))
      #expect(!listed.isComplete && listed.hasEssentialGap)
    }
  }

  @Test func `characters that XML forbids cost themselves alone`() async throws {
    let titles = ["a\u{1}b", "c&#0;d", "e&#x1f;f", "g&#xFFFF;h", "i&#99999999999;j", "k&#10;l"]
    let feed = atom(
      titles.enumerated().map { index, title in
        book("b\(index)").replacing("<title>b\(index)</title>", with: "<title>\(title)</title>")
      }.joined())
    let listed = try await CatalogStage(pages: ["/opds": feed]).list()
    #expect(
      listed.references.map(\.title) == [
        "a\u{FFFD}b", "c\u{FFFD}d", "e\u{FFFD}f", "g\u{FFFD}h", "i\u{FFFD}j", "k l",
      ])
    #expect(listed.isComplete)
  }

  @Test func `books without an id are known by their file`() async throws {
    let entry =
      "<entry><title>t</title><link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" href=\"f.pdf\"/></entry>"
    let stage = try CatalogStage(pages: ["/opds": atom(entry)])
    #expect(try await stage.list().references.map(\.id) == ["https://books.test/f.pdf"])
  }

  @Test func `a URL without a path leads to the usual feed`() async throws {
    let catalog = FakeCatalog([.init(1)])
    let stage = try CatalogStage(catalog.respond, path: "/")
    #expect(try await stage.list().references.count == 1)
  }

  @Test(arguments: ["<html><body>Welcome</body></html>", "nothing"])
  func `an address that is no catalog is shown one of the same server`(page: String) async throws {
    let stage = try CatalogStage(pages: ["/start": page]) { $0.url = "https://books.test/start" }
    await #expect {
      _ = try await stage.list()
    } throws: {
      let message = ($0 as? AdapterError)?.message ?? ""
      return message.contains("such as https://books.test/opds")
        && message.split(separator: "BOOKS_URL").count == 2
    }
  }

  @Test func `a web page that names its catalog leads to it`() async throws {
    let stage = try CatalogStage(
      { request in
        request.path == "/shop"
          ? .text(
            "<!DOCTYPE html><html><head><link rel=alternate type='application/atom+xml;profile=opds-catalog' href='/o'></head></html>",
            type: "text/html")
          : .text(atom(book("a")))
      }, path: "/shop")
    #expect(try await stage.list().references.count == 1)
  }

  @Test func `a login page in place of the catalog is said to be one`() async throws {
    let stage = try CatalogStage(pages: ["/opds": "<!DOCTYPE html><html><form></form></html>"])
    await #expect {
      _ = try await stage.list()
    } throws: {
      ($0 as? AdapterError)?.code == .configuration
    }
  }

  @Test func `one refused login ends the listing`() async throws {
    let catalog = FakeCatalog([.init(1)], token: "good")
    let stage = try CatalogStage(catalog.respond, token: Secret("bad"))
    await #expect {
      _ = try await stage.list()
    } throws: {
      ($0 as? AdapterError)?.code == .unauthorized
    }
    #expect(stage.paths().count == 1)
  }

  @Test func `only feeds that were requested are read`() async throws {
    let catalog = FakeCatalog([.init(1), .init(2)])
    let stage = try CatalogStage(catalog.respond) { $0.feeds = ["by new"] }
    let listed = try await stage.list()
    #expect(listed.references.count == 2)
    #expect(!listed.isComplete)
    #expect(stage.paths() == ["/opds", "/opds/new"])
  }

  @Test func `OPDS 2 feeds name publications in groups and pages`() async throws {
    let publication = """
      {"metadata":{"title":{"en":"T"},"identifier":"urn:1","author":[{"name":"A"},"B"],
      "belongsTo":{"magazine":{"name":"M","position":3}}},
      "links":[{"rel":["http://opds-spec.org/acquisition"],"href":"1.pdf","type":"application/pdf"}],
      "images":[{"href":"c.jpg","type":"image/jpeg"}]}
      """
    let stage = try CatalogStage(pages: [
      "/opds":
        "{\"metadata\":{\"title\":\"x\"},\"links\":[{\"rel\":[\"last\",\"next\"],\"href\":\"/p2\",\"type\":\"application/opds+json\"}],\"groups\":[{\"publications\":[\(publication)]}]}",
      "/p2": "{\"publications\":[]}",
    ])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["urn:1"])
    #expect(stage.paths() == ["/opds", "/p2"])
    let entry = try #require(BookPayload.entry(listed.references[0].payload))
    #expect(entry.authors == ["A", "B"])
    #expect(entry.periodical == CatalogEntry.Series(name: "M", position: "3"))
  }

  @Test func `a feed whose books moved meanwhile is read once more`() async throws {
    let passes = Mutex(0)
    @Sendable func page(_ books: [String], next: Bool, total: Int) -> String {
      atom(
        "<os:totalResults xmlns:os=\"http://a9.com/-/spec/opensearch/1.1/\">\(total)</os:totalResults>"
          + (next
            ? "<link rel=\"next\" type=\"application/atom+xml\" href=\"/opds?p=2\"/>" : "")
          + books.map { book($0) }.joined())
    }
    // A book is added between reading two pages: the last of page one moves to page two, and the
    // new one to a page that was already read.
    let stage = try CatalogStage { request in
      if request.target == "/opds" {
        let pass = passes.withLock { passes -> Int in
          passes += 1
          return passes
        }
        return .text(
          pass == 1
            ? page(["b", "c"], next: true, total: 4) : page(["a", "b"], next: true, total: 4))
      }
      return .text(page(["c", "d"], next: false, total: 4))
    }
    let listed = try await stage.list()
    #expect(Set(listed.references.map(\.id)) == ["a", "b", "c", "d"])
    #expect(listed.references.count == 4, "each once")
    #expect(listed.isComplete)
    #expect(stage.paths() == ["/opds", "/opds?p=2", "/opds", "/opds?p=2"])
  }

  /// Two feeds of different books may begin with the same ones and have equally many.
  @Test(arguments: ["/f", "/get/epub"])
  func `a feed that begins like another one is read to its end`(files: String) async throws {
    @Sendable func page(_ feed: String, _ books: [String], isLast: Bool) -> String {
      let links = books.map { name in
        book(
          name,
          "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"\(files)/\(name)/L\"/>"
        )
      }
      return atom(
        "<totalResults>3</totalResults>"
          + (isLast ? "" : "<link rel=\"next\" href=\"\(feed)?p=2\"/>") + links.joined())
    }
    let stage = try CatalogStage(pages: [
      "/opds": atom(nav("/one") + nav("/two")),
      "/one": page("/one", ["1", "2"], isLast: false),
      "/one?p=2": page("/one", ["3"], isLast: true),
      "/two": page("/two", ["1", "2"], isLast: false),
      "/two?p=2": page("/two", ["4"], isLast: true),
    ])
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["1", "2", "3", "4"])
    #expect(listed.isComplete)
  }

  @Test func `a feed that never names as many books as it says is a gap, read twice`() async throws
  {
    let total = "<totalResults>9</totalResults>"
    let stage = try CatalogStage(pages: [
      "/opds": atom(
        "\(total)<link rel=\"next\" type=\"application/atom+xml\" href=\"/opds?p=2\"/>"
          + book("a")),
      "/opds?p=2": atom(total + book("b")),
    ])
    let listed = try await stage.list()
    #expect(listed.references.count == 2)
    #expect(!listed.isComplete)
    #expect(stage.paths().count == 4)
  }

  @Test func `a feed is not read in its other orders`() async throws {
    func way(_ address: String) -> String {
      "<entry><title>w</title><id>w</id><link rel=\"subsection\" type=\"application/atom+xml\" href=\"\(address)\"/></entry>"
    }
    let start = "/s/0/1?top=s&amp;orderBy=date"
    let orders = ["&amp;orderBy=name", "&amp;orderReverse=true&amp;orderBy=date", ""]
      .map { way("/s/0/1?top=s\($0)") }.joined()
    let stage = try CatalogStage(pages: [
      "/opds": atom(way(start) + way("/s/0/1?top=p&amp;orderBy=date")),
      "/s/0/1?top=s&orderBy=date": atom(book("a") + orders + way("/s/4/1?top=s&amp;orderBy=date")),
      "/s/0/1?top=p&orderBy=date": atom(book("b")),
      "/s/4/1?top=s&orderBy=date": atom(book("c")),
    ])
    let listed = try await stage.list()
    #expect(Set(listed.references.map(\.id)) == ["a", "b", "c"])
    #expect(listed.isComplete && listed.gaps.isEmpty)
    #expect(stage.paths().count == 4, "\(stage.paths())")
  }
}
