import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Content in places where none is expected is shown or counted.
struct HiddenLossTests {
  /// A page whose blocks Notion answers with this list.
  private static func item(_ blocks: String) async throws -> SourceItem {
    let server = FakeNotion()
    let page = server.addPage("Page")
    let stage = try NotionStage(server) { request in
      guard request.path.hasSuffix("\(FakeNotion.dashed(page))/children") else { return nil }
      return .json("{\"object\":\"list\",\"results\":[\(blocks)],\"has_more\":false}")
    }
    return try await stage.item(page)
  }

  @Test func `blocks that Notion does not return are counted`() async throws {
    let stage = try NotionStage()
    let button = FakeBlock("unsupported", ["block_type": "button"])
    let page = stage.server.addPage("Page", blocks: [button, FakeBlock("unsupported"), button])
    let item = try await stage.item(page)
    #expect(item.missing.map(\.name) == ["a block", "2 blocks of the type “button”"])
    #expect(
      item.missing.allSatisfy { $0.kind == .children && $0.isPermanent && !$0.isEssential })
  }

  @Test func `a page on a page that has no id is shown and counted`() async throws {
    let item = try await Self.item("{\"type\":\"child_page\",\"child_page\":{\"title\":\"Lost\"}}")
    #expect(item.html.contains("<span class=\"n-ghost\">Lost</span>"))
    #expect(item.missing.map(\.name) == ["a page or database"])
  }

  @Test func `the content of a block without an id is counted`() async throws {
    let item = try await Self.item(
      "{\"type\":\"toggle\",\"has_children\":true,\"toggle\":{\"rich_text\":[]}}")
    #expect(item.html.contains("The content could not be read: the block has no id."))
    #expect(item.missing.map(\.name) == ["the content of a block"])
    #expect(item.missing.allSatisfy { $0.isPermanent && $0.isEssential })
  }

  @Test func `meeting notes without parts show what is inside them`() async throws {
    let stage = try NotionStage()
    let notes = FakeBlock(
      "meeting_notes", ["title": FakeNotion.richText("Weekly")], [.text("paragraph", "Said")])
    let page = stage.server.addPage("Page", blocks: [notes])
    #expect(try await stage.html(page).contains("Said"))
  }

  @Test(arguments: [
    "divider", "code", "equation", "breadcrumb", "table_row", "image", "file", "bookmark",
    "link_to_page", "tab", "table",
  ])
  func `children of every type of block are shown`(type: String) {
    let inside = FakeBlock("code", ["rich_text": FakeNotion.richText("MARKER")])
    #expect(Render.html([FakeBlock(type, [:], [inside])]).contains("MARKER"))
    let row = FakeBlock("table_row", ["cells": []], [inside])
    #expect(Render.html([FakeBlock("table", [:], [row])]).contains("MARKER"))
  }

  @Test func `files in a rollup are kept with the page`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase(
      "Table",
      columns: ListingTests.titleColumn.merging(
        ["Papers": ["id": "pa", "name": "Papers", "type": "rollup", "rollup": [:]]]) { $1 })
    let files: JSONValue = ["type": "files", "files": [FakeNotion.file("paper.pdf")]]
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "Papers": [
          "id": "pa", "type": "rollup",
          "rollup": ["type": "array", "array": [files], "function": "show_original"],
        ],
      ])
    for id in [row, table.database] {
      let item = try await stage.item(id)
      let kept: [String] = item.attachments.compactMap { attachment in
        if case .remote(let url) = attachment.location { url.absoluteString } else { nil }
      }
      #expect(kept.count == 1 && kept.first?.contains("paper.pdf") == true)
      #expect(item.html.contains("X-Amz-Signature"))
    }
    let file: JSONValue = ["type": "file", "file": ["url": "https://f/a.pdf"]]
    let property: JSONValue = [
      "type": "rollup",
      "rollup": ["type": "array", "array": [["type": "files", "files": [file]]]],
    ]
    let id = try #require(NotionID(row))
    let led = property.leading(to: id, unless: [])["rollup"]?["array"]?[0]?["files"]?[0]
    #expect(led?["external"]?["url"]?.string == id.address)
    #expect(property.leading(to: id, unless: ["https://f/a.pdf"]) == property)
  }

  @Test func `what a property has without an id, a URL or a type is counted or kept`() async throws
  {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    let lost: JSONValue = ["name": "lost.pdf", "type": "file", "file": [:]]
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "To": ["id": "to", "type": "relation", "relation": [[:]]],
        "Papers": [
          "id": "pa", "type": "rollup",
          "rollup": [
            "type": "array", "array": [["type": "files", "files": [lost]]],
            "function": "show_original",
          ],
        ],
        "Odd": ["id": "od", "files": [FakeNotion.file("paper.pdf")]],
      ])
    let item = try await stage.item(row)
    let names = item.missing.map(\.name).sorted()
    #expect(
      names == [
        "a file of the type \u{201C}file\u{201D}", "a page or database",
        "the form of a property of the type \u{201C}\u{201D}",
      ], "\(item.missing)")
    #expect(item.attachments.count == 1)
  }

  /// A row that relates to forty pages and has a rollup and a formula.
  private static func computed(_ server: FakeNotion) -> (database: String, row: String) {
    let targets = (0..<40).map { server.addPage("Target \($0)") }
    let table = server.addDatabase(
      "Table",
      columns: ListingTests.titleColumn.merging([
        "To": ["id": "to", "name": "To", "type": "relation", "relation": [:]],
        "Sum": ["id": "su", "name": "Sum", "type": "rollup", "rollup": ["function": "sum"]],
        "Next": ["id": "ne", "name": "Next", "type": "formula", "formula": ["expression": "1"]],
      ]) { $1 })
    let relation: JSONValue = .array(targets.map { ["id": .string(FakeNotion.dashed($0))] })
    let row = server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "To": ["id": "to", "type": "relation", "relation": relation],
        "Sum": [
          "id": "su", "type": "rollup",
          "rollup": ["type": "number", "number": 4_242, "function": "sum"],
        ],
        "Next": ["id": "ne", "type": "formula", "formula": ["type": "number", "number": 5_353]],
      ])
    return (table.database, row)
  }

  @Test func `values that a table shows as computed from a part of a relation are counted`()
    async throws
  {
    let stage = try NotionStage()
    let (database, _) = Self.computed(stage.server)
    let item = try await stage.item(database)
    #expect(item.html.contains("4242") && item.html.contains("Target 39"))
    #expect(item.missing.map(\.name) == ["parts of 2 computed values"], "\(item.missing)")
    #expect(item.missing.allSatisfy { $0.kind == .record && $0.isPermanent && !$0.isEssential })
  }

  @Test func `a value that is missing when the whole property is requested stays as it was`()
    async throws
  {
    let server = FakeNotion()
    let (_, row) = Self.computed(server)
    let stage = try NotionStage(server) { request in
      if request.path.hasSuffix("/properties/su") {
        return .json("{\"object\":\"list\",\"results\":[],\"has_more\":false}")
      }
      return request.path.hasSuffix("/properties/ne")
        ? .json("{\"object\":\"property_item\",\"type\":\"formula\"}") : nil
    }
    let item = try await stage.item(row)
    #expect(item.html.contains("4242") && item.html.contains("5353"))
    #expect(item.missing.map(\.reason) == ["Notion returns no value", "Notion returns no value"])
    #expect(item.missing.allSatisfy { $0.kind == .record && !$0.isPermanent })
  }

  @Test func `a cover whose URL cannot be requested is counted`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      extra: ["cover": ["type": "external", "external": ["url": "data:image/png;base64,AAAA"]]])
    let item = try await stage.item(page)
    #expect(item.missing.map(\.name) == ["a file"] && item.attachments.isEmpty)
  }

  @Test func `columns that cannot be parsed are missing from their rows`() async throws {
    let server = FakeNotion()
    let table = server.addDatabase("Table", columns: ListingTests.titleColumn)
    let row = server.addRow(table.source, [:])
    let stage = try NotionStage(server) { $0.path.contains("/data_sources/") ? .json("[]") : nil }
    let item = try await stage.item(row)
    #expect(item.missing.map(\.name) == ["the columns of its database"])
  }

  @Test func `a list that Notion ends at a limit is incomplete`() throws {
    var trail = PageTrail()
    let list = try NotionList(
      ["results": [], "has_more": false, "request_status": ["type": "incomplete"]],
      subject: "a list")
    let goesOn = trail.goesOn(after: list)
    #expect(!goesOn && trail.fault != nil)
  }

  @Test func `rows that a page leaves out are said to be on the database's own page`() throws {
    let source = String(repeating: "a", count: 32)
    let record: JSONValue = [
      "object": "data_source", "id": .string(source),
      "properties": .object(ListingTests.titleColumn),
    ]
    let view: JSONValue = ["type": "table", "data_source_id": .string(source)]
    var content = DatabaseContent(
      object: try #require(NotionObject(record)), description: [], record: record)
    var table = DatabaseContent.Source(
      schema: try #require(DataSourceSchema(record)), record: record)
    table.rows = (0...DatabaseRenderer.furtherRows).map { number in
      let digits = String(number)
      let id = String(repeating: "0", count: 32 - digits.count) + digits
      return ["object": "page", "id": .string(id)]
    }
    content.sources = [table]
    content.views = [try #require(DatabaseView(view)), try #require(DatabaseView(view))]
    for (isLinked, place) in [
      (true, "on the database's own page"), (false, "in the attached file"),
    ] {
      content.isLinked = isLinked
      var html = HTMLWriter()
      DatabaseRenderer(content, context: RenderContext()).write(to: &html)
      let text = String(decoding: html.bytes, as: UTF8.self)
      #expect(text.contains("1 more rows are \(place)."))
    }
  }
}
