import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Lists that are truncated, and parts of them that Notion refuses.
struct BrokenListTests {
  private static let stale = FakeNotion.error(
    400, "validation_error", "The start_cursor provided is invalid: s:64.")

  @Test func `a list inside a block that is aborted is requested another time`() async throws {
    let stage = try NotionStage()
    let inside = (0..<150).map { FakeBlock.text("paragraph", "Line \($0)") }
    let page = stage.server.addPage("Page", blocks: [.text("toggle", "Outer", inside)])
    stage.server.failNext(Self.stale) {
      $0.path.hasSuffix("/children") && $0.target.contains("start_cursor")
    }
    let broken = try await stage.item(page)
    #expect(broken.html.contains("Line 99<") && !broken.html.contains("Line 100<"))
    #expect(broken.html.contains("The rest of the content could not be read"))
    #expect(broken.reference.revision.hasPrefix("?"))
    let whole = try await stage.item(page)
    #expect(whole.html.contains("Line 149<") && whole.notes.isEmpty)
    #expect(whole.reference.revision == FakeNotion.quietTime)
  }

  @Test func `refused comments of a block affect no other block`() async throws {
    var stage = try NotionStage()
    stage.configuration.comments = "blocks"
    let blocks = (0..<3).map { _ in stage.server.reserveID() }
    let page = stage.server.addPage(
      "Page",
      blocks: blocks.map {
        FakeBlock("paragraph", ["rich_text": FakeNotion.richText("Passage")], [], id: $0)
      })
    for (number, block) in blocks.enumerated() {
      stage.server.addComment("Remark \(number)", on: block, page: page, discussion: "d\(number)")
    }
    stage.server.failNext(FakeNotion.error(404, "object_not_found", "Could not find block.")) {
      $0.path.hasSuffix("/comments") && $0.target.contains(FakeNotion.dashed(blocks[1]))
    }
    let html = try await stage.html(page)
    #expect(html.contains("Remark 0") && html.contains("Remark 2") && !html.contains("Remark 1"))
  }

  @Test func `comments that no page returns are requested once`() async throws {
    let stage = try NotionStage()
    stage.server.behaviour.mayReadComments = false
    let pages = (0..<5).map { stage.server.addPage("Page \($0)") }
    let adapter = try stage.adapter()
    for page in pages { _ = try await adapter.item(ItemReference(id: page, revision: "")) }
    #expect(stage.requests("/comments") == 1)
  }
}
