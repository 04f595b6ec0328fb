import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Changes of a page that do not change its timestamp: synced blocks and later comments.
struct ElsewhereTests {
  private static let later = "2026-11-21T10:00:00.000Z"

  /// Lists a day later and returns the items and the number of requests.
  private static func night(
    _ stage: NotionStage, _ checkpoint: Checkpoint?
  ) async throws -> (listed: NotionStage.Listed, cost: Int) {
    stage.clock.advance(86_400)
    let before = stage.client.requests.count
    let listed = try await stage.list(since: checkpoint)
    return (listed, stage.client.requests.count - before)
  }

  /// A page with a synced block, and one that shows a copy of it.
  private static func synced(_ stage: NotionStage) -> (original: String, copy: String) {
    let block = stage.server.reserveID()
    let original = stage.server.addPage(
      "Original",
      blocks: [
        FakeBlock("synced_block", ["synced_from": .null], [.text("paragraph", "Old")], id: block)
      ])
    let copy = stage.server.addPage("Copy", blocks: [Self.copy(of: block)])
    return (original, copy)
  }

  private static func copy(of block: String) -> FakeBlock {
    FakeBlock(
      "synced_block",
      ["synced_from": ["type": "block_id", "block_id": .string(FakeNotion.dashed(block))]])
  }

  @Test func `a page that shows a synced block is named again when the original's page changes`()
    async throws
  {
    let stage = try NotionStage()
    let (original, copy) = Self.synced(stage)
    let first = try await stage.list()
    let before = try #require(first.references[copy])
    #expect(try await stage.adapter().item(before).reference.revision == before.revision)
    let (quiet, cost) = try await Self.night(stage, first.checkpoint)
    #expect(quiet.references[copy]?.revision == before.revision)
    #expect(cost <= 10)
    stage.server.touch(original, at: Self.later)
    let (second, _) = try await Self.night(stage, quiet.checkpoint)
    let after = try #require(second.references[copy])
    #expect(after.revision != before.revision)
    #expect(after.revision.hasPrefix(FakeNotion.quietTime), "its own stamp is as it was")
    let (third, _) = try await Self.night(stage, second.checkpoint)
    #expect(third.references[copy]?.revision == after.revision)
    // And after a full listing.
    let whole = try await stage.listAnew(knowing: third.checkpoint)
    #expect(whole.references[copy]?.revision == after.revision)
  }

  @Test func `a limited number of copies of a block is listed again per run`() async throws {
    let stage = try NotionStage()
    let block = stage.server.reserveID()
    let original = stage.server.addPage(
      "Original",
      blocks: [
        FakeBlock("synced_block", ["synced_from": .null], [.text("paragraph", "Old")], id: block)
      ])
    let copies = (0..<50).map { stage.server.addPage("Copy \($0)", blocks: [Self.copy(of: block)]) }
    var known = try await stage.list()
    stage.server.touch(original, at: Self.later)
    var changed: [Int] = []
    var revisions = known.references.mapValues(\.revision)
    for _ in 0..<4 {
      let (listed, _) = try await Self.night(stage, known.checkpoint)
      changed.append(
        copies.count { listed.references[$0].map { $0.revision != revisions[$0.id] } ?? false })
      for (id, reference) in listed.references { revisions[id] = reference.revision }
      known = listed
    }
    #expect(changed == [20, 20, 10, 0])
  }

  @Test func `a copy below a root is requested by its id when its original changes`() async throws {
    var stage = try NotionStage()
    let (original, copy) = Self.synced(stage)
    let root = stage.server.addPage("Root")
    for page in [original, copy] { stage.server.hide(page) }
    stage.server.edit(
      root,
      blocks: [original, copy].map { FakeBlock("child_page", ["title": "Page"], id: $0) },
      at: FakeNotion.quietTime)
    stage.configuration.roots = [root, original, copy]
    let first = try await stage.list()
    stage.configuration.roots = [root, original, copy]
    let before = try #require(first.references[copy])
    stage.server.touch(original, at: Self.later)
    let (second, _) = try await Self.night(stage, first.checkpoint)
    #expect(second.references[copy]?.revision != before.revision)
  }

  @Test func `a comment that came after the page was archived has it named again, once`()
    async throws
  {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page")
    let other = stage.server.addPage("Other")
    stage.server.addComment("Early", on: other, page: other)
    let first = try await stage.list()
    let before = try #require(first.references[page]).revision
    stage.server.addComment(
      "Late", on: page, page: page, extra: ["created_time": .string(Self.later)])
    let (second, cost) = try await Self.night(stage, first.checkpoint)
    let after = try #require(second.references[page])
    #expect(after.revision != before)
    #expect(second.references[other]?.revision == first.references[other]?.revision)
    #expect(cost <= 10)
    let item = try await stage.adapter().item(after)
    #expect(item.html.contains("Late") && item.reference.revision == after.revision)
    for _ in 0..<3 {
      let (third, _) = try await Self.night(stage, second.checkpoint)
      #expect(third.references[page]?.revision == after.revision)
    }
  }

  @Test func `a comment of the minute of the last edit came with the page`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page")
    let start = try await stage.list()
    stage.server.touch(page, at: Self.later)
    stage.server.addComment(
      "Same minute", on: page, page: page, extra: ["created_time": .string(Self.later)])
    let first = try await Self.night(stage, start.checkpoint).listed
    #expect(first.references[page]?.revision != start.references[page]?.revision)
    let second = try await Self.night(stage, first.checkpoint).listed
    #expect(second.references[page]?.revision == first.references[page]?.revision)
    stage.server.addComment(
      "A minute later", on: page, page: page,
      extra: ["created_time": "2026-11-21T10:01:00.000Z"])
    let third = try await Self.night(stage, second.checkpoint).listed
    #expect(third.references[page]?.revision != first.references[page]?.revision)
  }

  @Test func `comments of all pages are requested in turn, with a limited number of requests`()
    async throws
  {
    let stage = try NotionStage()
    let pages = (0..<60).map { stage.server.addPage("Page \($0)") }
    let first = try await stage.list()
    for page in pages {
      stage.server.addComment(
        "Late", on: page, page: page, extra: ["created_time": .string(Self.later)])
    }
    var named: Set<String> = []
    var checkpoint = first.checkpoint
    for _ in 0..<40 where named.count < pages.count {
      let (listed, cost) = try await Self.night(stage, checkpoint)
      #expect(cost <= 10)
      named.formUnion(
        pages.filter { id in
          listed.references[id].map { $0.revision != first.references[id]?.revision } ?? false
        })
      checkpoint = listed.checkpoint
    }
    #expect(named == Set(pages))
  }

  @Test func `comments that are off or may not be read cost nothing each night`() async throws {
    var stage = try NotionStage()
    stage.configuration.comments = "off"
    for number in 0..<5 { stage.server.addPage("Page \(number)") }
    let first = try await stage.list()
    let second = try await Self.night(stage, first.checkpoint).listed
    #expect(stage.requests("/comments") == 0)
    stage.configuration.comments = "pages"
    stage.server.behaviour.mayReadComments = false
    let third = try await Self.night(stage, second.checkpoint).listed
    #expect(stage.requests("/comments") == 1)
    #expect(third.gaps.isEmpty)
  }

  @Test func `pages archived before the search for later comments are queried once`()
    async throws
  {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page")
    stage.server.addComment(
      "Between", on: page, page: page, extra: ["created_time": "2026-11-20T10:00:00.000Z"])
    let first = try await stage.list()
    var old = try #require(NotionCheckpoint(first.checkpoint, scope: try Self.scope(first)))
    old.elsewhere = nil
    let (second, _) = try await Self.night(stage, old.checkpoint)
    #expect(second.references[page]?.revision != first.references[page]?.revision)
    let (third, _) = try await Self.night(stage, second.checkpoint)
    #expect(third.references[page]?.revision == second.references[page]?.revision)
  }

  private static func scope(_ listed: NotionStage.Listed) throws -> String {
    struct Scope: Decodable { let scope: String }
    let text = try #require(listed.checkpoint?.value)
    return try JSONDecoder().decode(Scope.self, from: Data(text.utf8)).scope
  }
}
