import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

extension ReadeckTrapTests {
  /// Complete and incomplete responses for articles.
  struct Articles {
    @Test func `gets a gallery through a proxy that refuses its headers`() async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.proxyHeaderLimit = 4096
      let id = stage.gallery()
      let item = try await stage.adapter().fetch(id)
      #expect(item.html.contains("http://reads.test/bm/\(id.prefix(2))/\(id)/_resources/p40.jpg"))
      #expect(item.notes.isEmpty)
    }

    @Test func `gets a highlighted gallery through that proxy without its colours`() async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.proxyHeaderLimit = 4096
      let id = stage.gallery()
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
      let id = stage.gallery()
      let item = try await stage.adapter().fetch(id)
      #expect(
        item.html.contains("\"http://reads.test/api/bookmarks/\(id)/x/_resources/p40.jpg\""))
    }

    @Test func `gets a gallery through that proxy when the sync API fails as well`() async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.proxyHeaderLimit = 4096
      let id = stage.gallery()
      stage.server.failNext(ServerResponse(500)) { $0.method == "POST" }
      let item = try await stage.adapter().fetch(id)
      #expect(item.html.contains("/api/bookmarks/\(id)/x/_resources/p40.jpg\""))
      #expect(stage.paths.last == "bookmarks/\(id)/x/index.html")
    }

    @Test(arguments: [500, 403]) func `takes no other failure for that proxy's`(
      status: Int
    ) async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.version = (0, 19, 0)
      let id = stage.fill(1)[0]
      stage.server.failNext(ServerResponse(status)) { $0.path.hasSuffix("/article") }
      #expect(await (try stage.adapter()).failure(id) != nil)
      #expect(!stage.paths.contains { $0.hasSuffix("/x/index.html") })
    }

    @Test func `leaves a bookmark that is loading for later without asking for its article`()
      async throws
    {
      for version in [(0, 22, 3), (0, 18, 0)] {
        let stage = try ReadeckStage()
        stage.server.behaviour.version = version
        var bookmark = FakeReadeck.Bookmark(
          url: "https://example.org/", title: "", html: "<p>soon</p>")
        bookmark.state = .loading
        let id = stage.server.add(bookmark)
        let error = await (try stage.adapter()).failure(id)
        #expect(error?.code == .notReady)
        #expect(error?.message == "Readeck is still loading the bookmark \(id)")
        #expect(!stage.paths.contains { $0.hasSuffix("/article") })
      }
    }

    @Test func `takes an answer of no type and no body for no article`() async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.version = (0, 19, 0)
      let id = stage.fill(1)[0]
      stage.server.failNext(ServerResponse(200)) { $0.path.hasSuffix("/article") }
      let item = try await stage.adapter().fetch(id)
      #expect(item.reason == "Readeck\u{2019}s copy of this page is empty.")
    }

    @Test func `does not take an empty article for content`() async throws {
      let stage = try ReadeckStage()
      let id = stage.server.add(
        FakeReadeck.Bookmark(url: "https://example.org/", title: "T", html: ""))
      let item = try await stage.adapter().fetch(id)
      #expect(item.reason == "Readeck\u{2019}s copy of this page is empty.")
    }

    @Test(arguments: [
      ("https://cdn.test/a%20b.PDF?x=1", "a b.PDF"),
      ("https://arxiv.test/pdf/2301.01234v2", "2301.01234v2"),
      ("https://cdn.test/page.html", nil), ("https://pdf.test/", nil),
    ])
    func `a bookmarked file of a type that is requested comes with the item`(
      url: String, name: String?
    ) async throws {
      var stage = try ReadeckStage()
      var bookmark = FakeReadeck.Bookmark(url: url, title: "T")
      bookmark.errors = ["could not extract content"]
      let id = stage.server.add(bookmark)
      #expect(try await stage.adapter().fetch(id).attachments.isEmpty)
      stage.configuration.originals = ["PDF"]
      let item = try await stage.adapter().fetch(id)
      #expect(item.attachments.map(\.name) == (name.map { [$0] } ?? []))
      #expect(item.metadata.kind == (name == nil ? .article : .document))
      stage.configuration.originals = ["docx"]
      #expect(throws: AdapterError.self) { try stage.adapter() }
    }

    @Test(arguments: [
      ("https://dead.invalid/page", "Readeck could not save this page: cannot load resource."),
      (
        "https://cdn.test/file.PDF",
        "Readeck could not save this page: cannot load resource. Readeck does not store PDF files."
      ),
    ])
    func `says why there is no article`(url: String, reason: String) async throws {
      let stage = try ReadeckStage()
      var bookmark = FakeReadeck.Bookmark(url: url, title: "")
      bookmark.documentType = ""
      bookmark.errors = ["cannot load resource"]
      let item = try await stage.adapter().fetch(stage.server.add(bookmark))
      #expect(item.reason == reason)
      #expect(item.metadata.kind == .article)
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

    @Test func `leaves the addresses of other sites as they are`() async throws {
      let stage = try ReadeckStage()
      let html =
        "<p><img src=\"https://other.test/bm/x.jpg\"/> http://internal:8000/bm/ in text</p>"
      stage.server.behaviour.claimedAddress = "http://internal:8000"
      let id = stage.server.add(
        FakeReadeck.Bookmark(url: "https://example.org/", title: "T", html: html))
      #expect(try await stage.adapter().fetch(id).html == html)
    }
  }
}
