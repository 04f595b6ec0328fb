import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct ItemTests {
  @Test func `fetches twenty articles in one request`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(20)
    let results = try await stage.adapter().items(ids.map { ItemReference(id: $0, revision: "") })
    let titles = try results.map { try $0.get().metadata.title }
    #expect(titles == (1...20).map { "Article \($0)" })
    #expect(try results[4].get().html == "<section><p>Text number 5.</p></section>")
    #expect(stage.paths == ["info", "POST bookmarks/sync"])
  }

  @Test func `keeps what is known about a bookmark`() async throws {
    let stage = try ReadeckStage()
    var bookmark = FakeReadeck.Bookmark(
      url: "https://example.org/a?b=1", title: "T <b> & \"q\"", html: "<p>x</p>")
    bookmark.siteName = "Example Journal"
    bookmark.authors = ["Ada Writer", ""]
    bookmark.description = "Why & how"
    bookmark.language = "ar"
    bookmark.textDirection = "rtl"
    bookmark.published = "2024-03-05T12:11:12+02:00"
    bookmark.labels = ["web archive", "C++ & C#"]
    bookmark.isMarked = true
    bookmark.isArchived = true
    bookmark.readProgress = 42
    bookmark.wordCount = 624
    bookmark.readingTime = 3
    let id = stage.server.add(bookmark)
    let listed = try await stage.adapter().listed()
    let item = try await stage.adapter().fetch(id)
    #expect(item.reference.revision == listed.references[0].revision)
    var expected = ItemMetadata(kind: .article, title: "T <b> & \"q\"")
    expected.url = "https://example.org/a?b=1"
    expected.site = "example.org"
    expected.siteName = "Example Journal"
    expected.authors = ["Ada Writer"]
    expected.summary = "Why & how"
    expected.language = "ar"
    expected.direction = .rightToLeft
    expected.published = Date(timeIntervalSince1970: 1_709_633_472)
    expected.added = item.metadata.added
    expected.modified = item.metadata.modified
    expected.labels = ["C++ & C#", "web archive"]
    expected.isFavourite = true
    expected.isArchived = true
    expected.readProgress = 42
    expected.wordCount = 624
    expected.readingTime = 3
    #expect(item.metadata == expected)
    #expect(abs((item.metadata.added ?? .distantPast).timeIntervalSince1970 - 1_795_219_201) < 1)
    guard case .html(_, let base) = item.body else { throw AdapterError(.malformed, "no body") }
    #expect(base?.absoluteString == "https://example.org/a?b=1")
  }

  @Test func `keeps the record as it came`() async throws {
    let stage = try ReadeckStage()
    let id = stage.fill(1)[0]
    let record = try await stage.adapter().fetch(id).record ?? []
    #expect(String(decoding: record, as: UTF8.self).hasPrefix("{\"id\":\"\(id)\",\"href\":"))
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(record))
    #expect(value["omit_description"]?.bool == false)
  }

  @Test func `hides a description that repeats the beginning of the article`() async throws {
    let stage = try ReadeckStage()
    var bookmark = FakeReadeck.Bookmark(url: "https://example.org/", title: "T", html: "<p>x</p>")
    bookmark.description = "x"
    bookmark.omitsDescription = true
    let item = try await stage.adapter().fetch(stage.server.add(bookmark))
    #expect(item.metadata.summary == nil)
  }

  @Test func `takes cover and icon from the server's images`() async throws {
    let stage = try ReadeckStage()
    var bookmark = FakeReadeck.Bookmark(url: "https://example.org/", title: "T", html: "<p>x</p>")
    bookmark.thumbnail = .init("thumbnail.jpeg", "image/jpeg", [1], width: 380, height: 199)
    bookmark.icon = .init("icon.png", "image/png", [2], width: 48, height: 48)
    let id = stage.server.add(bookmark)
    let folder = "http://reads.test/bm/\(id.prefix(2))/\(id)/img"
    let small = try await stage.adapter().fetch(id)
    #expect(small.attachment(.cover) == "\(folder)/thumbnail.jpeg")
    #expect(small.attachment(.icon) == "\(folder)/icon.png")
    stage.server.update(id) {
      $0.image = .init("image.jpeg", "image/jpeg", [3], width: 800, height: 420)
    }
    let large = try await stage.adapter().fetch(id)
    #expect(large.attachment(.cover) == "\(folder)/image.jpeg")
    #expect(large.attachments[0].width == 800)
  }

  @Test func `makes the image of a photo its content`() async throws {
    let stage = try ReadeckStage()
    var bookmark = FakeReadeck.Bookmark(url: "https://example.org/p.jpg", title: "Sunset")
    bookmark.type = "photo"
    bookmark.documentType = "photo"
    bookmark.image = .init("image.jpeg", "image/jpeg", [1])
    let item = try await stage.adapter().fetch(stage.server.add(bookmark))
    #expect(item.metadata.kind == .photo)
    #expect(item.attachment(.image)?.hasSuffix("/img/image.jpeg") == true)
    #expect(item.attachment(.cover) == nil)
    #expect(item.reason == "This bookmark is a photo and has no text.")
    #expect(stage.paths == ["info", "POST bookmarks/sync"])
  }

  @Test func `shows a video's poster with the way to the original and the player`() async throws {
    let stage = try ReadeckStage()
    var bookmark = FakeReadeck.Bookmark(url: "https://videos.test/watch?v=2", title: "A \"film\"")
    bookmark.type = "video"
    bookmark.siteName = "Videos"
    bookmark.image = .init("image.jpeg", "image/jpeg", [1])
    bookmark.embed = "<iframe src=\"https://player.test/embed/2\"></iframe>"
    bookmark.embedDomain = "player.test"
    let item = try await stage.adapter().fetch(stage.server.add(bookmark))
    #expect(item.metadata.kind == .video)
    let start = "<figure><a href=\"https://videos.test/watch?v=2\"><img src=\"http://reads.test/bm/"
    #expect(item.html.hasPrefix(start))
    #expect(item.html.contains("alt=\"A &quot;film&quot;\""))
    #expect(
      item.html.contains("<a href=\"https://videos.test/watch?v=2\">Watch on Videos</a>"))
    #expect(item.html.contains("<iframe src=\"https://player.test/embed/2\">"))
  }

  @Test func `delivers a bookmark that is about to be deleted`() async throws {
    let stage = try ReadeckStage()
    let id = stage.fill(1)[0]
    stage.server.update(id) { $0.isDeleted = true }
    #expect(try await stage.adapter().fetch(id).metadata.title == "Article 1")
  }

  @Test func `reads bookmarks of servers without the sync API`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 16, 0)
    let id = stage.fill(1)[0]
    let item = try await stage.adapter().fetch(id)
    #expect(item.html == "<section><p>Text number 1.</p></section>")
    #expect(item.metadata.readProgress == nil)
    #expect(stage.paths == ["info", "bookmarks/\(id)", "bookmarks/\(id)/article"])
  }
}

struct AccountTests {
  @Test func `tells whose bookmarks they are, by what no rename changes`() async throws {
    let stage = try ReadeckStage()
    let account = try #require(try await stage.adapter().account())
    #expect(!account.id.isEmpty && !account.name.isEmpty)
    stage.server.failNext(ServerResponse(403)) { $0.path.hasSuffix("/profile") }
    #expect(try await stage.adapter().account() == nil)
  }
}
