import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct DatabaseTests {
  static let columns: [String: JSONValue] = [
    "Task": ["id": "title", "name": "Task", "type": "title", "title": [:]],
    "Status": [
      "id": "st%3D", "name": "Status", "type": "status",
      "status": [
        "options": [
          ["name": "To do", "color": "gray"], ["name": "Doing", "color": "blue"],
          ["name": "Done", "color": "green"],
        ]
      ],
    ],
    "Due": ["id": "due", "name": "Due", "type": "date", "date": [:]],
    "Cost": ["id": "cost", "name": "Cost", "type": "number", "number": ["format": "euro"]],
  ]

  static func row(_ title: String, _ status: String?, _ due: String?, cost: Double = 1) -> [String:
    JSONValue]
  {
    [
      "Task": ["id": "title", "type": "title", "title": FakeNotion.richText(title)],
      "Status": [
        "id": "st%3D", "type": "status",
        "status": status.map { ["name": .string($0), "color": "blue"] } ?? .null,
      ],
      "Due": [
        "id": "due", "type": "date",
        "date": due.map { ["start": .string($0), "end": .null] } ?? .null,
      ],
      "Cost": ["id": "cost", "type": "number", "number": .number(cost)],
    ]
  }

  struct Tasks {
    let stage: NotionStage
    let table: (database: String, source: String)
    let rows: [String]

    func item() async throws -> SourceItem {
      try await stage.adapter().item(
        ItemReference(
          id: table.database, revision: "", payload: ReferencePayload(kind: .database).text))
    }
  }

  static func tasks(_ views: [[String: JSONValue]], shown: [Int]? = nil) throws -> Tasks {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Tasks", columns: columns)
    let rows = [
      stage.server.addRow(
        table.source, row("Write, \"well\"", "Doing", "2026-03-02"),
        extra: ["cover": FakeNotion.file("ws/cover.png"), "icon": ["type": "emoji", "emoji": "✏️"]]),
      stage.server.addRow(table.source, row("Read", "To do", "2026-03-31")),
      stage.server.addRow(table.source, row("Rest", nil, nil, cost: 1234.5)),
    ]
    for view in views {
      stage.server.addView(
        table.database, source: table.source, view, rows: shown.map { $0.map { rows[$0] } })
    }
    return Tasks(stage: stage, table: table, rows: rows)
  }

  @Test func `shows a table in its view's columns and order`() async throws {
    let tasks = try Self.tasks(
      [
        [
          "name": "Mine", "sorts": [["property": "Due", "direction": "descending"]],
          "configuration": [
            "type": "table",
            "properties": [
              ["property_id": "cost", "visible": true], ["property_id": "title", "visible": true],
              ["property_id": "st%3D", "visible": true], ["property_id": "due", "visible": false],
            ],
          ],
        ]
      ], shown: [1, 0])
    let html = try await tasks.item().html
    #expect(html.contains(">Mine</h2>"))
    #expect(html.contains("<td class=\"n-whole\">€"))
    #expect(
      html.contains(
        "<tr><th scope=\"col\">Task</th><th scope=\"col\">Cost</th><th scope=\"col\">Status</th></tr>"
      ))
    let view = html.firstRange(of: "Mine").map { html[$0.upperBound...] } ?? ""
    let read = try #require(view.firstRange(of: ">Read<"))
    let write = try #require(view.firstRange(of: "Write, \"well\""))
    #expect(read.lowerBound < write.lowerBound)
    // Rows that the view leaves out are in a table of all rows.
    #expect(html.contains(">Table</h2>") && html.contains(">Rest</a>"))
  }

  @Test func `shows a table when Notion gives out no views`() async throws {
    let tasks = try Self.tasks([])
    tasks.stage.server.behaviour.hasViews = false
    let html = try await tasks.item().html
    #expect(
      html.contains("<a class=\"n-page\" href=\"https://www.notion.so/\(tasks.rows[1])\">Read</a>"))
    #expect(
      html.contains(
        "<th scope=\"col\">Cost</th><th scope=\"col\">Due</th><th scope=\"col\">Status</th>"))
    #expect(html.contains("€1,234.50"))
  }

  @Test func `shows a board with every option and the rest last`() async throws {
    let tasks = try Self.tasks([
      [
        "name": "Board", "type": "board",
        "configuration": [
          "type": "board", "group_by": ["type": "status", "property_id": "st%3D"],
          "properties": [["property_id": "due", "visible": true]],
        ],
      ]
    ])
    let html = try await tasks.item().html
    let groups = ["To do</span>", "Doing</span>", "Done</span>", "No Status"]
    var rest = html[...]
    for group in groups {
      let found = try #require(rest.firstRange(of: group), "\(group)")
      rest = rest[found.upperBound...]
    }
    #expect(html.components("<div class=\"n-group\">") == 5)
    #expect(
      html.contains("<span class=\"n-tag n-bg-green\">Done</span><span class=\"n-count\"> 0</span>")
    )
    #expect(html.contains("<div class=\"n-fact\" title=\"Due\"><time datetime=\"2026-03-02\">"))
  }

  @Test func `shows a gallery with covers`() async throws {
    let tasks = try Self.tasks([
      [
        "name": "G", "type": "gallery",
        "configuration": ["type": "gallery", "cover": ["type": "page_cover"]],
      ]
    ])
    let html = try await tasks.item().html
    #expect(html.components("<div class=\"n-item\">") == 4)
    #expect(
      html.contains(
        "<div class=\"n-item-cover\"><img src=\"\(FakeNotion.fileAddress)/files/ws/cover.png?"))
  }

  @Test func `shows a list and a calendar`() async throws {
    let tasks = try Self.tasks([
      ["name": "L", "type": "list", "configuration": ["type": "list", "properties": []]],
      [
        "name": "C", "type": "calendar",
        "configuration": ["type": "calendar", "date_property_id": "due"],
      ],
    ])
    let html = try await tasks.item().html
    #expect(html.contains("<ul class=\"n-rows\"><li><a class=\"n-page\""))
    #expect(html.contains("<h3 class=\"n-group-title\">2026-03</h3>"))
    #expect(html.contains("<span class=\"n-day\">31</span><div class=\"n-item\"><a"))
    #expect(html.components("<span class=\"n-day\">") == 32)
    #expect(html.contains("<h3 class=\"n-group-title\">No date</h3>"))
  }

  @Test func `a status grouped by its groups shows those`() async throws {
    let stage = try NotionStage()
    let options: [JSONValue] = ["Idea", "Plan", "Built"].map {
      ["id": .string("id-\($0)"), "name": .string($0), "color": "gray"]
    }
    let table = stage.server.addDatabase(
      "Plans",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "State": [
          "id": "st", "name": "State", "type": "status",
          "status": [
            "options": .array(options),
            "groups": [
              ["name": "Open", "color": "blue", "option_ids": ["id-Idea", "id-Plan"]],
              ["name": "Closed", "color": "green", "option_ids": ["id-Built"]],
            ],
          ],
        ],
      ])
    stage.server.addView(
      table.database, source: table.source,
      [
        "type": "board",
        "configuration": [
          "type": "board",
          "group_by": ["type": "status", "property_id": "st", "group_by": "group"],
        ],
      ])
    for option in options {
      stage.server.addRow(
        table.source,
        [
          "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
          "State": ["id": "st", "type": "status", "status": option],
        ])
    }
    let html = try await stage.item(table.database).html
    let heads = html.split(separator: "<p class=\"n-group-title\">").dropFirst().map {
      String($0.prefix { $0 != "/" })
    }
    #expect(
      heads == [
        "<span class=\"n-tag n-bg-blue\">Open<", "<span class=\"n-tag n-bg-green\">Closed<",
      ])
    #expect(html.contains("n-count\"> 2<") && html.contains("n-count\"> 1<"))
  }

  @Test(arguments: [
    ("=1+2", "'=1+2"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
    ("-2+A1", "'-2+A1"), ("\t=1", "'\t=1"), ("-5", "-5"), ("-1,234.50", "-1,234.50"),
    ("+44 20 7946 0000", "+44 20 7946 0000"), ("a=b", "a=b"), ("", ""), ("'quoted", "'quoted"),
  ])
  func `no cell of a table is run as a formula`(words: String, cell: String) async throws {
    #expect(DatabaseFiles.inert(words) == cell)
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    stage.server.addRow(
      table.source,
      ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText(words)]])
    let item = try await stage.item(table.database)
    let csv = try #require(item.inline("database.csv"))
    let quoted = cell.contains(",") ? "\"\(cell)\"" : cell
    #expect(csv.contains("\r\n\(quoted),"))
    #expect(item.inline("database.json")?.contains(words.replacing("\t", with: "\\t")) == true)
  }

  @Test func `a date range is on each of its days in a calendar`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase(
      "Trips",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "When": ["id": "w", "name": "When", "type": "date", "date": [:]],
      ])
    stage.server.addView(
      table.database, source: table.source,
      [
        "type": "calendar", "configuration": ["type": "calendar", "date_property_id": "w"],
      ])
    for (title, start, end) in [
      ("Short", "2026-03-30", "2026-04-02"), ("Turned", "2026-03-10", "2026-03-01"),
      ("Endless", "2020-01-01", "9999-12-31"),
    ] {
      stage.server.addRow(
        table.source,
        [
          "Name": ["id": "title", "type": "title", "title": FakeNotion.richText(title)],
          "When": [
            "id": "w", "type": "date", "date": ["start": .string(start), "end": .string(end)],
          ],
        ])
    }
    let html = try await stage.item(table.database).html
    #expect(html.components(">Short</a>") == 5)
    #expect(html.components(">Turned</a>") == 2)
    #expect(html.components(">Endless</a>") == 367)
    #expect(html.contains(">2026-04</h3>"))
  }

  @Test func `shows views of unknown types as tables and says so`() async throws {
    let tasks = try Self.tasks([["name": "V", "type": "hologram"]])
    let html = try await tasks.item().html
    #expect(html.contains("<table class=\"n-database\">"))
    #expect(html.contains("A hologram in Notion, shown as a table."))
  }

  @Test func `groups a table by month`() async throws {
    let tasks = try Self.tasks([
      [
        "name": "T",
        "configuration": [
          "type": "table",
          "group_by": [
            "type": "date", "property_id": "due", "group_by": "month",
            "sort": ["type": "ascending"],
          ],
        ],
      ]
    ])
    let html = try await tasks.item().html
    #expect(
      html.contains("<h3 class=\"n-group-title\">2026-03<span class=\"n-count\"> 2</span></h3>"))
    #expect(html.contains("No Due<span class=\"n-count\"> 1</span>"))
  }

  @Test func `lays all rows beside the page`() async throws {
    let tasks = try Self.tasks([])
    let item = try await tasks.item()
    #expect(
      item.inline("database.csv")
        == """
        Task,Cost,Due,Status,Notion ID\r
        "Write, ""well""\",1,2026-03-02,Doing,\(tasks.rows[0])\r
        Read,1,2026-03-31,To do,\(tasks.rows[1])\r
        Rest,1234.5,,,\(tasks.rows[2])\r

        """)
    let json = try JSONDecoder().decode(
      JSONValue.self, from: Data((item.inline("database.json") ?? "").utf8))
    #expect(json["data_sources"]?[0]?["rows"]?.array?.count == 3)
    #expect(json["database"]?["object"] == "database")
    #expect(item.inline("database.json")?.contains("X-Amz") == false)
    #expect(item.metadata.kind == .database)
    #expect(item.metadata.properties == [ItemProperty("Rows", "3")])
  }

  @Test func `a row shows its properties in the order of the view`() async throws {
    let tasks = try Self.tasks([
      [
        "configuration": [
          "type": "table",
          "properties": [
            ["property_id": "due", "visible": true], ["property_id": "st%3D", "visible": true],
          ],
        ]
      ]
    ])
    let item = try await tasks.stage.item(tasks.rows[0])
    #expect(item.metadata.properties.map(\.name) == ["Due", "Status", "Cost"])
    #expect(item.metadata.properties.last?.value == "€1.00")
    #expect(item.html.contains("<dl class=\"n-properties\"><dt>Due</dt><dd><time"))
    #expect(item.links == [ItemLink(.parent, target: tasks.table.database)])
  }

  @Test func `reads databases of the oldest version`() async throws {
    var stage = try NotionStage()
    stage.configuration.apiVersion = "2022-06-28"
    let id = IdentityTests.digits
    let database: JSONValue = [
      "object": "database", "id": .string(FakeNotion.dashed(id)), "archived": false,
      "title": FakeNotion.richText("Old"), "properties": .object(Self.columns),
      "created_time": "2022-03-01T00:00:00.000Z", "last_edited_time": "2022-03-01T00:00:00.000Z",
      "parent": ["type": "workspace", "workspace": true], "url": "https://www.notion.so/x",
    ]
    let rows: JSONValue = [
      "object": "list", "has_more": false, "next_cursor": .null,
      "results": [
        [
          "object": "page", "id": "00000000-0000-0000-0000-000000000009", "archived": false,
          "properties": .object(Self.row("Row", "Done", nil)), "url": "https://www.notion.so/y",
          "created_time": "2022-03-01T00:00:00.000Z",
          "last_edited_time": "2022-03-01T00:00:00.000Z",
          "parent": ["type": "database_id", "database_id": .string(FakeNotion.dashed(id))],
        ]
      ],
    ]
    for _ in 0..<2 {
      stage.server.failNext(.json(StageJSON.text(database))) {
        $0.path.hasSuffix(FakeNotion.dashed(id))
      }
    }
    stage.server.failNext(.json(StageJSON.text(rows))) { $0.path.hasSuffix("/query") }
    let item = try await stage.adapter().item(
      ItemReference(id: id, revision: "", payload: ReferencePayload(kind: .database).text))
    #expect(item.html.contains(">Row</a>"))
    #expect(item.metadata.title == "Old")
  }
}

/// JSON for answers that a test writes itself.
enum StageJSON {
  static func text(_ value: JSONValue) -> String {
    String(decoding: JSONText.bytes(of: value), as: UTF8.self)
  }
}
