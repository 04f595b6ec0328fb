import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Charts are drawn, with their numbers.
struct ChartTests {
  static func chart(_ members: [String: JSONValue]) -> [String: JSONValue] {
    [
      "name": "C", "type": "chart",
      "configuration": .object(members.merging(["type": "chart"]) { $1 }),
    ]
  }

  @Test(arguments: ["column", "bar", "line", "donut"])
  func `a chart is drawn and its numbers stand in a table`(kind: String) async throws {
    let view = Self.chart([
      "chart_type": .string(kind), "x_axis": ["type": "select", "property_id": "team"],
      "y_axis": ["aggregator": "sum", "property_id": "cost"],
    ])
    let html = try await ViewDrawingTests.item(ViewDrawingTests.rows, [view]).html
    #expect(
      html.contains(
        "<tr><th scope=\"col\">Team</th><th scope=\"col\">Sum of Cost</th></tr></thead><tbody>"
          + "<tr><th scope=\"row\" class=\"n-whole\">Blue</th><td class=\"n-whole\">€20.50</td></tr>"
          + "<tr><th scope=\"row\" class=\"n-whole\">Red</th><td class=\"n-whole\">€10.00</td></tr>"
      ))
    let clean = try HTMLSanitizer(SanitizerOptions(allowedClasses: NotionStyle.classes))
      .sanitize(Array(html.utf8), baseURL: WebURL("https://www.notion.so/"))
    let text = String(decoding: clean.bytes, as: UTF8.self)
    #expect(text.contains("<img") && text.contains("Chart: C"))
    // The rows are included too.
    #expect(html.contains(">Table</h2>") && html.contains(">Rest</a>"))
  }

  @Test func `a stacked chart has a column of numbers for each part`() async throws {
    let view = Self.chart([
      "chart_type": "column",
      "x_axis": ["type": "date", "property_id": "when", "group_by": "month"],
      "stack_by": ["type": "select", "property_id": "team"], "y_axis": ["aggregator": "count"],
    ])
    let html = try await ViewDrawingTests.item(ViewDrawingTests.rows, [view]).html
    #expect(
      html.contains(
        "<th scope=\"row\" class=\"n-whole\">2026-03</th><td class=\"n-whole\">1</td><td class=\"n-whole\">1</td>"
      ))
    #expect(
      html.contains(
        "<th scope=\"row\" class=\"n-whole\">No When</th><td class=\"n-whole\">1</td><td class=\"n-whole\">0</td>"
      ))
  }

  @Test(arguments: ["column", "bar", "line"])
  func `the drawing names the parts in their colours`(kind: String) async throws {
    let view = Self.chart([
      "chart_type": .string(kind),
      "x_axis": ["type": "date", "property_id": "when", "group_by": "month"],
      "stack_by": ["type": "select", "property_id": "team"], "y_axis": ["aggregator": "count"],
    ])
    let html = try await ViewDrawingTests.item(ViewDrawingTests.rows, [view]).html
    for name in ["Blue", "Red"] {
      let word = try #require(
        html.firstRange(of: "text-anchor=\"start\" fill=\"#85837d\">\(name)<"))
      let swatch = html[..<word.lowerBound].suffix(200)
      #expect(swatch.contains("width=\"12\" height=\"12\" fill=\""), "\(name)")
    }
    let other = try await ViewDrawingTests.item(
      ViewDrawingTests.rows,
      [
        Self.chart([
          "chart_type": .string(kind), "x_axis": ["type": "select", "property_id": "team"],
          "y_axis": ["aggregator": "count"],
        ])
      ]
    ).html
    #expect(!other.contains("width=\"12\" height=\"12\""))
  }

  @Test func `what is not known of a chart is reported or counted`() async throws {
    let view = Self.chart([
      "chart_type": "radar", "sort": "by_mood",
      "x_axis": ["type": "select", "property_id": "team"],
      "stack_by": ["type": "select", "property_id": "gone"], "y_axis": ["aggregator": "count"],
    ])
    let item = try await ViewDrawingTests.item(ViewDrawingTests.rows, [view])
    #expect(
      item.missing.map(\.name) == [
        "the form of a chart of the type \u{201C}radar\u{201D}",
        "the form of a chart order of the type \u{201C}by_mood\u{201D}",
      ])
    #expect(item.html.contains("Notion's stacking of this chart cannot be read"))
    let other = Self.chart([
      "chart_type": "bar", "x_axis": ["type": "select", "property_id": "gone"],
      "y_axis": ["aggregator": "count"],
    ])
    let html = try await ViewDrawingTests.item(ViewDrawingTests.rows, [other]).html
    #expect(html.contains("Notion's grouping of this chart cannot be read"))
  }

  @Test func `a chart that calculates of what is gone says so and invents no number`() async throws
  {
    for kind in ["number", "column", "donut"] {
      let axis: JSONValue = ["aggregator": "sum", "property_id": "gone"]
      let view = Self.chart([
        "chart_type": .string(kind), "value": axis, "y_axis": axis,
        "x_axis": ["type": "select", "property_id": "team"],
      ])
      let html = try await ViewDrawingTests.item(ViewDrawingTests.rows, [view]).html
      #expect(html.contains("Notion's calculation for this chart cannot be read"), "\(kind)")
      #expect(!html.contains(">0</") && !html.contains(">€0</"), "\(kind)")
      #expect(html.contains(">–</"), "\(kind)")
    }
  }

  @Test func `a number chart shows its number`() async throws {
    let view = Self.chart([
      "chart_type": "number", "value": ["aggregator": "average", "property_id": "cost"],
    ])
    let html = try await ViewDrawingTests.item(ViewDrawingTests.rows, [view]).html
    #expect(
      html.contains("<p class=\"n-figure\">€10.17</p><p class=\"n-note\">Average of Cost</p>"))
  }

  @Test(arguments: [
    ("count", "3"), ("count_values", "3"), ("sum", "€30.50"), ("median", "€10.00"),
    ("min", "€0.00"),
    ("max", "€20.50"), ("range", "€20.50"), ("unique", "3"), ("empty", "0"), ("not_empty", "3"),
    ("percent_empty", "0%"), ("percent_not_empty", "100%"), ("checked", "0"), ("invented", "–"),
  ])
  func `charts calculate as Notion does`(aggregator: String, text: String) async throws {
    let view = Self.chart([
      "chart_type": "number", "value": ["aggregator": .string(aggregator), "property_id": "cost"],
    ])
    let item = try await ViewDrawingTests.item(ViewDrawingTests.rows, [view])
    #expect(item.html.contains("<p class=\"n-figure\">\(text)</p>"))
    #expect(
      item.missing.map(\.name)
        == (aggregator == "invented" ? ["the form of a calculation of the type “invented”"] : []))
  }

  @Test func `numbers as large as their type allows are drawn or left out`() async throws {
    var rows = ViewDrawingTests.rows
    rows[0].cost = .greatestFiniteMagnitude
    rows[1].cost = .greatestFiniteMagnitude
    rows[2].cost = -.greatestFiniteMagnitude
    for kind in ["column", "bar", "line", "donut"] {
      let view = Self.chart([
        "chart_type": .string(kind), "x_axis": ["type": "title", "property_id": "title"],
        "y_axis": ["aggregator": "sum", "property_id": "cost"],
      ])
      let html = try await ViewDrawingTests.item(rows, [view]).html
      #expect(!html.contains("\"nan") && !html.contains("\"inf") && !html.contains("\"-inf"))
    }
  }
}
