import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// What a page gathers from its blocks is in reading order, whatever the order of the responses.
struct ReadingOrderTests {
  @Test func `the table of contents names headings inside others where they are`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      blocks: [
        FakeBlock("table_of_contents", ["color": "default"]),
        FakeBlock(
          "heading_1", ["rich_text": FakeNotion.richText("First"), "is_toggleable": true],
          [.text("paragraph", "Words", [.text("heading_2", "Within")])]),
        FakeBlock(
          "column_list", [:],
          [
            FakeBlock("column", [:], [.text("heading_2", "Left")]),
            FakeBlock("column", [:], [.text("heading_2", "Right")]),
          ]),
        .text("heading_1", "Last"),
      ])
    let html = try await stage.html(page)
    let contents = try #require(html.firstRange(of: "</div>")).lowerBound
    let titles = ["First", "Within", "Left", "Right", "Last"].map { ">\($0)</a>" }
    var rest = html[..<contents]
    for title in titles {
      let found = try #require(rest.firstRange(of: title), "\(title) in \(html)")
      rest = rest[found.upperBound...]
    }
  }

  @Test func `discussions about blocks stand in the order of the blocks`() async throws {
    var stage = try NotionStage()
    stage.configuration.comments = "blocks"
    let (inner, last) = (stage.server.reserveID(), stage.server.reserveID())
    let page = stage.server.addPage(
      "Page",
      blocks: [
        .text(
          "toggle", "Outer",
          [FakeBlock("paragraph", ["rich_text": FakeNotion.richText("In")], [], id: inner)]),
        FakeBlock("paragraph", ["rich_text": FakeNotion.richText("End")], [], id: last),
      ])
    stage.server.addComment("On the end", on: last, page: page, discussion: "d2")
    stage.server.addComment("On what is inside", on: inner, page: page, discussion: "d1")
    let html = try await stage.html(page)
    let first = try #require(html.firstRange(of: "On what is inside"))
    let second = try #require(html.firstRange(of: "On the end"))
    #expect(first.lowerBound < second.lowerBound)
  }
}
