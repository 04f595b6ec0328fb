import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Views look as Notion draws them. The clock of the stage shows 2026-11-21.
struct ViewDrawingTests {
  static let columns: [String: JSONValue] = [
    "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
    "When": ["id": "when", "name": "When", "type": "date", "date": [:]],
    "Team": [
      "id": "team", "name": "Team", "type": "select",
      "select": [
        "options": [["name": "Blue", "color": "blue"], ["name": "Red", "color": "red"]]
      ],
    ],
    "Cost": ["id": "cost", "name": "Cost", "type": "number", "number": ["format": "euro"]],
    "Parts": [
      "id": "parts", "name": "Parts", "type": "relation", "relation": ["data_source_id": .null],
    ],
  ]

  struct Row {
    var name: String
    var start: String?
    var end: String?
    var team: String?
    var cost = 1.0
    var parts: [String] = []
    var blocks: [FakeBlock] = []
  }

  static func properties(_ row: Row) -> [String: JSONValue] {
    [
      "Name": ["id": "title", "type": "title", "title": FakeNotion.richText(row.name)],
      "When": [
        "id": "when", "type": "date",
        "date": row.start.map {
          ["start": .string($0), "end": row.end.map { .string($0) } ?? .null]
        } ?? .null,
      ],
      "Team": [
        "id": "team", "type": "select",
        "select": row.team.map { ["name": .string($0), "color": .string($0.lowercased())] }
          ?? .null,
      ],
      "Cost": ["id": "cost", "type": "number", "number": .number(row.cost)],
      "Parts": [
        "id": "parts", "type": "relation", "has_more": false,
        "relation": .array(row.parts.map { ["id": .string($0)] }),
      ],
    ]
  }

  static func item(
    _ rows: [Row], _ views: [[String: JSONValue]]
  ) async throws -> SourceItem {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Plans", columns: columns)
    for row in rows {
      stage.server.addRow(table.source, properties(row), blocks: row.blocks)
    }
    for view in views { stage.server.addView(table.database, source: table.source, view) }
    return try await stage.item(table.database)
  }

  static let rows = [
    Row(name: "Dig", start: "2026-03-02", end: "2026-03-05", team: "Red", cost: 10),
    Row(name: "Build", start: "2026-03-06", team: "Blue", cost: 20.5),
    Row(name: "Rest", team: "Blue", cost: 0),
  ]

  @Test func `a timeline has a bar across the days of each row`() async throws {
    let view: [String: JSONValue] = [
      "name": "Plan", "type": "timeline",
      "configuration": [
        "type": "timeline", "date_property_id": "when", "color_by": true, "show_table": true,
        "table_properties": [["property_id": "cost", "visible": true]],
      ],
    ]
    let html = try await Self.item(Self.rows, [view]).html
    #expect(
      html.contains("<th scope=\"colgroup\" colspan=\"5\" class=\"n-era\">2026-03</th>"))
    #expect(html.components("class=\"n-unit\"") == 6)
    #expect(
      html.contains(
        "<td><span class=\"n-whole\">2026-03-02 →</span> <span class=\"n-whole\">2026-03-05</span></td>"
      ))
    #expect(
      html.contains(
        "<td class=\"n-whole\">€10.00</td><td colspan=\"4\" class=\"n-bar n-c-red\" "
          + "title=\"2026-03-02 → 2026-03-05\"></td><td></td></tr>"))
    #expect(
      html.contains(
        "<td colspan=\"4\"></td><td class=\"n-bar n-c-blue\" title=\"2026-03-06\"></td></tr>"))
    #expect(html.contains("<h3 class=\"n-group-title\">No date</h3><ul class=\"n-rows\">"))
    #expect(!html.contains("shown as a table"))
  }

  @Test func `a timeline without its table has no further columns`() async throws {
    let view: [String: JSONValue] = [
      "type": "timeline",
      "configuration": [
        "type": "timeline", "date_property_id": "when", "show_table": false,
        "table_properties": [["property_id": "cost", "visible": true]],
      ],
    ]
    #expect(try await !Self.item(Array(Self.rows.prefix(2)), [view]).html.contains("€"))
  }

  @Test(arguments: [
    ("2026-03-01", "2026-03-31", 31), ("2026-01-01", "2026-12-31", 53),
    ("2020-01-15", "2026-02-01", 74), ("1000-01-01", "2000-01-01", 91),
    ("0000-01-01", "9999-12-31", 100), ("2026-03-01", "2026-02-01", 1),
  ])
  func `a timeline of any length has few columns`(
    start: String, end: String, count: Int
  ) throws {
    let first = try #require(CalendarDay(start))
    let last = max(first, try #require(CalendarDay(end)))
    let scale = TimelineScale(first...last)
    #expect(scale.columns.count == count)
    #expect(scale.range(first...last) == 0...count - 1)
    #expect(scale.groups.isEmpty || scale.groups.map(\.count).reduce(0, +) == count)
  }

  @Test(arguments: [
    "0000-01-01", "0999-12-31", "1582-10-10", "1900-02-28", "2000-02-29", "9999-12-31",
  ])
  func `a day is written as it was read`(text: String) {
    #expect(CalendarDay(text)?.text == text)
  }

  @Test func `a dashboard shows its parts next to each other`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Plans", columns: Self.columns)
    for row in Self.rows { stage.server.addRow(table.source, Self.properties(row)) }
    // A part that is in no list of views.
    let hidden = stage.server.addView(
      stage.server.reserveID(), source: table.source, ["name": "Hidden part", "type": "list"])
    let part = stage.server.addView(
      table.database, source: table.source,
      ChartTests.chart([
        "chart_type": "number", "value": ["aggregator": "count"],
      ]).merging(["name": "Count part"]) { $1 })
    stage.server.addView(
      table.database, source: table.source,
      [
        "name": "Board of all", "type": "dashboard", "data_source_id": .null,
        "configuration": [
          "type": "dashboard",
          "rows": [
            [
              "id": "r",
              "widgets": [
                ["id": "w1", "view_id": .string(FakeNotion.dashed(part)), "width": 4],
                ["id": "w2", "view_id": .string(FakeNotion.dashed(hidden)), "width": 8],
              ],
            ]
          ],
        ],
      ])
    let html = try await stage.item(table.database).html
    #expect(
      html.contains(
        "<div class=\"n-columns n-dashboard\"><div class=\"n-column n-w-4\"><h3 class=\"n-view\""))
    #expect(html.contains("<div class=\"n-column n-w-8\"><h3 class=\"n-view\""))
    #expect(html.contains(">Hidden part</h3><ul class=\"n-rows\">"))
    #expect(html.components(">Count part<") == 2)
  }

  @Test func `a gallery of page contents shows the first image, else the first words`()
    async throws
  {
    var rows = Self.rows
    rows[0].blocks = [
      .text("paragraph", "Words before"), FakeBlock("image", FakeNotion.file("ws/first.png")),
    ]
    rows[1].blocks = [.text("paragraph", "MARKERCARD")]
    let view: [String: JSONValue] = [
      "name": "G", "type": "gallery",
      "configuration": ["type": "gallery", "cover": ["type": "page_content"]],
    ]
    let html = try await Self.item(rows, [view]).html
    #expect(
      html.contains(
        "<div class=\"n-item-cover\"><img src=\"\(FakeNotion.fileAddress)/files/ws/first.png"))
    #expect(html.contains("<p class=\"n-item-content\">MARKERCARD</p>"))
    #expect(!html.contains("Words before"))
  }

  @Test func `a gallery asks for the pages of its first cards only`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Plans", columns: Self.columns)
    for number in 0..<40 {
      stage.server.addRow(table.source, Self.properties(Row(name: "Row \(number)")))
    }
    stage.server.addView(
      table.database, source: table.source,
      [
        "type": "gallery",
        "configuration": ["type": "gallery", "cover": ["type": "page_content_first"]],
      ])
    let item = try await stage.item(table.database)
    #expect(stage.requests("/children") == DatabaseFetcher.previewLimit)
    #expect(item.notes == ["Only the first 30 cards show what is on their pages."])
  }

  @Test func `relative groups of dates count from the day of archiving`() async throws {
    let days = [
      "2026-11-21", "2026-11-20", "2026-11-22", "2026-11-15", "2026-11-28", "2026-10-30",
      "2026-12-20", "2027-05-01", "2025-05-01",
    ]
    let view: [String: JSONValue] = [
      "type": "board",
      "configuration": [
        "type": "board",
        "group_by": ["type": "date", "property_id": "when", "group_by": "relative"],
      ],
    ]
    let html = try await Self.item(days.map { Row(name: $0, start: $0) }, [view]).html
    let titles = html.split(separator: "<p class=\"n-group-title\">").dropFirst().map {
      String($0.prefix { $0 != "<" })
    }
    #expect(
      titles == [
        "2025-05", "Last 30 days", "Last 7 days", "Yesterday", "Today", "Tomorrow", "Next 7 days",
        "Next 30 days", "2027-05",
      ])
    #expect(html.contains("Days as seen from 2026-11-21"))
  }

  @Test func `a form shows its questions`() async throws {
    let view: [String: JSONValue] = [
      "name": "Ask", "type": "form", "configuration": ["type": "form", "is_form_closed": true],
    ]
    let html = try await Self.item([], [view]).html
    #expect(
      html.contains(
        "<li><strong>Team</strong><span class=\"n-note\"> one of: Blue, Red</span></li>"))
    #expect(html.contains("The form accepts no responses."))
  }

  @Test func `parts of rows stand below them, and circles end`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Plans", columns: Self.columns)
    let grandchild = stage.server.addRow(table.source, Self.properties(Row(name: "Grandchild")))
    let child = stage.server.addRow(
      table.source, Self.properties(Row(name: "Child", parts: [grandchild])))
    let other = stage.server.addRow(table.source, Self.properties(Row(name: "Other")))
    let me = stage.server.reserveID()
    stage.server.addRow(
      table.source, Self.properties(Row(name: "Parent", parts: [child, other, me])))
    stage.server.addView(
      table.database, source: table.source,
      [
        "type": "table",
        "configuration": [
          "type": "table", "properties": [["property_id": "cost", "visible": true]],
          "subtasks": ["property_id": "parts", "display_mode": "show"],
        ],
      ])
    let html = try await stage.item(table.database).html
    let names = html.split(separator: "<th scope=\"row\"").dropFirst().map { row in
      let depth = row.firstRange(of: "n-sub-").map { String(row[$0.upperBound]) } ?? "0"
      return depth + (row.split(separator: "\">").last?.prefix { $0 != "<" } ?? "")
    }
    #expect(names.count == 4)
    #expect(names.map { $0.prefix(1) } == ["0", "1", "2", "1"])
  }

  @Test func `rows that contain each other are each shown once`() throws {
    let ids = ["a", "b", "c"].map { String(repeating: $0, count: 32) }
    let value: JSONValue = [
      "id": .string(ids[0]), "properties": .object(Self.columns),
    ]
    let schema = try #require(DataSourceSchema(value))
    let view = try #require(
      DatabaseView([
        "type": "table", "configuration": ["subtasks": ["property_id": "parts"]],
      ]))
    let rows: [JSONValue] = ids.enumerated().map { index, id in
      [
        "id": .string(id),
        "properties": .object(
          Self.properties(Row(name: id, parts: [ids[(index + 1) % 3], ids[index]]))),
      ]
    }
    let nested = SubitemOrder(view, schema).nested(rows)
    #expect(nested.count == 3)
    #expect(Set(nested.compactMap { $0.row["id"]?.string }) == Set(ids))
  }

  @Test func `filters and orders are named in words`() async throws {
    let view: [String: JSONValue] = [
      "name": "V",
      "filter": [
        "and": [
          ["property": "team", "select": ["equals": "Blue"]],
          [
            "or": [
              ["property": "when", "date": ["on_or_before": "2026-03-01"]],
              ["timestamp": "created_time", "created_time": ["past_week": [:]]],
            ]
          ],
        ]
      ],
      "quick_filters": ["cost": ["number": ["greater_than": 3]]],
      "sorts": [
        ["property": "cost", "direction": "descending"],
        ["timestamp": "last_edited_time", "direction": "ascending"],
      ],
    ]
    let html = try await Self.item(Self.rows, [view]).html
    #expect(
      html.contains(
        "Filter: Team equals “Blue” and (When on or before “2026-03-01” or created time past week)")
    )
    #expect(html.contains("Quick filters: Cost greater than 3"))
    #expect(html.contains("Sorted by Cost, descending; then last edited time"))
  }
}
