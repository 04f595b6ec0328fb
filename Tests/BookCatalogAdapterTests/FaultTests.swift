import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

/// A single faulty response of a catalog affects only its own content.
@Suite struct FaultTests {
  private static let epub = "application/epub+zip"

  private func shelf(_ count: Int) -> String {
    atom((1...count).map { book("b\($0)") }.joined())
  }

  @Test(arguments: [403, 401])
  func `one refused file affects no other`(status: Int) async throws {
    let feed = shelf(50)
    let stage = try CatalogStage(
      { request in
        if request.path == "/opds" { return .text(feed) }
        if request.path == "/f/b20.epub" { return ServerResponse(status) }
        return .data(Array("PK".utf8), type: "application/epub+zip")
      }, token: Secret("good"))
    for reference in try await stage.list().references {
      let item = try await stage.adapter.item(reference)
      #expect(item.attachments.count == 1, "the download tells what is missing")
    }
  }

  @Test func `a file that is refused by a catalog that refuses all is a refused login`()
    async throws
  {
    let stage = try CatalogStage({ _ in .text(atom(book("a"))) })
    let reference = try #require(try await stage.list().references.first)
    let refused = try CatalogStage({ _ in ServerResponse(401) }, token: Secret("old"))
    await #expect {
      _ = try await refused.adapter.item(reference)
    } throws: {
      ($0 as? AdapterError)?.code == .unauthorized
    }
  }

  @Test(arguments: [401, 403, 404, 405, 501])
  func `a redirect whose target answers no HEAD ends nothing`(status: Int) async throws {
    let feed = shelf(1)
    let catalog: HandlerHTTPClient.Handler = { request in
      request.path == "/opds" ? .text(feed) : .redirect("https://storage.test/x?signature=1")
    }
    let storage: HandlerHTTPClient.Handler = { request in
      request.method == "HEAD"
        ? ServerResponse(status)
        : .data(Array("PK".utf8), type: Self.epub, headers: ["ETag": "\"2\""])
    }
    let base = try #require(WebURL(CatalogStage.base + "/opds"))
    let other = try #require(WebURL("https://storage.test/"))
    let client = HandlerHTTPClient(handlers: [base.origin: catalog, other.origin: storage])
    let adapter = try BookCatalogAdapter(
      configuration: BookCatalogConfiguration(url: base.absoluteString),
      context: AdapterContext(name: "books", http: client))
    var references: [ItemReference] = []
    for try await page in adapter.listing(since: nil) { references += page.references }
    let item = try await adapter.item(try #require(references.first))
    #expect(item.attachments.last?.revision == "\"2\"")
  }

  @Test(arguments: [400, 404, 405, 500, 501])
  func `a replaced file is noticed where HEAD is refused`(status: Int) async throws {
    let feed = shelf(1)
    func revision(_ tag: String) async throws -> String? {
      let stage = try CatalogStage { request in
        if request.path == "/opds" { return .text(feed) }
        if request.method == "HEAD" { return ServerResponse(status) }
        return .data(Array("PK".utf8), type: Self.epub, headers: ["ETag": tag])
      }
      let reference = try #require(try await stage.list().references.first)
      return try await stage.adapter.item(reference).attachments.last?.revision
    }
    #expect(try await revision("\"1\"") == "\"1\"")
    #expect(try await revision("\"2\"") == "\"2\"")
  }

  @Test(arguments: [403, 404, 410])
  func `another format is taken where the first choice is dead`(status: Int) async throws {
    let links =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/f.epub\"/>"
      + "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" href=\"/f.pdf\"/>"
    let stage = try CatalogStage { request in
      if request.path == "/opds" { return .text(atom(book("a", links))) }
      if request.path == "/f.epub" { return ServerResponse(status) }
      return .data(Array("%PDF".utf8), type: "application/pdf")
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.attachments.map(\.name) == ["a.pdf"])
    #expect(item.notes.count == 1)
  }

  @Test(arguments: [404, 410])
  func `a listed book whose file is gone is archived without it`(status: Int) async throws {
    let feed = shelf(2)
    let stage = try CatalogStage { request in
      request.path == "/opds" ? .text(feed) : ServerResponse(status)
    }
    for reference in try await stage.list().references {
      let item = try await stage.adapter.item(reference)
      #expect(item.attachments.map(\.role) == [.file], "the download reports it as missing")
    }
  }

  @Test func `a book is gone if its file is, and no page lists it any more`() async throws {
    let feed = Mutex(shelf(2))
    let stage = try CatalogStage { request in
      request.path == "/opds" ? .text(feed.withLock { $0 }) : ServerResponse(404)
    }
    let references = try await stage.list().references
    feed.withLock { $0 = atom(book("b1")) }
    #expect(try await stage.adapter.item(references[0]).attachments.count == 1)
    await #expect {
      _ = try await stage.adapter.item(references[1])
    } throws: {
      ($0 as? AdapterError)?.code == .notFound
    }
  }

  @Test(arguments: [404, 200])
  func `a book is gone if its file and its complete entry are`(status: Int) async throws {
    let link =
      "<link rel=\"alternate\" type=\"application/atom+xml;type=entry;profile=opds-catalog\" href=\"/e\"/>"
      + "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" href=\"/f.pdf\"/>"
    let whole = book("a").replacing(
      "<entry>", with: "<entry xmlns=\"http://www.w3.org/2005/Atom\">")
    let stage = try CatalogStage { request in
      switch request.path {
      case "/opds": .text(atom(book("a", link)))
      case "/e": .text(whole, status: status)
      default: ServerResponse(404)
      }
    }
    let reference = try #require(try await stage.list().references.first)
    var code: AdapterError.Code?
    do throws(AdapterError) {
      _ = try await stage.adapter.item(reference)
    } catch {
      code = error.code
    }
    #expect(code == (status == 404 ? .notFound : nil))
  }

  @Test func `a file is available if the server refuses HEAD and ignores ranges`() async throws {
    let feed = shelf(1)
    let stage = try CatalogStage { request in
      if request.path == "/opds" { return .text(feed) }
      return request.method == "HEAD"
        ? ServerResponse(501)
        : .data(Array("PK and the rest of the book".utf8), type: Self.epub, headers: ["ETag": "3"])
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.attachments.last?.revision == "3")
  }

  @Test func `a catalog that names no book says so and is no complete listing`() async throws {
    let listed = try await CatalogStage(pages: ["/opds": atom("")]).list()
    #expect(!listed.isComplete)
    #expect(listed.gaps.contains { $0.message.contains("listed no book") })
  }

  @Test func `feeds that all time out are the catalog's failure`() async throws {
    let ways = (1...5).map { nav("/n\($0)") }.joined()
    let stage = try CatalogStage { request in
      request.path == "/opds"
        ? .text(atom(ways)) : ServerResponse(200).misbehaving(.stallAfter(0, .seconds(1)))
    }
    await #expect {
      _ = try await stage.list()
    } throws: {
      ($0 as? AdapterError)?.code == .unavailable
    }
    #expect(stage.paths().count == 7, "the catalog, its five feeds, and the first of them again")
  }

  /// The permanent fault of a request in the matrix.
  enum Trouble: CaseIterable {
    case broken, absent, refused, locked, garbage, page, silent, cut, loop, itself

    func answer(_ request: ServerRequest) -> ServerResponse {
      switch self {
      case .broken: .text("", status: 500)
      case .absent: .text("", status: 404)
      case .refused: .text("", status: 403)
      case .locked: .text("", status: 401)
      case .garbage: .text("\u{1}\u{2} no feed")
      case .page: .text("<!DOCTYPE html><html><form></form></html>", type: "text/html")
      case .silent: ServerResponse(200).misbehaving(.stallAfter(0, .seconds(1)))
      case .cut: .text(atom(book("x"))).misbehaving(.truncateAfter(9))
      case .loop:
        .text(
          atom(
            "<link rel=\"next\" type=\"application/atom+xml\" href=\"\(request.path)?n=\(request.target.utf8.count)\(request.parameter("n") ?? "")\"/>"
          ))
      case .itself:
        .text(atom("<link rel=\"next\" type=\"application/atom+xml\" href=\"\(request.path)\"/>"))
      }
    }
  }

  /// A catalog of three feeds with their own books, one of them in pages.
  private static let healthy: [String: String] = [
    "/opds": atom(nav("/one") + nav("/two") + nav("/three")),
    "/one": atom(
      book("a") + "<link rel=\"next\" type=\"application/atom+xml\" href=\"/one?p=2\"/>"),
    "/one?p=2": atom(book("b")),
    "/two": atom(book("c")), "/three": atom(nav("/deep")), "/deep": atom(book("d")),
  ]

  /// The books that only the failing request leads to.
  private static let behind: [String: Set<String>] = [
    "/one": ["a", "b"], "/one?p=2": ["b"], "/two": ["c"], "/three": ["d"], "/deep": ["d"],
  ]

  @Test(arguments: Trouble.allCases)
  func `a permanent fault of a feed does not affect the books of others`(
    trouble: Trouble
  ) async throws {
    let first = try CatalogStage(pages: Self.healthy)
    let whole = try await first.list()
    #expect(whole.isComplete && whole.gaps.isEmpty)
    for target in first.paths() where target != "/opds" {
      let path = String(target.prefix { $0 != "?" })
      let isPaged = [Trouble.loop, .itself].contains(trouble)
      let night = Mutex(1)
      let stage = try CatalogStage { request in
        let isHit =
          request.target == target
          || (isPaged && request.target.hasPrefix(path + "?n"))
        if isHit { return trouble.answer(request) }
        // Each night every book is a new edition.
        let time = "2026-01-0\(night.withLock { $0 })"
        return Self.healthy[request.target].map { .text($0.replacing("2026-01-01", with: time)) }
          ?? .text("", status: 404)
      }
      let lost = try #require(Self.behind[target])
      let reached = Set(["a", "b", "c", "d"]).subtracting(lost)
      var revisions: [String: String] = [:]
      var checkpoint: Checkpoint?
      for number in 1...3 {
        night.withLock { $0 = number }
        let what = "\(target), night \(number)"
        let before = stage.paths().count
        let listed = try await stage.list(since: checkpoint)
        checkpoint = listed.checkpoint
        var names = Set(listed.references.map(\.id))
        names.remove("x")
        if !(trouble == .itself && target == "/one?p=2") {
          #expect(names.isSuperset(of: reached), "\(what)")
        }
        for reference in listed.references where reached.contains(reference.id) {
          #expect(
            revisions.updateValue(reference.revision, forKey: reference.id) != reference.revision)
        }
        #expect(!listed.isComplete, "\(what)")
        if trouble != .absent { #expect(listed.hasEssentialGap, "\(what)") }
        #expect(stage.paths().count - before < 40, "\(what)")
      }
    }
  }

  @Test func `pages that continue with nothing new are left, and what was found is kept`()
    async throws
  {
    let stage = try CatalogStage { request in
      let page = request.parameter("p").flatMap { Int($0) } ?? 0
      return .text(
        atom(
          book("a") + book("b")
            + "<link rel=\"next\" type=\"application/atom+xml\" href=\"/opds?p=\(page + 1)\"/>"))
    }
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a", "b"])
    #expect(listed.hasEssentialGap && !listed.isComplete)
    #expect(stage.paths().count <= 12)
  }

  @Test func `a catalog of nothing but feeds is left after a budget`() async throws {
    let stage = try CatalogStage { request in
      .text(atom((0..<9).map { nav("\(request.path)/\($0)") }.joined()))
    }
    let listed = try await stage.list()
    #expect(listed.hasEssentialGap)
    #expect(stage.paths().count <= 500)
  }

  @Test(arguments: [500, 502, 503, 429])
  func `a feed that fails once is read after the others`(status: Int) async throws {
    let isBack = Mutex(false)
    let stage = try CatalogStage { request in
      switch request.path {
      case "/opds": return .text(atom(nav("/one") + nav("/two")))
      case "/one":
        return isBack.withLock { $0 } ? .text(atom(book("a"))) : ServerResponse(status)
      default:
        isBack.withLock { $0 = true }
        return .text(atom(book("b")))
      }
    }
    let listed = try await stage.list()
    #expect(Set(listed.references.map(\.id)) == ["a", "b"])
    #expect(listed.isComplete && listed.gaps.isEmpty)
  }

  @Test func `the only feed is asked again after a pause in which its server may start`()
    async throws
  {
    let pauses = Mutex<[Duration]>([])
    let stage = try CatalogStage(
      { request in
        if request.path == "/opds" { return .text(atom(nav("/one"))) }
        return pauses.withLock(\.isEmpty)
          ? ServerResponse(502) : .text(atom(book("a")))
      },
      clock: ArchiverClock(
        now: ArchiverClock.system.now, sleep: { pause in pauses.withLock { $0.append(pause) } }))
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"] && listed.isComplete && listed.gaps.isEmpty)
    #expect(pauses.withLock { $0 } == [.seconds(10)])
  }

  @Test func `a feed that fails always is asked twice and left out`() async throws {
    let stage = try CatalogStage { request in
      switch request.path {
      case "/opds": .text(atom(nav("/one") + nav("/two")))
      case "/one": ServerResponse(503)
      default: .text(atom(book("b")))
      }
    }
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["b"])
    #expect(!listed.isComplete && listed.gaps.filter(\.isEssential).count == 1)
    #expect(stage.paths().count { $0 == "/one" } == 2)
  }

  @Test func `a later page that fails once is read, and the pages after it`() async throws {
    let hasFailed = Mutex(false)
    let stage = try CatalogStage { request in
      switch request.target {
      case "/opds":
        return .text(
          atom(nav("/two") + "<link rel=\"next\" href=\"/opds?p=2\"/>" + book("a")))
      case "/opds?p=2":
        let fails = hasFailed.withLock { failed in
          defer { failed = true }
          return !failed
        }
        return fails
          ? ServerResponse(503) : .text(atom("<link rel=\"next\" href=\"/opds?p=3\"/>" + book("b")))
      case "/opds?p=3": return .text(atom(book("c")))
      default: return .text(atom(book("d")))
      }
    }
    let listed = try await stage.list()
    #expect(Set(listed.references.map(\.id)) == ["a", "b", "c", "d"])
    #expect(listed.isComplete && listed.gaps.isEmpty)
  }

  @Test func `a page of many books whose files are gone is asked again once`() async throws {
    let feed = shelf(20)
    let stage = try CatalogStage { request in
      request.path == "/opds" ? .text(feed) : ServerResponse(404)
    }
    for reference in try await stage.list().references {
      _ = try await stage.adapter.item(reference)
    }
    #expect(stage.paths().count { $0 == "/opds" } == 2)
  }
}

/// An entry that leads to a feed.
func nav(_ path: String, type: String = "application/atom+xml", rel: String = "subsection")
  -> String
{
  "<entry><title>\(path)</title><id>\(path)</id><link rel=\"\(rel)\" type=\"\(type)\" href=\"\(path)\"/></entry>"
}
