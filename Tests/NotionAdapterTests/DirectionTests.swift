import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Right-to-left text, which Notion's editor detects by its letters.
struct DirectionTests {
  private static let arabic = "مرحبا"
  private static let hebrew = "שלום"

  private static func text(
    _ type: String, _ text: String, _ children: [FakeBlock] = []
  ) -> FakeBlock {
    FakeBlock(type, ["rich_text": FakeNotion.richText(text)], children)
  }

  @Test func `a page from left to right says nothing of it`() {
    let html = Render.html([
      Self.text("paragraph", "Élan, Ω, 日本語, 12 – “x”"), Self.text("code", "let a = 1"),
    ])
    #expect(!html.contains("dir="))
  }

  @Test(arguments: [
    ("paragraph", "<p dir=\"rtl\">"), ("heading_2", "<h3 dir=\"rtl\">"),
    ("bulleted_list_item", "<ul dir=\"rtl\"><li dir=\"rtl\">"),
    ("numbered_list_item", "<ol dir=\"rtl\"><li dir=\"rtl\">"),
    ("to_do", "<ul class=\"n-to-do\" dir=\"rtl\"><li dir=\"rtl\">"),
    ("toggle", "<details class=\"n-toggle\" dir=\"rtl\">"), ("quote", "<blockquote dir=\"rtl\">"),
    ("callout", "<div class=\"n-callout\" dir=\"rtl\">"),
  ])
  func `a block of Hebrew or Arabic is right-to-left`(type: String, start: String) {
    for words in [Self.arabic, "1. \(Self.hebrew) (a)"] {
      let html = Render.html([Self.text(type, words)])
      #expect(html.hasPrefix(start), "\(html)")
    }
  }

  @Test func `nested blocks have their own direction, code and formulas are left-to-right`() {
    let html = Render.html([
      Self.text(
        "toggle", Self.arabic,
        [
          Self.text("paragraph", "Latin"), Self.text("code", "\(Self.arabic) = 1"),
          FakeBlock("equation", ["expression": "a+b"]),
        ])
    ])
    #expect(html.contains("<p dir=\"ltr\">Latin</p>"))
    #expect(html.contains("<figure class=\"n-code\" dir=\"ltr\">"))
    #expect(html.contains("<div class=\"n-equation\" dir=\"ltr\">"))
  }

  @Test func `a table's columns and cells go as their words do`() {
    let cells: JSONValue = [
      FakeNotion.richText(Self.hebrew), FakeNotion.richText("a"), FakeNotion.richText("7"),
    ]
    let html = Render.html([
      FakeBlock("table", ["table_width": 3], [FakeBlock("table_row", ["cells": cells])])
    ])
    #expect(html.contains("<table class=\"n-table\" dir=\"rtl\">"))
    #expect(html.contains("<td dir=\"rtl\">\(Self.hebrew)</td><td dir=\"ltr\">a</td><td>7</td>"))
  }

  @Test func `rows, properties and comments go as their words do, and pass the sanitiser`()
    async throws
  {
    let stage = try NotionStage()
    let table = stage.server.addDatabase(
      "Tasks",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "Note": ["id": "no", "name": "Note", "type": "rich_text", "rich_text": [:]],
      ])
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText(Self.arabic)],
        "Note": ["id": "no", "type": "rich_text", "rich_text": FakeNotion.richText(Self.hebrew)],
      ])
    stage.server.addComment(Self.arabic, on: row, page: row)
    let shown = try await stage.html(table.database)
    #expect(shown.contains("<th scope=\"row\" dir=\"rtl\">"))
    #expect(shown.contains("<td dir=\"rtl\">\(Self.hebrew)</td>"))
    let page = try await stage.html(row)
    #expect(page.contains("<dt>Note</dt><dd dir=\"rtl\">\(Self.hebrew)</dd>"))
    #expect(page.contains("<p dir=\"rtl\">\(Self.arabic)</p>"))
    let clean = try HTMLSanitizer(SanitizerOptions(allowedClasses: NotionStyle.classes))
      .sanitize(Array(page.utf8), baseURL: WebURL("https://www.notion.so/"))
    #expect(String(decoding: clean.bytes, as: UTF8.self).contains("<dd dir=\"rtl\">"))
  }
}
