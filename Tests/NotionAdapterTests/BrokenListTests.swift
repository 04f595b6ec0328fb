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
    for _ in 0..<2 {
      stage.server.failNext(Self.stale) {
        $0.path.hasSuffix("/children") && $0.target.contains("start_cursor")
      }
    }
    let broken = try await stage.item(page)
    #expect(broken.html.contains("Line 99<") && !broken.html.contains("Line 100<"))
    #expect(broken.html.contains("The rest of the content could not be read"))
    #expect(broken.reference.revision.hasPrefix("?"))
    let whole = try await stage.item(page)
    #expect(whole.html.contains("Line 149<") && whole.notes.isEmpty)
    #expect(whole.reference.revision == FakeNotion.quietTime)
  }

  @Test(arguments: [true, false])
  func `a list whose cursor goes stale is read from its beginning`(isInside: Bool) async throws {
    let stage = try NotionStage()
    let lines = (0..<250).map { FakeBlock.text("paragraph", "Line \($0).") }
    let page = stage.server.addPage(
      "Page", blocks: isInside ? [.text("toggle", "Outer", lines)] : lines)
    stage.server.failNext(Self.stale) {
      $0.path.hasSuffix("/children") && $0.target.contains("c8")
    }
    let item = try await stage.item(page)
    for number in 0..<250 {
      #expect(
        item.html.split(separator: ">Line \(number).<", omittingEmptySubsequences: false).count == 2
      )
    }
    #expect(item.notes.isEmpty && item.missing.isEmpty)
    #expect(item.reference.revision == FakeNotion.quietTime)
  }

  @Test func `rows whose cursor goes stale are read from the beginning`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: [:])
    for number in 0..<250 {
      let name = FakeNotion.richText("Row \(number).")
      stage.server.addRow(table.source, ["Name": ["id": "title", "type": "title", "title": name]])
    }
    stage.server.failNext(Self.stale) {
      $0.path.hasSuffix("/query") && $0.text.contains("c8")
    }
    let reference = ItemReference(
      id: table.database, revision: "1", payload: ReferencePayload(kind: .database).text)
    let item = try await stage.adapter().item(reference)
    for number in [0, 99, 100, 199, 200, 249] { #expect(item.html.contains("Row \(number).<")) }
    #expect(item.notes.isEmpty && item.missing.isEmpty && item.reference.revision == "1")
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
