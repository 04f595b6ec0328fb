import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Databases and rows inside a page that Notion does not return are counted. What is in the trash is not
/// missing.
struct RefusedTests {
  private static let broken = FakeNotion.error(500, "internal_server_error", "Sorry")

  private static func title(_ text: String) -> [String: JSONValue] {
    ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText(text)]]
  }

  /// A page with an inline database of one row.
  private static func server() -> (
    server: FakeNotion, page: String, table: (database: String, source: String)
  ) {
    let server = FakeNotion()
    let page = server.addPage("Dashboard")
    let table = server.addDatabase(
      "Tasks", parent: page, columns: ListingTests.titleColumn, extra: ["is_inline": true])
    server.addRow(table.source, title("Walls"))
    server.edit(
      page, blocks: [FakeBlock("child_database", ["title": "Tasks"], id: table.database)],
      at: FakeNotion.quietTime)
    return (server, page, table)
  }

  @Test(arguments: [
    (404, "object_not_found"), (403, "restricted_resource"), (400, "validation_error"),
  ])
  func `a database inside a page that Notion refuses is counted`(
    status: Int, code: String
  ) async throws {
    let (server, page, table) = Self.server()
    let path = "/databases/\(FakeNotion.dashed(table.database))"
    let stage = try NotionStage(server) { request in
      request.path.hasSuffix(path) ? FakeNotion.error(status, code, "No") : nil
    }
    let item = try await stage.item(page)
    #expect(item.missing.map(\.name) == ["the database “Tasks”"], "\(item.missing)")
    #expect(
      item.missing.allSatisfy { $0.kind == .children && $0.isPermanent && !$0.isEssential })
    #expect(item.html.contains("Tasks (not shared)"))
  }

  @Test func `a table of a database inside a page that Notion refuses is counted`() async throws {
    let (server, page, table) = Self.server()
    let path = "/data_sources/\(FakeNotion.dashed(table.source))"
    let stage = try NotionStage(server) { request in
      request.path.hasSuffix(path) ? FakeNotion.error(404, "object_not_found", "No") : nil
    }
    let item = try await stage.item(page)
    #expect(item.missing.map(\.name) == ["the database “Tasks”"], "\(item.missing)")
    #expect(item.missing.allSatisfy { $0.isPermanent && !$0.isEssential })
  }

  @Test func `a database inside a page that is in the trash is not missing`() async throws {
    let (server, page, table) = Self.server()
    server.trash(database: table.database, source: table.source)
    let item = try await NotionStage(server).item(page)
    #expect(item.missing.isEmpty, "\(item.missing)")
    #expect(item.html.contains(">Tasks</a>") && !item.html.contains("Walls"))
  }

  @Test func `a view of a database that is not shared is counted`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Secrets", columns: ListingTests.titleColumn)
    let link = stage.server.reserveID()
    stage.server.addView(link, source: table.source, ["name": "All"])
    let page = stage.server.addPage(
      "Page", blocks: [FakeBlock("child_database", ["title": ""], id: link)])
    stage.server.unshare(table.source)
    stage.server.unshare(table.database)
    let item = try await stage.item(page)
    #expect(item.html.contains("<span class=\"n-ghost\">A linked database (not shared)</span>"))
    #expect(item.missing.map(\.name) == ["a database"], "\(item.missing)")
    #expect(
      item.missing.allSatisfy { $0.kind == .children && $0.isPermanent && !$0.isEssential })
  }

  @Test func `a linked database whose views cannot be read is missing for now`() async throws {
    let server = FakeNotion()
    let table = server.addDatabase("Tasks", columns: ListingTests.titleColumn)
    let link = server.reserveID()
    server.addView(link, source: table.source, ["name": "All"])
    let page = server.addPage(
      "Page", blocks: [FakeBlock("child_database", ["title": "Linked"], id: link)])
    let stage = try NotionStage(server) { $0.path.hasSuffix("/views") ? Self.broken : nil }
    let item = try await stage.item(page)
    #expect(item.missing.map(\.name) == ["the database “Linked”"], "\(item.missing)")
    #expect(item.missing.allSatisfy { $0.kind == .children && !$0.isPermanent })
    let listed = try await stage.list()
    #expect(listed.gaps.contains { $0.isEssential && $0.message.contains("views of database") })
  }

  /// A table whose last rows are in the order of a view of its database and of a linked view: a row that is
  /// not shared, one in the trash, and one that the queries return or that is far down.
  private static func rows(
    _ count: Int
  ) throws -> (stage: NotionStage, items: [String], refused: String) {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Tasks", columns: ListingTests.titleColumn)
    let rows = (0..<count).map { stage.server.addRow(table.source, title("Task \($0)")) }
    let named = Array(rows.suffix(3))
    let link = stage.server.reserveID()
    for holder in [table.database, link] {
      stage.server.addView(
        holder, source: table.source, ["name": "V", "sorts": [["property": "Name"]]], rows: named)
    }
    stage.server.unshare(named[0])
    stage.server.trash(named[1])
    let page = stage.server.addPage(
      "Page", blocks: [FakeBlock("child_database", ["title": ""], id: link)])
    return (stage, [table.database, page], named[0])
  }

  @Test(arguments: [4, 1_250])
  func `a row of a view that is not shared is counted, one in the trash is not`(
    count: Int
  ) async throws {
    let (stage, items, refused) = try Self.rows(count)
    for id in items {
      let item = try await stage.item(id)
      #expect(item.missing.map(\.name) == ["row \(refused)"], "\(item.missing)")
      #expect(
        item.missing.allSatisfy { $0.kind == .children && $0.isPermanent && !$0.isEssential })
      #expect(item.html.contains(">Task \(count - 1)</a>"))
      #expect(!item.html.contains(">Task \(count - 2)</a>"))
    }
  }

  @Test func `a row that is added while its table is read is in the table`() async throws {
    let stage = try NotionStage()
    let server = stage.server
    let table = server.addDatabase("Tasks", columns: ListingTests.titleColumn)
    server.addRow(table.source, Self.title("Early"))
    server.addView(
      table.database, source: table.source, ["name": "V", "sorts": [["property": "Name"]]])
    server.before({ $0.path.hasSuffix("/queries") }) {
      server.addRow(table.source, Self.title("Late"))
    }
    let item = try await stage.item(table.database)
    #expect(item.html.contains(">Early</a>") && item.html.contains(">Late</a>"))
    #expect(!item.html.contains("rows of the view are missing") && item.missing.isEmpty)
    #expect(item.inline("database.csv")?.contains("Late") == true)
  }

  @Test func `after three rows that cannot be read the others are counted`() async throws {
    let server = FakeNotion()
    let table = server.addDatabase("Tasks", columns: ListingTests.titleColumn)
    let rows = (0..<6).map { server.addRow(table.source, Self.title("Task \($0)")) }
    server.addView(
      table.database, source: table.source, ["name": "V", "sorts": [["property": "Name"]]],
      rows: rows)
    for row in rows.dropFirst() { server.unshare(row) }
    let stage = try NotionStage(server) { request in
      rows.contains { request.path.hasSuffix("/pages/\(FakeNotion.dashed($0))") }
        ? Self.broken : nil
    }
    let item = try await stage.item(table.database)
    #expect(item.html.contains(">Task 0</a>"))
    #expect(
      item.missing.map(\.name) == rows[1...3].map { "row \($0)" } + ["2 more rows"],
      "\(item.missing)")
    #expect(item.missing.allSatisfy { $0.kind == .children && !$0.isPermanent })
  }
}
