import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// What a list or a record lacks is told.
struct LeftOutTests {
  private static func isList(_ request: ServerRequest) -> Bool { request.path == "/api/bookmarks" }

  /// Changes the answers to requests for pages of the list.
  private static func stage(
    _ count: Int, _ change: @escaping @Sendable (FakeReadeck, ServerRequest) -> ServerResponse
  ) throws -> ReadeckStage {
    let server = FakeReadeck()
    server.behaviour.version = (0, 19, 0)
    let stage = try ReadeckStage(server: server) { request in
      isList(request) ? change(server, request) : nil
    }
    stage.fill(count)
    return stage
  }

  private static func firstPage(_ server: FakeReadeck, _ request: ServerRequest) -> ServerResponse {
    server.handle(
      ServerRequest(
        method: "GET", target: "/api/bookmarks?limit=100&offset=0", headers: request.headers))
  }

  @Test(arguments: [true, false])
  func `a server that ignores the offset is left, and that is told`(hasTotal: Bool) async throws {
    let stage = try Self.stage(2_500) { server, request in
      var response = Self.firstPage(server, request)
      if !hasTotal { response.headers["Total-Count"] = nil }
      response.headers["Link"] = "</api/bookmarks?offset=100>; rel=\"next\""
      return response
    }
    let listed = try await stage.adapter().listed()
    #expect(listed.references.count == 100)
    #expect(stage.client.requests.count { Self.isList($0) } <= 12)
    #expect(listed.gaps.count == 1 && listed.gaps[0].contains("repeats itself"), "\(listed.gaps)")
    #expect(!listed.isComplete && listed.checkpoint == nil)
  }

  @Test func `a list with fewer bookmarks than it declares is no checkpoint`() async throws {
    let stage = try Self.stage(150) { server, request in
      request.parameter("offset") == "0"
        ? Self.firstPage(server, request) : .json("[]", headers: ["Total-Count": "150"])
    }
    let listed = try await stage.adapter().listed()
    #expect(listed.references.count == 100)
    #expect(listed.gaps.count == 1 && listed.gaps[0].contains("declares 150"), "\(listed.gaps)")
    #expect(!listed.isComplete && listed.checkpoint == nil)
  }

  @Test func `members of a highlight that cannot be read are named`() throws {
    let json = "{\"id\":\"h\",\"text\":[\"t\"],\"note\":7,\"color\":null,\"created\":\"\"}"
    let highlight = try JSONDecoder().decode(Highlight.self, from: Data(json.utf8))
    #expect(highlight.unreadable == ["text", "note"])
    #expect(highlight.text.isEmpty && highlight.note == nil)
  }

  @Test(arguments: ["article", "photo"])
  func `a picture without a valid URL is counted`(type: String) throws {
    let json = """
      {"id":"b","title":"T","type":"\(type)","resources":{"image":{"src":"http://[broken"}}}
      """
    let bookmark = try JSONDecoder().decode(Bookmark.self, from: Data(json.utf8))
    let base = try #require(WebURL("http://reads.test/"))
    let content = BookmarkContent(bookmark: bookmark, record: [])
    let item = ItemAssembly(content, base: base).item()
    #expect(item.attachments.isEmpty)
    #expect(item.missing.map(\.kind) == [type == "photo" ? .mainFile : .picture])
    #expect(item.missing.first?.isEssential == (type == "photo"))
  }
}
