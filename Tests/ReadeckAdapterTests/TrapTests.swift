import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct TrapTests {
  private func gallery(_ stage: ReadeckStage, pictures: Int = 40) -> String {
    var bookmark = FakeReadeck.Bookmark(url: "https://gallery.test/many", title: "Pictures")
    bookmark.resources = (1...pictures).map { .init("p\($0).jpg", "image/jpeg", [UInt8($0)]) }
    bookmark.html =
      "<section><p>Look at this.</p>"
      + bookmark.resources.map { "<img src=\"./_resources/\($0.name)\"/>" }.joined() + "</section>"
    return stage.server.add(bookmark)
  }

  @Test func `gets a gallery through a proxy that refuses its headers`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.proxyHeaderLimit = 4096
    let id = gallery(stage)
    let item = try await stage.adapter().fetch(id)
    #expect(item.html.contains("http://reads.test/bm/\(id.prefix(2))/\(id)/_resources/p40.jpg"))
    #expect(item.notes.isEmpty)
  }

  @Test func `gets a highlighted gallery through that proxy without its colours`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.proxyHeaderLimit = 4096
    let id = gallery(stage)
    stage.server.highlight(id, .init("Look", color: "red", note: "why?"))
    let item = try await stage.adapter().fetch(id)
    #expect(item.html.contains("<rd-annotation>Look</rd-annotation>"))
    #expect(item.annotations.map(\.color) == ["red"])
    #expect(item.annotations.map(\.note) == ["why?"])
    #expect(item.notes.count == 1)
  }

  @Test func `gets a gallery of an old server through that proxy`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 19, 0)
    stage.server.behaviour.proxyHeaderLimit = 4096
    let id = gallery(stage)
    let item = try await stage.adapter().fetch(id)
    #expect(
      item.html.contains("\"http://reads.test/api/bookmarks/\(id)/x/_resources/p40.jpg\""))
  }

  @Test func `fetches highlights with their colours, notes and dates`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(2)
    stage.server.highlight(ids[0], .init("number", color: "green", note: "a \"b\" <c>"))
    let references = ids.map { ItemReference(id: $0, revision: "") }
    let items = try await stage.adapter().items(references).map { try $0.get() }
    #expect(items[0].html.contains("data-annotation-color=\"green\">number</rd-annotation>"))
    #expect(items[0].html.contains("title=\"a &#34;b&#34; &lt;c&gt;\""))
    let annotation = try #require(items[0].annotations.first)
    #expect(annotation.text == "number")
    #expect(annotation.note == "a \"b\" <c>")
    #expect(annotation.created != nil)
    #expect(items[0].html.contains("data-annotation-id-value=\"\(annotation.id)\""))
    #expect(items[1].annotations.isEmpty)
    #expect(
      stage.paths == [
        "info", "POST bookmarks/sync", "bookmarks/\(ids[0])/article",
        "bookmarks/\(ids[0])/annotations",
      ])
  }

  @Test func `asks again for what a broken sync left out`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(5)
    stage.server.behaviour.syncBreaksAfter = 3
    let results = try await stage.adapter().items(ids.map { ItemReference(id: $0, revision: "") })
    #expect(try results.map { try $0.get().reference.id } == ids)
    #expect(stage.paths.count { $0 == "POST bookmarks/sync" } == 3)
  }

  @Test func `asks singly for what the sync API never gives`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(3)
    stage.server.behaviour.syncLeavesOut = [ids[1]]
    let results = try await stage.adapter().items(ids.map { ItemReference(id: $0, revision: "") })
    #expect(try results[1].get().html == "<section><p>Text number 2.</p></section>")
    #expect(stage.paths.suffix(2) == ["bookmarks/\(ids[1])", "bookmarks/\(ids[1])/article"])
  }

  @Test func `gets round a sync that fails for one bookmark's sake`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(3)
    stage.server.failNext(ServerResponse(500)) { $0.method == "POST" }
    let results = try await stage.adapter().items(ids.map { ItemReference(id: $0, revision: "") })
    #expect(try results.map { try $0.get().reference.id } == ids)
  }

  @Test func `does not let one unreadable bookmark spoil the others`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(3)
    let part = "--b\r\nType: json\r\nBookmark-Id: "
    let body =
      "\(part)\(ids[0])\r\n\r\n{\"id\":\"\(ids[0])\",\"title\":\"First\",\"errors\":[\"e\"]}\r\n"
      + "\(part)\(ids[1])\r\n\r\n{\"id\":\r\n\(part)other\r\n\r\n{\"id\":\"other\"}\r\n--b--"
    stage.server.failNext(.text(body, type: "multipart/mixed; boundary=b")) { $0.method == "POST" }
    let results = try await stage.adapter().items(ids.map { ItemReference(id: $0, revision: "") })
    let titles = try results.map { try $0.get().metadata.title }
    #expect(titles == ["First", "Article 2", "Article 3"])
  }

  @Test func `does not ask singly when the server is down`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(3)
    stage.server.failNext(ServerResponse().misbehaving(.closeSilently)) { $0.method == "POST" }
    let results = try await stage.adapter().items(ids.map { ItemReference(id: $0, revision: "") })
    for result in results {
      #expect(throws: AdapterError.self) { try result.get() }
    }
    #expect(stage.paths.count == 2)
  }

  @Test func `never takes an answer cut within an article for whole`() async throws {
    let stage = try ReadeckStage()
    let id = stage.fill(1)[0]
    let body = """
      --b\r\nBookmark-Id: \(id)\r\nType: json\r\n\r\n{"id":"\(id)","has_article":true}\r\n\
      --b\r\nBookmark-Id: \(id)\r\nType: html\r\n\r\n<p>Text num
      """
    stage.server.failNext(
      .text(body, type: "multipart/mixed; boundary=b")
    ) { $0.method == "POST" }
    let item = try await stage.adapter().fetch(id)
    #expect(item.html == "<section><p>Text number 1.</p></section>")
  }

  @Test(arguments: ["http://internal:8000", "http://reads.test", "https://reads.test/sub"])
  func `fetches pictures from the configured address whatever the server calls itself`(
    claimed: String
  ) async throws {
    for version in [(0, 22, 3), (0, 18, 0)] {
      let stage = try ReadeckStage("https://reads.test/read/")
      stage.server.behaviour.version = version
      stage.server.behaviour.prefix = "/read"
      stage.server.behaviour.claimedAddress = claimed
      let id = gallery(stage, pictures: 1)
      stage.server.update(id) { $0.image = .init("image.jpeg", "image/jpeg", [1]) }
      let item = try await stage.adapter().fetch(id)
      let folder = "https://reads.test/read/bm/\(id.prefix(2))/\(id)"
      #expect(item.html.contains("<img src=\"\(folder)/_resources/p1.jpg\"/>"))
      #expect(item.attachment(.cover) == "\(folder)/img/image.jpeg")
      #expect(stage.client.unexpected.isEmpty)
    }
  }

  @Test func `leaves the addresses of other sites as they are`() async throws {
    let stage = try ReadeckStage()
    let html = "<p><img src=\"https://other.test/bm/x.jpg\"/> http://internal:8000/bm/ in text</p>"
    stage.server.behaviour.claimedAddress = "http://internal:8000"
    let id = stage.server.add(
      FakeReadeck.Bookmark(url: "https://example.org/", title: "T", html: html))
    #expect(try await stage.adapter().fetch(id).html == html)
  }

  @Test func `reads a loading bookmark's nulls`() throws {
    let json = """
      {"id":"3ZjC8ERRR1G6o387oyKVXv","state":2,"loaded":false,"authors":null,"resources":{},
       "read_progress":"many","labels":null,"type":"hologram","updated":"soon","extra":[1,{}]}
      """
    let bookmark = try JSONDecoder().decode(Bookmark.self, from: Data(json.utf8))
    #expect(!bookmark.isLoaded)
    #expect(bookmark.authors == [])
    #expect(bookmark.readProgress == nil)
    #expect(bookmark.revision == "soon")
    let least = try JSONDecoder().decode(Bookmark.self, from: Data("{\"id\":\"x\"}".utf8))
    #expect(least.isLoaded)
    #expect(!least.hasArticle)
  }

  @Test func `resolves collections without following their addresses`() async throws {
    var stage = try ReadeckStage()
    let ids = stage.fill(3)
    stage.server.label(ids[1], ["swift"])
    for number in 1...35 { stage.server.add(FakeReadeck.Collection("Filler \(number)")) }
    let collection = stage.server.add(FakeReadeck.Collection("Swift things", labels: "swift"))
    for name in ["Swift things", "swift THINGS", collection] {
      stage.configuration.collection = name
      let listed = try await stage.adapter().listed()
      #expect(listed.ids == [ids[1]])
      #expect(!listed.isComplete)
    }
  }
}
