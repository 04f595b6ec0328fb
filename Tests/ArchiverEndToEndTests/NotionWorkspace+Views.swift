import ArchiverCore
import ArchiverTestKit

extension NotionWorkspace {
  /// A database that is drawn: timelines, charts, a dashboard, a form, parts of rows, page contents.
  func addPlans() {
    let table = notion.addDatabase("Plans", columns: planColumns)
    var rows: [String] = []
    let names = ["Foundation", "Walls of the house", "Roof", "Windows", "Garden", "Sometime"]
    for (index, name) in names.enumerated() {
      rows.append(
        notion.addRow(
          table.source, plan(index, name, parts: index == 3 ? Array(rows.prefix(2)) : []),
          blocks: index % 2 == 0
            ? [FakeBlock("image", FakeNotion.file("ws/two.svg"))]
            : [.text("paragraph", "What this plan is about, in the words of its own page.")],
          extra: index == 2 ? ["icon": FakeNotion.file("ws/gone.png")] : [:]))
    }
    let axis: JSONValue = ["type": "select", "property_id": "team"]
    let sum: JSONValue = ["aggregator": "sum", "property_id": "cost"]
    var parts: [String] = []
    for kind in ["column", "bar", "line", "donut", "number"] {
      parts.append(
        view(
          table, "A \(kind)", "chart",
          ["chart_type": .string(kind), "x_axis": axis, "y_axis": sum, "value": sum]))
    }
    view(
      table, "Stacked", "chart",
      [
        "chart_type": "column",
        "x_axis": ["type": "date", "property_id": "when", "group_by": "month"], "stack_by": axis,
        "y_axis": sum,
      ])
    view(
      table, "Time", "timeline",
      [
        "date_property_id": "when", "show_table": true, "color_by": true,
        "table_properties": [["property_id": "cost", "visible": true]],
      ])
    view(table, "Parts", "table", ["subtasks": ["property_id": "parts", "display_mode": "show"]])
    view(table, "Contents", "gallery", ["cover": ["type": "page_content"]])
    view(table, "Questions", "form", [:])
    view(
      table, "Overview", "dashboard",
      [
        "rows": .array(
          [parts[3...4], parts[0...1]].map { row in
            [
              "widgets": .array(
                row.map { ["view_id": .string(FakeNotion.dashed($0)), "width": 6] })
            ]
          })
      ])
  }

  private var planColumns: [String: JSONValue] {
    [
      "Plan": ["id": "title", "name": "Plan", "type": "title", "title": [:]],
      "When": ["id": "when", "name": "When", "type": "date", "date": [:]],
      "Team": [
        "id": "team", "name": "Team", "type": "select",
        "select": [
          "options": [
            ["name": "Masons", "color": "brown"], ["name": "Carpenters", "color": "orange"],
            ["name": "Gardeners", "color": "green"],
          ]
        ],
      ],
      "Cost": ["id": "cost", "name": "Cost", "type": "number", "number": ["format": "euro"]],
      "Parts": [
        "id": "parts", "name": "Parts", "type": "relation", "relation": ["data_source_id": .null],
      ],
      "Remark": ["id": "remark", "name": "Remark", "type": "rich_text", "rich_text": [:]],
    ]
  }

  private func plan(_ index: Int, _ name: String, parts: [String]) -> [String: JSONValue] {
    let team = [("Masons", "brown"), ("Carpenters", "orange"), ("Gardeners", "green")][index % 3]
    let long = String(repeating: "Donaudampfschifffahrt", count: 8)
    return [
      "Plan": ["id": "title", "type": "title", "title": FakeNotion.richText(name)],
      "When": [
        "id": "when", "type": "date",
        "date": index == 5
          ? .null
          : [
            "start": .string("2026-0\(index + 3)-0\(index + 1)"),
            "end": index == 2 ? .null : .string("2026-0\(index + 4)-1\(index)"),
          ],
      ],
      "Team": [
        "id": "team", "type": "select",
        "select": ["name": .string(team.0), "color": .string(team.1)],
      ],
      "Cost": [
        "id": "cost", "type": "number", "number": .integer([120, 80, 310, 45, 60, 5][index]),
      ],
      "Parts": [
        "id": "parts", "type": "relation", "has_more": false,
        "relation": .array(parts.map { ["id": .string($0)] }),
      ],
      "Remark": [
        "id": "remark", "type": "rich_text",
        "rich_text": FakeNotion.richText(index == 1 ? long : "Short"),
      ],
    ]
  }

  @discardableResult
  private func view(
    _ table: (database: String, source: String), _ name: String, _ type: String,
    _ configuration: [String: JSONValue]
  ) -> String {
    notion.addView(
      table.database, source: table.source,
      [
        "name": .string(name), "type": .string(type),
        "configuration": .object(configuration.merging(["type": .string(type)]) { $1 }),
      ])
  }
}
