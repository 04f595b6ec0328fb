import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Unsupported parts of views are counted.
struct ViewLossTests {
  private static func notes(_ item: SourceItem) -> [String] {
    item.missing.map { "\($0.name): \($0.reason)" }
  }

  @Test func `a view without a type is a counted loss of its database`() async throws {
    let tasks = try DatabaseTests.tasks([["name": "Good"], ["name": "Odd", "type": .null]])
    let item = try await tasks.item()
    #expect(Self.notes(item) == ["a view: it has no type"])
    #expect(item.missing.allSatisfy { !$0.isEssential && $0.isPermanent })
    #expect(item.html.contains(">Good</h2>"))
  }

  @Test func `a view without a type is a counted loss of a page that shows it`() async throws {
    let stage = try NotionStage()
    let inside = stage.server.addPage("Inside")
    let table = stage.server.addDatabase(
      "Tasks", parent: inside, columns: DatabaseTests.columns, extra: ["is_inline": true])
    stage.server.addView(table.database, source: table.source, ["type": .null])
    stage.server.edit(
      inside, blocks: [FakeBlock("child_database", ["title": "Tasks"], id: table.database)],
      at: FakeNotion.quietTime)
    let link = stage.server.reserveID()
    stage.server.addView(link, source: table.source, ["name": "Linked"])
    stage.server.addView(link, source: table.source, ["type": .null])
    let linked = stage.server.addPage(
      "Linked", blocks: [FakeBlock("child_database", ["title": ""], id: link)])
    for page in [inside, linked] {
      #expect(Self.notes(try await stage.item(page)) == ["a view: it has no type"])
    }
  }

  @Test func `columns and rows of a view that have no id are counted`() async throws {
    let tasks = try DatabaseTests.tasks([
      [
        "name": "V", "sorts": [["property": "due", "direction": "ascending"]],
        "configuration": ["type": "table", "properties": [["visible": true]]],
      ]
    ])
    let stage = try NotionStage(tasks.stage.server) { request in
      guard request.path.hasSuffix("/queries") else { return nil }
      return .json(
        """
        {"object":"view_query","id":"q","results":[{"object":"page"},
        {"object":"page","id":"\(tasks.rows[0])"}],"has_more":false}
        """)
    }
    let item = try await DatabaseTests.Tasks(stage: stage, table: tasks.table, rows: tasks.rows)
      .item()
    #expect(
      Self.notes(item) == [
        "1 columns of the view V: they have no id", "the place of 1 rows in V: they have no id",
      ])
  }

  @Test func `rows of a view that continue without saying where are a loss`() async throws {
    let tasks = try DatabaseTests.tasks([
      ["name": "V", "sorts": [["property": "due", "direction": "ascending"]]]
    ])
    let stage = try NotionStage(tasks.stage.server) { request in
      guard request.path.hasSuffix("/queries") else { return nil }
      return .json(
        "{\"object\":\"view_query\",\"results\":[],\"has_more\":true,\"next_cursor\":\"more\"}")
    }
    let item = try await DatabaseTests.Tasks(stage: stage, table: tasks.table, rows: tasks.rows)
      .item()
    #expect(item.missing.map(\.name) == ["the order of V"])
  }

  @Test func `a row that a view names and that is not there is counted where it is shown`()
    async throws
  {
    let tasks = try DatabaseTests.tasks([
      ["name": "V", "sorts": [["property": "due", "direction": "ascending"]]]
    ])
    let stage = try NotionStage(tasks.stage.server) { request in
      guard request.path.hasSuffix("/queries") else { return nil }
      return .json(
        """
        {"object":"view_query","id":"q","results":[{"object":"page","id":"\(tasks.rows[0])"},
        {"object":"page","id":"fffffffffffffffffffffffffffffff0"}],"has_more":false}
        """)
    }
    let html = try await DatabaseTests.Tasks(stage: stage, table: tasks.table, rows: tasks.rows)
      .item().html
    #expect(html.contains("1 rows of the view are missing."))
  }

  @Test func `a view of another table inside a page is reported, not left out in silence`()
    async throws
  {
    let stage = try NotionStage()
    let one = stage.server.addDatabase("One", columns: DatabaseTests.columns)
    let two = stage.server.addDatabase("Two", columns: DatabaseTests.columns)
    let link = stage.server.reserveID()
    stage.server.addView(link, source: one.source, ["name": "First"])
    stage.server.addView(link, source: two.source, ["name": "Second"])
    let page = stage.server.addPage(
      "Linked", blocks: [FakeBlock("child_database", ["title": ""], id: link)])
    let item = try await stage.item(page)
    #expect(Self.notes(item) == ["the view Second: it shows another table"])
    #expect(item.html.contains("The view “Second” shows another table"))
  }

  @Test func `a property without a type keeps its words and is counted`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase(
      "Odd",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "Odd": ["id": "odd", "name": "Odd"],
      ])
    stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "Odd": ["id": "odd", "value": "MARKERTYPELESS"],
      ])
    let item = try await stage.item(table.database)
    #expect(item.html.contains("MARKERTYPELESS"))
    #expect(item.inline("database.csv")?.contains("MARKERTYPELESS") == true)
    #expect(item.missing.map(\.name) == ["the form of a property of the type “”"])
  }

  @Test func `files without an address and icons of new types are counted`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      blocks: [
        FakeBlock("file", ["type": "cloud", "cloud": ["key": "k"]]),
        FakeBlock(
          "callout",
          [
            "rich_text": FakeNotion.richText("Note"),
            "icon": ["type": "hologram", "hologram": ["shape": "cube"]],
          ]),
      ])
    let item = try await stage.item(page)
    #expect(
      item.missing.map(\.name) == [
        "the form of an icon of the type “hologram”", "a file of the type “cloud”",
      ])
  }

  @Test func `meeting notes show parts under keys that are new`() async throws {
    let stage = try NotionStage()
    let part = stage.server.reserveID()
    let page = stage.server.addPage(
      "Page",
      blocks: [
        FakeBlock(
          "meeting_notes",
          ["children": ["action_items_block_id": .string(FakeNotion.dashed(part))]],
          [])
      ])
    let html = try await NotionStage(stage.server) { request in
      guard request.path.contains(FakeNotion.dashed(part)) else { return nil }
      return .json(
        """
        {"object":"list","has_more":false,"results":[{"object":"block",
        "id":"fffffffffffffffffffffffffffffff0","type":"paragraph",
        "paragraph":{"rich_text":[{"plain_text":"MARKERACTION"}]}}]}
        """)
    }.html(page)
    #expect(html.contains("Action items") && html.contains("MARKERACTION"))
  }
}
