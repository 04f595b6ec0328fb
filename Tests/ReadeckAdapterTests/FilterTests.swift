import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct FilterTests {
  /// Lists five different bookmarks with a filter.
  private func listed(
    _ configure: (inout ReadeckConfiguration) -> Void
  ) async throws -> (numbers: [Int], listed: Listed, stage: ReadeckStage) {
    var stage = try ReadeckStage()
    let ids = stage.fill(5)
    stage.server.update(ids[0]) { $0.isArchived = true }
    stage.server.update(ids[1]) { $0.isMarked = true }
    stage.server.update(ids[2]) {
      $0.labels = ["web archive", "swift"]
      $0.type = "photo"
    }
    stage.server.update(ids[3]) {
      $0.labels = ["web", "a\"b"]
      $0.type = "video"
      $0.site = "blog.example.net"
    }
    stage.server.update(ids[4]) { $0.readProgress = 50 }
    stage.server.highlight(ids[4], .init("Text"))
    configure(&stage.configuration)
    let listed = try await stage.adapter().listed()
    return (listed.ids.compactMap(ids.firstIndex).map { $0 + 1 }, listed, stage)
  }

  @Test(arguments: [
    ("all", [5, 4, 3, 2, 1]), ("unread", [5, 4, 3, 2]), ("archived", [1]), ("favourite", [2]),
  ])
  func `takes bookmarks by state`(state: String, expected: [Int]) async throws {
    let result = try await listed { $0.state = state }
    #expect(Set(result.numbers) == Set(expected))
    #expect(result.listed.isComplete == (state == "all"))
  }

  @Test(arguments: [
    (["web archive"], [3]), (["web"], [4]), (["web*"], [3, 4]), (["swift", "web archive"], [3]),
    (["swift", "web"], []), (["-swift"], [1, 2, 4, 5]), (["a\"b"], [4]),
    (["-web archive"], [1, 2, 4, 5]),
    ([" "], [1, 2, 3, 4, 5]),
  ])
  func `takes bookmarks by label`(labels: [String], expected: [Int]) async throws {
    let result = try await listed { $0.labels = labels }
    #expect(Set(result.numbers) == Set(expected))
  }

  @Test func `takes bookmarks by type, site and read status`() async throws {
    #expect(try await listed { $0.type = ["photo", "VIDEO"] }.numbers == [4, 3])
    #expect(try await listed { $0.site = "example.net" }.numbers == [4])
    #expect(try await listed { $0.readStatus = ["reading"] }.numbers == [5])
    #expect(try await listed { $0.rangeEnd = "2026-11-20" }.numbers == [])
    #expect(try await listed { $0.rangeStart = "-1d" }.numbers == [5, 4, 3, 2, 1])
  }

  @Test(arguments: ["1d", "20h", "8w", "18mo", "2Y", " 30 d "])
  func `takes bookmarks by age, as every other age is written`(age: String) async throws {
    #expect(try await listed { $0.rangeStart = age }.numbers == [5, 4, 3, 2, 1])
    #expect(try await listed { $0.rangeEnd = age }.numbers == [])
  }

  @Test func `takes only bookmarks with highlights over the sync API`() async throws {
    let result = try await listed { $0.onlyHighlighted = true }
    #expect(result.numbers == [5])
    #expect(!result.listed.isComplete)
    #expect(result.stage.paths == ["info", "bookmarks/annotations", "bookmarks/sync"])
  }

  @Test func `takes highlighted bookmarks of a filter, over all pages of highlights`() async throws
  {
    var stage = try ReadeckStage()
    let ids = stage.fill(60)
    for id in ids { stage.server.highlight(id, .init("Text")) }
    stage.server.update(ids[0]) { $0.isMarked = true }
    stage.server.add(FakeReadeck.Bookmark(url: "https://example.org/", title: "plain"))
    stage.configuration.onlyHighlighted = true
    #expect(Set(try await stage.adapter().listed().ids) == Set(ids))
    stage.configuration.state = "favourite"
    #expect(try await stage.adapter().listed().ids == [ids[0]])
  }

  @Test func `tells deletions of a filtered listing since its checkpoint`() async throws {
    var stage = try ReadeckStage()
    let ids = stage.fill(3)
    stage.configuration.state = "unread"
    let first = try await stage.adapter().listed()
    stage.server.delete(ids[0])
    stage.server.update(ids[1]) { $0.isArchived = true }
    let second = try await stage.adapter().listed(since: first.checkpoint)
    #expect(second.ids == [ids[2]])
    #expect(second.deleted == [ids[0]])
    #expect(!second.isComplete)
  }

  @Test(arguments: [
    ("state", "state of Readeck cannot be \"read\": choose from all, unread, archived, favourite"),
    ("type", "type of Readeck cannot be \"book\": choose from article, photo, video"),
    ("readStatus", "readStatus of Readeck cannot be \"half\": choose from unread, reading, read"),
  ])
  func `refuses words it does not know before any request`(key: String, message: String) throws {
    var configuration = ReadeckConfiguration(url: "https://reads.test", token: Secret("t"))
    if key == "state" { configuration.state = "read" }
    if key == "type" { configuration.type = ["book"] }
    if key == "readStatus" { configuration.readStatus = ["half"] }
    let error = #expect(throws: AdapterError.self) { try ReadeckAdapter.access(configuration) }
    #expect(error?.code == .configuration)
    #expect(error?.message == message)
  }

  @Test func `hands on what the server finds wrong with a date`() async throws {
    let error = await adapterError { _ = try await listed { $0.rangeStart = "today" } }
    #expect(error?.code == .configuration)
    #expect(error?.message.hasSuffix("range_start: today is not a valid date") == true)
  }

  @Test func `names the collections there are when one is not found`() async throws {
    var stage = try ReadeckStage()
    stage.configuration.collection = "Nothing"
    let none = await adapterError { _ = try await stage.adapter().listed() }
    #expect(none?.message == "Readeck has no collection \"Nothing\": it has none at all")
    let first = stage.server.add(FakeReadeck.Collection("Twin"))
    let second = stage.server.add(FakeReadeck.Collection("Twin"))
    let other = await adapterError { _ = try await stage.adapter().listed() }
    #expect(other?.message == "Readeck has no collection \"Nothing\": it has \"Twin\", \"Twin\"")
    stage.configuration.collection = "twin"
    let twins = await adapterError { _ = try await stage.adapter().listed() }
    #expect(
      twins?.message
        == "Readeck has several collections \"twin\": choose by id from \(first), \(second)")
  }
}
