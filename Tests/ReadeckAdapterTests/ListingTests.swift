import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct ListingTests {
  @Test func `names every bookmark with two requests on a server with the sync API`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(250)
    let listed = try await stage.adapter().listed()
    #expect(listed.ids == ids.reversed())
    #expect(listed.isComplete)
    #expect(stage.paths == ["info", "bookmarks/sync"])
  }

  @Test func `delivers large libraries page by page with the checkpoint on the last one`()
    async throws
  {
    let stage = try ReadeckStage()
    stage.fill(1001)
    var checkpoints: [Checkpoint?] = []
    for try await page in try stage.adapter().listing(since: nil) {
      checkpoints.append(page.checkpoint)
      #expect(page.total == 1001)
    }
    #expect(checkpoints.count == 2)
    #expect(checkpoints.first == .some(nil))
    #expect(checkpoints.last != .some(nil))
  }

  @Test func `names only changes and deletions since a checkpoint`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(5)
    let adapter = try stage.adapter()
    let first = try await adapter.listed()
    stage.server.label(ids[1], ["later"])
    stage.server.delete(ids[0])
    let second = try await adapter.listed(since: first.checkpoint)
    // The newest item of the first listing is returned again: `since` is inclusive.
    #expect(second.ids == [ids[1], ids[4]])
    #expect(second.deleted == [ids[0]])
    #expect(!second.isComplete)
    #expect(second.references[1].revision == first.references[0].revision)
    #expect(second.references[0].revision != first.references[3].revision)
    let third = try await adapter.listed(since: second.checkpoint)
    #expect(third.references.isEmpty)
    #expect(third.deleted == [ids[0]])
    #expect(third.checkpoint == second.checkpoint)
  }

  @Test func `gives the same revisions either way of listing`() async throws {
    let stage = try ReadeckStage()
    stage.fill(12)
    let bySync = try await stage.adapter().listed()
    stage.server.behaviour.version = (0, 19, 0)
    let byPages = try await stage.adapter().listed()
    #expect(bySync.references.map(\.revision) == byPages.references.map(\.revision))
    #expect(bySync.references.map(\.date) == byPages.references.map(\.date))
  }

  @Test func `names a bookmark once though new ones shift the pages`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 19, 0)
    let ids = stage.fill(150)
    var names: [String] = []
    var isComplete = true
    for try await page in try stage.adapter().listing(since: nil) {
      names += page.references.map(\.id)
      if names.count == 100 { stage.fill(1) }
      isComplete = page.isCompleteEnumeration
    }
    #expect(names == ids.reversed())
    #expect(!isComplete)
  }

  @Test func `does not call a listing complete that a deletion shifted`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 19, 0)
    let ids = stage.fill(150)
    var isComplete = true
    for try await page in try stage.adapter().listing(since: nil) {
      if page.references.count == 100 { stage.server.delete(ids[140]) }
      isComplete = page.isCompleteEnumeration
    }
    #expect(!isComplete)
  }

  @Test func `takes no notice of a checkpoint of other settings`() async throws {
    var stage = try ReadeckStage()
    stage.fill(3)
    let checkpoint = try await stage.adapter().listed().checkpoint
    stage.configuration.onlyHighlighted = true
    stage.server.highlight(stage.server.ids[0], .init("Text"))
    let highlighted = try await stage.adapter().listed()
    #expect(highlighted.references.count == 1)
    stage.configuration.onlyHighlighted = nil
    let all = try await stage.adapter().listed(since: highlighted.checkpoint)
    #expect(all.references.count == 3)
    #expect(all.isComplete)
    stage.configuration.url = "http://reads.test/api"
    #expect(try await stage.adapter().listed(since: checkpoint).references.count == 2)
    for value in ["", "rubbish", "2 2026-11-21T00:00:00Z http://reads.test/ ", "1 x y z"] {
      let listed = try await stage.adapter().listed(since: Checkpoint(value))
      #expect(listed.references.count == 3, "after checkpoint \(value)")
      #expect(listed.isComplete)
    }
  }

  @Test func `names an empty library as complete`() async throws {
    let stage = try ReadeckStage()
    let listed = try await stage.adapter().listed()
    #expect(listed.references.isEmpty)
    #expect(listed.isComplete)
    stage.server.behaviour.version = (0, 19, 0)
    #expect(try await stage.adapter().listed().isComplete)
  }

  @Test func `leaves out a broken entry and then claims no completeness`() async throws {
    let stage = try ReadeckStage()
    let body = """
      [{"id":"AYQdWESSESv3Xg3o5vMFDY","time":"2026-11-21T00:00:01.5+02:00","type":"update"},
       {"time":"2026-11-21T00:00:01Z"},{"id":"x","time":"yesterday","type":"update"}]
      """
    stage.server.failNext(.json(body)) { $0.path.hasSuffix("/sync") }
    let listed = try await stage.adapter().listed()
    #expect(listed.ids == ["AYQdWESSESv3Xg3o5vMFDY"])
    #expect(listed.references[0].revision == "2026-11-20T22:00:01.5Z")
    #expect(!listed.isComplete)
    #expect(listed.gaps.contains { $0.contains("element 1: [1].id is missing") })
  }

  @Test func `falls back to paged listing without the sync API`() async throws {
    let stage = try ReadeckStage()
    stage.fill(3)
    stage.server.failNext(ServerResponse(404)) { $0.path.hasSuffix("/sync") }
    #expect(try await stage.adapter().listed().references.count == 3)
  }
}
