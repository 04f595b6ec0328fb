import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Databases that Notion shows on the page that holds them.
struct InlineDatabaseTests {
  private static func title(_ text: String) -> [String: JSONValue] {
    ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText(text)]]
  }

  /// A page with a database of two rows inside it.
  private static func stage(isInline: Bool) throws -> (
    NotionStage, page: String, table: (database: String, source: String), row: String
  ) {
    let stage = try NotionStage()
    let page = stage.server.addPage("Dashboard")
    let table = stage.server.addDatabase(
      "Tasks", parent: page, columns: ListingTests.titleColumn,
      extra: ["is_inline": .bool(isInline)])
    let row = stage.server.addRow(table.source, title("Walls"))
    stage.server.addRow(table.source, title("Roof"))
    stage.server.addView(table.database, source: table.source, ["name": "All"])
    stage.server.edit(
      page, blocks: [FakeBlock("child_database", ["title": "Tasks"], id: table.database)],
      at: FakeNotion.quietTime)
    return (stage, page, table, row)
  }

  @Test func `a page shows the rows of a database inside it`() async throws {
    let (stage, page, table, _) = try Self.stage(isInline: true)
    let html = try await stage.html(page)
    #expect(html.contains("href=\"https://www.notion.so/\(table.database)\">Tasks</a></p>"))
    #expect(html.contains("<div class=\"n-linked\"><h2 class=\"n-view\""))
    #expect(html.contains(">Walls</a>") && html.contains(">Roof</a>"))
  }

  @Test func `a database that is a page of its own stays a link`() async throws {
    let (stage, page, table, _) = try Self.stage(isInline: false)
    let html = try await stage.html(page)
    #expect(html.contains("href=\"https://www.notion.so/\(table.database)\">Tasks</a></p>"))
    #expect(!html.contains("n-linked") && !html.contains("Walls"))
  }

  @Test func `a row that changes has the page around its table named again until it is fetched`()
    async throws
  {
    let (stage, page, _, row) = try Self.stage(isInline: true)
    let first = try await stage.list()
    let before = try #require(first.references[page])
    #expect(try await stage.adapter().item(before).reference.revision == before.revision)
    let quiet = try await stage.list(since: first.checkpoint)
    #expect(quiet.references[page]?.revision == before.revision)
    stage.server.edit(row, blocks: [.text("paragraph", "x")], at: "2026-11-20T23:30:00.000Z")
    let second = try await stage.list(since: quiet.checkpoint)
    let after = try #require(second.references[page])
    #expect(after.revision != before.revision)
    for _ in 0..<2 {
      let later = try await stage.list(since: second.checkpoint)
      #expect(later.references[page]?.revision == after.revision)
    }
    #expect(try await stage.adapter().item(after).reference.revision == after.revision)
  }

  @Test func `a table that leaves a page is no part of the page's revision any more`() async throws
  {
    let (stage, page, table, _) = try Self.stage(isInline: true)
    let first = try await stage.list()
    stage.server.trash(database: table.database, source: table.source)
    stage.server.hide(table.source)
    let second = try await stage.list(since: first.checkpoint)
    #expect(second.references[page]?.revision == FakeNotion.quietTime)
    let third = try await stage.list(since: second.checkpoint)
    #expect(third.references[page]?.revision == FakeNotion.quietTime)
  }

  @Test func `rows of a database behind a link leave its page alone`() async throws {
    let (stage, page, _, row) = try Self.stage(isInline: false)
    let first = try await stage.list()
    stage.server.edit(row, blocks: [.text("paragraph", "x")], at: "2026-11-20T23:30:00.000Z")
    let second = try await stage.list(since: first.checkpoint)
    #expect(second.references[page]?.revision == first.references[page]?.revision)
  }
}
