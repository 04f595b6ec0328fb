import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// What cannot be read is counted, and counted once.
struct CountedTests {
  private static let stale = FakeNotion.error(
    400, "validation_error", "The start_cursor provided is invalid: s:64.")

  /// A stage that puts an entry before those of the matching lists.
  private static func stage(
    _ server: FakeNotion, adding entry: String,
    to matches: @escaping @Sendable (ServerRequest) -> Bool
  ) throws -> NotionStage {
    try NotionStage(server) { request in
      guard matches(request), case .bytes(let bytes) = server.handle(request).body else {
        return nil
      }
      return .json(
        String(decoding: bytes, as: UTF8.self)
          .replacing("\"results\":[", with: "\"results\":[\(entry),"))
    }
  }

  private static func titled(_ text: String) -> [String: JSONValue] {
    ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText(text)]]
  }

  private static func reference(_ database: String) -> ItemReference {
    ItemReference(
      id: database, revision: "1", payload: ReferencePayload(kind: .database).text)
  }

  @Test func `a row without an id is counted once if the list is begun again`() async throws {
    let server = FakeNotion()
    let table = server.addDatabase("Table", columns: [:])
    for number in 0..<150 { server.addRow(table.source, Self.titled("Row \(number).")) }
    server.failNext(Self.stale) {
      $0.path.hasSuffix("/query") && $0.text.contains("start_cursor")
    }
    let stage = try Self.stage(server, adding: "{\"object\":\"page\"}") {
      $0.path.hasSuffix("/query") && !$0.text.contains("start_cursor")
    }
    let item = try await stage.adapter().item(Self.reference(table.database))
    #expect(item.html.contains("Row 0.<") && item.html.contains("Row 149.<"))
    #expect(item.missing.map(\.kind) == [.children], "\(item.missing)")
  }

  @Test func `a block without an id is shown once if the list is begun again`() async throws {
    let server = FakeNotion()
    let page = server.addPage(
      "Page", blocks: (0..<150).map { FakeBlock.text("paragraph", "Line \($0).") })
    server.failNext(Self.stale) {
      $0.path.hasSuffix("/children") && $0.target.contains("start_cursor")
    }
    let stage = try Self.stage(server, adding: "{\"type\":\"divider\",\"divider\":{}},7") {
      $0.path.hasSuffix("/children") && !$0.target.contains("start_cursor")
    }
    let item = try await stage.item(page)
    #expect(item.html.contains("Line 149.<"))
    #expect(item.html.split(separator: "<hr", omittingEmptySubsequences: false).count == 2)
    #expect(item.missing.map(\.name) == ["a block"])
  }

  @Test func `entries without an id that are alike are counted each`() {
    var read = ReadEntries()
    let first: [JSONValue] = [7, 7, 8]
    #expect(first.map { read.insert($0) } == [true, true, true])
    read.restart()
    let second: [JSONValue] = [7, 8, 7, 7, ["id": "0123456789abcdef0123456789abcdef"]]
    #expect(second.map { read.insert($0) } == [false, false, false, true, true])
  }

  @Test func `a row without an id in a changed table is counted once`() async throws {
    let server = FakeNotion()
    let table = server.addDatabase("Table", columns: ListingTests.titleColumn)
    let row = server.addRow(table.source, Self.titled("Row"))
    let stage = try Self.stage(server, adding: "{\"object\":\"page\"}") {
      $0.path.hasSuffix("/query")
    }
    let first = try await stage.list()
    server.edit(row, blocks: [.text("paragraph", "New")], at: "2026-11-21T10:00:00.000Z")
    stage.clock.advance(86_400)
    let before = stage.requests("/query")
    let second = try await stage.list(since: first.checkpoint)
    #expect(stage.requests("/query") - before == 2, "what changed, and then all rows")
    for listed in [first, second] {
      #expect(
        listed.gaps.filter { $0.message.contains("could not be read") }.map(\.message)
          == ["Notion returned 1 of kind “page” that could not be read"])
    }
  }

  @Test func `a table of a database without an id is a gap`() async throws {
    let server = FakeNotion()
    let table = server.addDatabase("Table", columns: ListingTests.titleColumn)
    server.addRow(table.source, Self.titled("Row"))
    let stage = try NotionStage(server) { request in
      guard request.path.contains("/databases/"),
        case .bytes(let bytes) = server.handle(request).body
      else { return nil }
      return .json(
        String(decoding: bytes, as: UTF8.self)
          .replacing("\"data_sources\":[", with: "\"data_sources\":[{\"name\":\"Lost\"},"))
    }
    let listed = try await stage.list()
    #expect(listed.gaps.contains { $0.isEssential && $0.message.contains("“data_source”") })
  }

  @Test func `a page inside a page that has no id is a gap`() async throws {
    let server = FakeNotion()
    let page = server.addPage("Page", blocks: [.text("paragraph", "Words")])
    let child = "{\"type\":\"child_page\",\"child_page\":{\"title\":\"Lost\"}}"
    let stage = try Self.stage(server, adding: child) {
      $0.path.hasSuffix("/\(FakeNotion.dashed(page))/children")
    }
    let listed = try await stage.list()
    #expect(listed.references[page] != nil)
    #expect(listed.gaps.contains { $0.isEssential && $0.message.contains("“page”") })
  }

  @Test func `a row without an id is no essential part of a page that shows its table`()
    async throws
  {
    let server = FakeNotion()
    let page = server.addPage("Page")
    let table = server.addDatabase(
      "Tasks", parent: page, columns: DatabaseTests.columns, extra: ["is_inline": true])
    server.addRow(table.source, DatabaseTests.row("Shown", "Doing", "2026-03-02"))
    server.addView(table.database, source: table.source, ["name": "All"])
    server.edit(
      page, blocks: [FakeBlock("child_database", ["title": "Tasks"], id: table.database)],
      at: FakeNotion.quietTime)
    let stage = try Self.stage(server, adding: "{\"object\":\"page\"}") {
      $0.path.hasSuffix("/query")
    }
    let item = try await stage.item(page)
    #expect(item.html.contains("Shown"))
    #expect(item.missing.map(\.kind) == [.children] && item.missing.allSatisfy { !$0.isEssential })
  }

  @Test func `entries of a property without a value are counted`() async throws {
    let server = FakeNotion()
    let targets = (0..<40).map { server.addPage("Target \($0)") }
    let table = server.addDatabase(
      "Table",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "To": ["id": "to", "name": "To", "type": "relation", "relation": [:]],
      ])
    let relation: JSONValue = .array(targets.map { ["id": .string(FakeNotion.dashed($0))] })
    let row = server.addRow(
      table.source,
      Self.titled("Row").merging(["To": ["id": "to", "type": "relation", "relation": relation]]) {
        $1
      })
    let stage = try Self.stage(server, adding: "{\"object\":\"property_item\",\"id\":\"to\"}") {
      $0.path.contains("/properties/to")
    }
    let item = try await stage.item(row)
    #expect(item.html.contains("Target 39"))
    #expect(item.missing.map(\.kind) == [.record] && item.missing.allSatisfy(\.isPermanent))
    #expect(item.missing.first?.reason == "1 of its entries have no value", "\(item.missing)")
  }

  @Test func `covers of unknown types and files without a usable URL are counted`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      blocks: [
        FakeBlock("file", ["type": "external", "external": ["url": "ftp://files.example/a.pdf"]])
      ], extra: ["cover": ["type": "gradient", "gradient": ["from": "red"]]])
    stage.server.addComment(
      "With a file", on: page, page: page, extra: ["attachments": [["category": "pdf"]]])
    let item = try await stage.item(page)
    #expect(
      item.missing.map(\.name) == [
        "the form of a cover of the type “gradient”", "a file of the type “pdf”", "a file",
      ])
    #expect(item.missing.allSatisfy { $0.isPermanent && !$0.isEssential })
  }

  @Test func `columns beside a timeline that have no id are counted`() throws {
    let view = try #require(
      DatabaseView([
        "type": "timeline",
        "configuration": [
          "properties": [["visible": true]],
          "table_properties": [["visible": true], ["property_id": "a"]],
        ],
      ]))
    #expect(view.unnamedColumns == 2)
  }

  @Test func `blocks beyond the limits are missing parts`() async throws {
    let stage = try NotionStage()
    let inner = FakeBlock.text("toggle", "Inner", [FakeBlock.text("paragraph", "Deep")])
    let lines = (0..<250).map { FakeBlock.text("paragraph", "Line \($0)") }
    let page = stage.server.addPage(
      "Page", blocks: [FakeBlock.text("toggle", "Outer", [inner])] + lines)
    let context = AdapterContext(name: "notion", http: stage.client, clock: stage.clock.clock)
    let url = try #require(WebURL(FakeNotion.address))
    let client = NotionClient(baseURL: url, version: .v2026, context: context)
    var fetcher = BlockFetcher(client: client)
    fetcher.depthLimit = 1
    fetcher.countLimit = 150
    let result = try await fetcher.fetch(try #require(NotionID(page)))
    #expect(result.missing.map(\.name) == ["further blocks", "the content of a block"])
    #expect(result.missing.allSatisfy { $0.isPermanent && $0.isEssential })
    #expect(result.notes.count == 2)
  }

  @Test func `a list with a cursor continues, whatever else it says`() throws {
    let pages: [(JSONValue, String?)] = [
      (["results": [], "next_cursor": "c"], "c"),
      (["results": [], "next_cursor": "c", "has_more": "yes"], "c"),
      (["results": [], "next_cursor": "c", "has_more": false], nil),
      (["results": [], "next_cursor": .null], nil), (["results": []], nil),
    ]
    for (page, next) in pages {
      let list = try NotionList(page, subject: "a list")
      #expect(list.next == next && list.hasMore == (next != nil), "\(page)")
    }
  }

  @Test func `rows of a view beyond those that Notion returns are counted`() async throws {
    let tasks = try DatabaseTests.tasks([
      ["name": "V", "sorts": [["property": "due", "direction": "ascending"]]]
    ])
    let stage = try NotionStage(tasks.stage.server) { request in
      guard request.path.hasSuffix("/queries") else { return nil }
      return .json(
        """
        {"object":"view_query","id":"q","results":[{"object":"page","id":"\(tasks.rows[0])"}],
        "has_more":false,"request_status":{"type":"incomplete"}}
        """)
    }
    let item = try await DatabaseTests.Tasks(stage: stage, table: tasks.table, rows: tasks.rows)
      .item()
    #expect(item.missing.map(\.name) == ["the rows of V after the first 1"])
    #expect(item.missing.allSatisfy { $0.isPermanent && !$0.isEssential })
  }

  @Test func `cards that are not asked for after failures are counted`() async throws {
    let broken = FakeNotion.error(500, "internal_server_error", "Sorry")
    let stage = try NotionStage { $0.path.hasSuffix("/children") ? broken : nil }
    let table = stage.server.addDatabase("Plans", columns: ListingTests.titleColumn)
    for number in 0..<40 { stage.server.addRow(table.source, Self.titled("Row \(number)")) }
    stage.server.addView(
      table.database, source: table.source,
      [
        "type": "gallery",
        "configuration": ["type": "gallery", "cover": ["type": "page_content"]],
      ])
    let item = try await stage.item(table.database)
    #expect(stage.requests("/children") == 3)
    #expect(item.missing.count == 4 && item.missing.last?.name == "what 27 more cards show")
    #expect(item.missing.allSatisfy { !$0.isEssential })
  }
}
