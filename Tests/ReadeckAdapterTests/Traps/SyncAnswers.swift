import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

extension ReadeckTrapTests {
  /// Incomplete responses of `POST /api/bookmarks/sync`.
  struct SyncAnswers {
    @Test func `asks again for what a broken sync left out`() async throws {
      let stage = try ReadeckStage()
      let ids = stage.fill(5)
      stage.server.behaviour.syncBreaksAfter = 3
      let results = try await stage.adapter().items(ids.map { ItemReference(id: $0, revision: "") })
      #expect(try results.map { try $0.get().reference.id } == ids)
      #expect(stage.paths.count { $0 == "POST bookmarks/sync" } == 3)
    }

    @Test func `requests single items that the sync API never returns`() async throws {
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
      stage.server.failNext(.text(body, type: "multipart/mixed; boundary=b")) {
        $0.method == "POST"
      }
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
  }
}
