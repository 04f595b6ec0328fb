import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Titles that stay unknown are counted where a page shows nothing but them.
struct TitleTests {
  private static let broken = FakeNotion.error(500, "internal_server_error", "Sorry")

  /// A table with one row that relates to pages.
  private static func table(
    _ server: FakeNotion, _ targets: [String]
  ) -> (database: String, row: String) {
    let table = server.addDatabase(
      "Table",
      columns: ListingTests.titleColumn.merging(
        ["To": ["id": "to", "name": "To", "type": "relation", "relation": [:]]]) { $1 })
    let relation: JSONValue = .array(targets.map { ["id": .string(FakeNotion.dashed($0))] })
    let row = server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "To": ["id": "to", "type": "relation", "relation": relation],
      ])
    return (table.database, row)
  }

  /// A stage that cannot read the first pages.
  private static func stage(_ server: FakeNotion, failing pages: [String]) throws -> NotionStage {
    try NotionStage(server) { request in
      pages.contains { request.path.hasSuffix("/pages/\(FakeNotion.dashed($0))") } ? broken : nil
    }
  }

  @Test func `targets of a relation beyond those that are looked up are counted`() async throws {
    let stage = try NotionStage()
    let targets = (0..<1_150).map { stage.server.addPage("Target \($0)") }
    let (database, row) = Self.table(stage.server, targets)
    for id in [row, database] {
      let item = try await stage.item(id)
      #expect(item.html.components(">Untitled</a>") == 51)
      #expect(item.missing.map(\.name) == ["the titles of 50 pages"], "\(item.missing)")
      #expect(
        item.missing.allSatisfy { $0.kind == .record && $0.isPermanent && !$0.isEssential })
    }
  }

  @Test(arguments: [(1, "the title of a page"), (20, "the titles of 20 pages")])
  func `targets of a relation whose titles cannot be read are counted`(
    count: Int, name: String
  ) async throws {
    let server = FakeNotion()
    let targets = (0..<20).map { server.addPage("Target \($0)") }
    let (database, row) = Self.table(server, targets)
    let stage = try Self.stage(server, failing: Array(targets.prefix(count)))
    for id in [row, database] {
      let item = try await stage.item(id)
      #expect(item.html.components(">Untitled</a>") == count + 1)
      #expect(item.missing.map(\.name) == [name], "\(item.missing)")
      #expect(item.missing.first?.reason.contains("500") == true)
      #expect(item.missing.allSatisfy { !$0.isPermanent && !$0.isEssential })
    }
  }

  @Test func `an unknown title is no loss where the page has other words`() async throws {
    let server = FakeNotion()
    let target = server.addPage("Target")
    let page = server.addPage(
      "Page",
      blocks: [
        FakeBlock("paragraph", ["rich_text": [FakeNotion.mention(target, "Its words")]]),
        FakeBlock("child_page", ["title": "Its title"], id: target),
      ])
    let item = try await Self.stage(server, failing: [target]).item(page)
    #expect(item.html.contains("Its words") && item.html.contains("Its title"))
    #expect(item.missing.isEmpty, "\(item.missing)")
  }

  @Test func `unknown titles of links and of pages above are counted`() async throws {
    let server = FakeNotion()
    let target = server.addPage("Target")
    let link = FakeBlock(
      "link_to_page", ["type": "page_id", "page_id": .string(FakeNotion.dashed(target))])
    let linking = server.addPage("Linking", blocks: [link])
    let below = server.addPage("Below", parent: target, blocks: [FakeBlock("breadcrumb")])
    let stage = try Self.stage(server, failing: [target])
    for page in [linking, below] {
      let item = try await stage.item(page)
      #expect(item.html.contains("Untitled"))
      #expect(item.missing.map(\.name) == ["the title of a page"], "\(item.missing)")
    }
    let plain = server.addPage("Plain", parent: target)
    #expect(try await stage.item(plain).missing.isEmpty)
  }

  @Test func `a page that search returns as a stub keeps its title`() async throws {
    let server = FakeNotion()
    let target = server.addPage("Target")
    let page = server.addPage(
      "Page",
      blocks: [
        FakeBlock(
          "link_to_page", ["type": "page_id", "page_id": .string(FakeNotion.dashed(target))])
      ])
    let stage = try NotionStage(server) { request in
      guard request.path.hasSuffix("/search"), request.text.contains("\"page\"") else { return nil }
      return .json(
        """
        {"object":"list","results":[{"object":"page","id":"\(target)"}],"has_more":false}
        """)
    }
    let adapter = try stage.adapter()
    var listed: [String] = []
    for try await references in adapter.listing(since: nil) {
      listed += references.references.map(\.id)
    }
    #expect(listed == [target])
    let item = try await adapter.item(ItemReference(id: page, revision: ""))
    #expect(item.html.contains(">Target</a>"), "\(item.html)")
  }

  @Test func `a page named by a property of an unknown type has its title`() async throws {
    let stage = try NotionStage()
    let target = stage.server.addPage("Target")
    let table = stage.server.addDatabase(
      "Table",
      columns: ListingTests.titleColumn.merging(
        ["Owner": ["id": "ow", "name": "Owner", "type": "patron", "patron": [:]]]) { $1 })
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "Owner": [
          "id": "ow", "type": "patron",
          "patron": ["page_id": .string(FakeNotion.dashed(target))],
        ],
      ])
    for id in [row, table.database] {
      #expect(try await stage.item(id).html.contains(">Target</a>"))
    }
  }
}
