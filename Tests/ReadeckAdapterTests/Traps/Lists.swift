import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

extension ReadeckTrapTests {
  /// Entries that lists leave out, refuse and ignore.
  struct Lists {
    @Test func `walks the pages of a server without the sync API`() async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.version = (0, 19, 0)
      let ids = stage.fill(230)
      let adapter = try stage.adapter()
      let listed = try await adapter.listed()
      #expect(listed.ids == ids.reversed())
      #expect(listed.isComplete)
      #expect(listed.pages == 3)
      #expect(listed.references.last?.title == "Article 1")
      #expect(stage.client.requests.dropFirst().allSatisfy { $0.parameter("limit") == "100" })
    }

    @Test func `uses updated_since only where it exists`() async throws {
      var stage = try ReadeckStage()
      stage.server.behaviour.version = (0, 18, 2)
      let ids = stage.fill(4)
      let adapter = try stage.adapter()
      let first = try await adapter.listed()
      stage.server.update(ids[0]) { $0.isMarked = true }
      let second = try await adapter.listed(since: first.checkpoint)
      #expect(Set(second.ids) == [ids[0], ids[3]])
      #expect(!second.isComplete)

      stage.server.behaviour.version = (0, 22, 3)
      stage.configuration.state = "unread"
      let filtered = try await stage.adapter().listed()
      let count = stage.client.requests.count
      _ = try await stage.adapter().listed(since: filtered.checkpoint)
      let last = stage.client.requests.dropFirst(count)
      #expect(last.map(\.path).contains("/api/bookmarks"))
      #expect(last.allSatisfy { $0.parameter("updated_since") == nil })
    }

    @Test func `does not ask 0_21 for changes since a time`() async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.version = (0, 21, 6)
      stage.fill(3)
      let adapter = try stage.adapter()
      let checkpoint = try await adapter.listed().checkpoint
      let listed = try await adapter.listed(since: checkpoint)
      #expect(listed.references.count == 3)
      #expect(stage.client.requests.allSatisfy { $0.parameter("since") == nil })
    }

    @Test func `lists everything again where since fails`() async throws {
      let stage = try ReadeckStage()
      let ids = stage.fill(3)
      let checkpoint = try await stage.adapter().listed().checkpoint
      stage.server.failNext(ServerResponse(500)) { $0.parameter("since") != nil }
      let listed = try await stage.adapter().listed(since: checkpoint)
      #expect(listed.ids == ids.reversed())
      #expect(listed.isComplete)
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

    @Test func `never asks for more than a hundred, which is answered as not found`() async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.version = (0, 19, 0)
      stage.fill(101)
      #expect(try await stage.adapter().listed().references.count == 101)
      let limits = stage.client.requests.compactMap { $0.parameter("limit") }
      #expect(limits == ["100", "100"])
    }

    @Test(arguments: [(0, 22, 3), (0, 19, 0)])
    func `takes ids of any length that Readeck makes`(
      version: (major: Int, minor: Int, patch: Int)
    ) async throws {
      let stage = try ReadeckStage()
      stage.server.behaviour.version = version
      let alphabet = "p5cq8ZfmXxs39SZ64kJamB"
      let ids = (18...22).map { String(alphabet.prefix($0)) }
      for id in ids {
        var bookmark = FakeReadeck.Bookmark(
          url: "https://example.org/\(id.count)", title: id, html: "<p>\(id)</p>")
        bookmark.id = id
        stage.server.add(bookmark)
      }
      let listed = try await stage.adapter().listed()
      #expect(listed.ids == ids.reversed())
      let items = try await stage.adapter().items(listed.references).map { try $0.get() }
      #expect(items.map(\.html) == ids.reversed().map { "<p>\($0)</p>" })
    }
  }
}
