import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// Servers that mislabel files, or that are reached in another way than they believe.
@Suite struct OddServerTests {
  private static let fictionBook = "<?xml version=\"1.0\"?><FictionBook><body/></FictionBook>"

  @Test(arguments: ["PK\u{3}\u{4}", "%PDF-1.4", fictionBook])
  func `a book that is sent as a web page is a book by its content`(content: String) async throws {
    let stage = try CatalogStage { request in
      if request.path == "/opds" { return .text(atom(book("a"))) }
      return .text(content, type: "text/html; charset=utf-8", headers: ["ETag": "\"1\""])
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.attachments.map(\.name) == ["a.epub"])
    #expect(item.attachments.first?.revision == "\"1\"")
    #expect(item.notes.isEmpty)
  }

  @Test(arguments: [
    "<!doctype html><html>", "\n <html xmlns=\"x\">", "<?xml version=\"1.0\"?><html>",
  ])
  func `a web page in place of a book is not a book`(content: String) async throws {
    let stage = try CatalogStage { request in
      request.path == "/opds"
        ? .text(atom(book("a"))) : .text(content, type: "text/html; charset=utf-8")
    }
    let reference = try #require(try await stage.list().references.first)
    await #expect {
      _ = try await stage.adapter.item(reference)
    } throws: {
      ($0 as? AdapterError)?.code == .malformed
    }
  }

  @Test func `files of an https catalog that calls itself http are requested by https`()
    async throws
  {
    let links =
      ["acquisition", "image"].map {
        "<link rel=\"http://opds-spec.org/\($0)\" type=\"x/y\" href=\"http://books.test/f/\($0)\"/>"
      }.joined()
      + "<link rel=\"http://opds-spec.org/image/thumbnail\" type=\"image/png\" href=\"http://cdn.test/t\"/>"
    let stage = try CatalogStage { request in
      request.path == "/opds" ? .text(atom(book("a", links))) : .data(Array("PK".utf8))
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(
      item.targets
        == ["https://books.test/f/image", "https://books.test/f/acquisition"])
    #expect(stage.client.unexpected.isEmpty)
  }

  /// A client that gets no response for what is below `/f`, from a host to which such requests may be redirected.
  private struct DeadHostClient: HTTPClient {
    let catalog: HandlerHTTPClient
    let host: Origin

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      guard request.url.path.hasPrefix("/f/") else { return try await catalog.send(request) }
      throw HTTPError(.resolve, "\(host) cannot be reached", origin: host)
    }
  }

  /// Makes the adapter of a catalog with this feed, of which a part is on a host that does not respond.
  private func adapter(_ feed: String, deadHost: String) throws -> BookCatalogAdapter {
    let base = try #require(WebURL(CatalogStage.base + "/opds"))
    let host = try #require(WebURL(deadHost + "/")).origin
    let catalog = HandlerHTTPClient(baseURL: base) { request in
      .text(request.path == "/opds" ? feed : atom(book("z")))
    }
    let client = DeadHostClient(catalog: catalog, host: host)
    return try BookCatalogAdapter(
      configuration: BookCatalogConfiguration(url: base.absoluteString),
      context: AdapterContext(name: "books", http: client, clock: CatalogStage.clock))
  }

  private func item(_ entry: String, deadHost: String) async throws -> SourceItem {
    let adapter = try adapter(atom(entry), deadHost: deadHost)
    var references: [ItemReference] = []
    for try await page in adapter.listing(since: nil) { references += page.references }
    return try await adapter.item(try #require(references.first))
  }

  @Test func `feeds on another host that does not respond cost no other feed`() async throws {
    let dead = (1...6).map { nav("/f/\($0)") }.joined()
    let adapter = try adapter(atom(dead + nav("/z")), deadHost: "https://mirror.test")
    var references: [ItemReference] = []
    var gaps: [ListingGap] = []
    for try await page in adapter.listing(since: nil) {
      references += page.references
      gaps += page.gaps
    }
    #expect(references.map(\.id) == ["z"])
    #expect(gaps.count { $0.message.contains("mirror.test") && $0.isEssential } == 6)
  }

  @Test func `a file on another host that does not respond is left to its download`() async throws {
    let item = try await item(book("a"), deadHost: "https://mirror.test")
    #expect(item.attachments.map(\.name) == ["a.epub"])
  }

  @Test(arguments: [
    ("https://mirror.test", AdapterError.Code.malformed), (CatalogStage.base, .unavailable),
  ])
  func `another host that does not respond costs one book, the catalog's own may cost all`(
    host: String, code: AdapterError.Code
  ) async throws {
    let link =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/atom+xml;type=entry\" href=\"/f/a\"/>"
    await #expect {
      _ = try await item(book("a", link), deadHost: host)
    } throws: {
      ($0 as? AdapterError)?.code == code
    }
  }

  @Test(arguments: ["auto", "basic"])
  func `a login that the server does not ask for is reported`(login: String) async throws {
    let stage = try CatalogStage({ _ in .text(atom(book("a"))) }) {
      $0.user = "reader"
      $0.password = Secret("secret")
      $0.login = login
    }
    let listed = try await stage.list()
    #expect(listed.isComplete)
    #expect(
      listed.gaps.count { $0.message.contains("set login to \"basic\"") }
        == (login == "auto" ? 1 : 0))
    #expect(!listed.hasEssentialGap)
  }

  @Test func `a login that the server asks for is not`() async throws {
    let stage = try CatalogStage({ request in
      request.headers["Authorization"] == nil && request.headers["X-In"] == nil
        ? ServerResponse(401, headers: ["WWW-Authenticate": "Basic"]) : .text(atom(book("a")))
    }) {
      $0.user = "reader"
      $0.password = Secret("secret")
      $0.headers = ["X-In": "1"]
    }
    #expect(try await stage.list().gaps.isEmpty)
  }
}
