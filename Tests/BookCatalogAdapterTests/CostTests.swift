import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

/// The number of requests of a run.
@Suite struct CostTests {
  /// calibre with one library of `count` books by newest, in pages of 30, and by author.
  private func calibre(_ count: Int, marksItself: Bool) -> HandlerHTTPClient.Handler {
    { request in
      let library = request.parameter("library_id").map { "?library_id=\($0)" }
      switch request.path {
      case "/opds":
        let mark = library ?? (marksItself ? "?library_id=L" : "")
        return .text(
          atom(
            nav("/opds/navcatalog/4f6e6577657374\(mark)")
              + nav("/opds/navcatalog/4e617574686f7273\(mark)") + nav("/opds?library_id=L")))
      case "/opds/navcatalog/4f6e6577657374":
        let offset = request.parameter("offset").flatMap { Int($0) } ?? 0
        let books = (offset..<min(count, offset + 30)).map {
          let link = "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" "
          let writer = "<author><name>A</name></author>"
          return $0 % 7 == 3
            ? book("b\($0)", "", extra: writer)
            : book("b\($0)", link + "href=\"/get/epub/\($0)/L\"/>")
        }.joined()
        let mark = library.map { "&amp;" + $0.dropFirst() } ?? ""
        let next =
          offset + 30 < count
          ? "<link rel=\"next\" type=\"application/atom+xml\" href=\"\(request.path)?offset=\(offset + 30)\(mark)\"/>"
          : ""
        return .text(atom("<totalResults>\(count)</totalResults>\(next)\(books)"))
      default:
        return .text(
          atom((0..<1_700).map { nav("/opds/author/\($0)") }.joined() + book("b1")))
      }
    }
  }

  @Test(arguments: [true, false])
  func `2,000 unchanged books of calibre with its only library twice cost at most 80 requests`(
    marksItself: Bool
  ) async throws {
    let stage = try CatalogStage(calibre(2_000, marksItself: marksItself))
    let listed = try await stage.list()
    #expect(listed.references.count == 2_000)
    #expect(listed.isComplete && listed.gaps.isEmpty, "\(listed.gaps)")
    #expect(stage.paths().count <= 80, "\(stage.paths().count)")
  }

  @Test(arguments: [0, 3_600, -19_800])
  func `books whose time of change is the time of asking are unchanged`(zone: Int) async throws {
    let asked = Mutex(0)
    let stage = try CatalogStage { _ in
      let second = asked.withLock { count -> Int in
        count += 1
        return count
      }
      let now = Date().addingTimeInterval(Double(zone + second)).formatted(.iso8601)
      return .text(
        atom(
          "<updated>\(now)</updated>"
            + ["a", "b", "c"].map {
              book($0).replacing("2026-01-01T00:00:00Z", with: now)
            }.joined()))
    }
    let first = try await stage.list().references
    let second = try await stage.list().references
    #expect(first.map(\.revision) == second.map(\.revision))
  }

  @Test func `a book that changed a moment ago is a changed book`() async throws {
    func revisions(_ updated: String, title: String) async throws -> [String] {
      let stage = try CatalogStage(pages: [
        "/opds": atom(
          "<updated>2026-01-02T00:00:00Z</updated>" + book("a")
            + book("b").replacing("2026-01-01T00:00:00Z", with: updated))
      ])
      return try await stage.list().references.map(\.revision)
    }
    let before = try await revisions("2026-01-01T00:00:00Z", title: "b")
    let after = try await revisions(Date().formatted(.iso8601), title: "b")
    #expect(before[0] == after[0] && before[1] != after[1])
  }

  @Test func `paged ways of OPDS 2 are complete when all of them were named`() async throws {
    @Sendable func page(_ range: ClosedRange<Int>, next: Bool) -> String {
      let ways = range.map {
        "{\"title\":\"s\($0)\",\"href\":\"/s/\($0)\",\"type\":\"application/opds+json\"}"
      }
      let link =
        next
        ? "{\"rel\":\"next\",\"href\":\"/opds?page=1\",\"type\":\"application/opds+json\"}" : ""
      return
        "{\"metadata\":{\"title\":\"Series\",\"numberOfItems\":4,\"itemsPerPage\":2},\"links\":[\(link)],\"navigation\":[\(ways.joined(separator: ","))]}"
    }
    let stage = try CatalogStage { request in
      switch request.target {
      case "/opds": return .json(page(1...2, next: true))
      case "/opds?page=1": return .json(page(3...4, next: false))
      default:
        let name = request.segments.last ?? ""
        return .json(
          "{\"metadata\":{\"title\":\"s\"},\"publications\":[{\"metadata\":{\"title\":\"\(name)\",\"identifier\":\"\(name)\"},\"links\":[{\"href\":\"/\(name).cbz\",\"type\":\"application/vnd.comicbook+zip\",\"rel\":\"http://opds-spec.org/acquisition\"}]}]}"
        )
      }
    }
    let listed = try await stage.list()
    #expect(listed.references.count == 4)
    #expect(listed.isComplete && listed.gaps.isEmpty)
    #expect(stage.paths().count == 6)
  }
}
