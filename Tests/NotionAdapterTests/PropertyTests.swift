import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct PropertyTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let type: String
    let value: JSONValue
    let details: JSONValue
    let html: String
    let text: String

    init(
      _ type: String, _ value: JSONValue, details: JSONValue = [:], _ html: String, _ text: String
    ) {
      self.type = type
      self.value = value
      self.details = details
      self.html = html
      self.text = text
    }

    var testDescription: String { "\(type): \(text)" }

    var property: JSONValue { .object(["id": "x", "type": .string(type), type: value]) }
  }

  private static let user = "00000000000000000000000000000003"
  private static let target = "00000000000000000000000000000004"

  private var context: RenderContext {
    var context = RenderContext()
    if let user = NotionID(Self.user) { context.users[user] = "Ada" }
    if let target = NotionID(Self.target) {
      context.known[target] = KnownObject(title: "Target", icon: .emoji("🎯"))
    }
    return context
  }

  @Test(arguments: samples)
  func `shows every type of property`(sample: Sample) {
    let renderer = PropertyRenderer(context: context)
    let column = PropertySchema(
      name: "P", .object(["id": "x", "type": .string(sample.type), sample.type: sample.details]))
    var html = HTMLWriter()
    renderer.write(sample.property, column, to: &html)
    #expect(String(decoding: html.bytes, as: UTF8.self) == sample.html)
    #expect(
      renderer.words.text(sample.property, format: sample.details["format"]?.string) == sample.text)
  }

  @Test(arguments: samples.map(\.type))
  func `shows nothing for an empty property`(type: String) {
    let property: JSONValue = .object(["id": "x", "type": .string(type), type: .null])
    var html = HTMLWriter()
    PropertyRenderer(context: context).write(property, nil, to: &html)
    #expect(html.bytes.isEmpty)
    #expect(PropertyText(context: context).text(property).isEmpty)
  }

  @Test func `covers all 24 types`() {
    let known: Set<String> = [
      "title", "rich_text", "number", "select", "status", "multi_select", "date", "people", "files",
      "checkbox", "url", "email", "phone_number", "formula", "relation", "rollup", "created_time",
      "last_edited_time", "created_by", "last_edited_by", "unique_id", "verification", "button",
      "place",
    ]
    #expect(known.count == 24)
    #expect(known.subtracting(Self.samples.map(\.type)).isEmpty)
  }

  static let samples: [Sample] = [
    Sample("title", [FakeNotion.richPiece("A & B")], "A &amp; B", "A & B"),
    Sample("rich_text", [FakeNotion.richPiece("x\ny")], "x<br>y", "x\ny"),
    Sample("number", 1234, "1234", "1234"),
    Sample("number", .number(0.07), details: ["format": "percent"], "7%", "7%"),
    Sample(
      "number", .number(-1234567.5), details: ["format": "dollar"], "-$1,234,567.50",
      "-$1,234,567.50"),
    Sample("number", 1234567, details: ["format": "number_with_commas"], "1,234,567", "1,234,567"),
    Sample("number", -12500, details: ["format": "yen"], "-¥12,500", "-¥12,500"),
    Sample("number", 12, details: ["format": "euro"], "€12.00", "€12.00"),
    Sample(
      "select", ["id": "1", "name": "High", "color": "red"],
      "<span class=\"n-tag n-bg-red\">High</span> ", "High"),
    Sample(
      "status", ["id": "1", "name": "Done", "color": "default"],
      "<span class=\"n-tag n-bg-gray\">Done</span> ", "Done"),
    Sample(
      "multi_select", [["name": "a", "color": "blue"], ["name": "b", "color": "green"]],
      "<span class=\"n-tag n-bg-blue\">a</span> <span class=\"n-tag n-bg-green\">b</span> ", "a, b"),
    Sample(
      "date", ["start": "2026-03-01", "end": "2026-03-05T10:30:00.000+01:00", "time_zone": .null],
      "<time datetime=\"2026-03-01\">2026-03-01</time> → "
        + "<time datetime=\"2026-03-05T10:30:00.000+01:00\">2026-03-05 10:30 +01:00</time>",
      "2026-03-01 → 2026-03-05 10:30 +01:00"),
    Sample(
      "people", [["object": "user", "id": .string(user)], ["object": "user", "name": "Bo"]],
      "Ada, Bo", "Ada, Bo"),
    Sample(
      "files",
      [
        ["name": "a.png", "type": "external", "external": ["url": "https://e.org/a.png"]],
        ["name": "b.pdf", "type": "file", "file": ["url": "https://s3/b.pdf?X-Amz-Signature=1"]],
      ],
      "<span class=\"n-thumbnail\"><img src=\"https://e.org/a.png\" alt=\"a.png\"></span> "
        + "<a class=\"n-file-link\" href=\"https://s3/b.pdf?X-Amz-Signature=1\">b.pdf</a> ",
      "a.png, b.pdf"),
    Sample("checkbox", true, "<span class=\"n-box\" title=\"yes\">☑</span>", "Yes"),
    Sample(
      "url", "https://e.org/", "<a href=\"https://e.org/\">https://e.org/</a>", "https://e.org/"),
    Sample("url", "e.org/a", "<a href=\"https://e.org/a\">e.org/a</a>", "e.org/a"),
    Sample("email", "a@e.org", "<a href=\"mailto:a@e.org\">a@e.org</a>", "a@e.org"),
    Sample("phone_number", "+1 2", "<a href=\"tel:+12\">+1 2</a>", "+1 2"),
    Sample("formula", ["type": "string", "string": "f"], "f", "f"),
    Sample("formula", ["type": "number", "number": .number(2.5)], "2.5", "2.5"),
    Sample(
      "formula", ["type": "boolean", "boolean": false],
      "<span class=\"n-box\" title=\"no\">☐</span>", "No"),
    Sample(
      "formula", ["type": "date", "date": ["start": "2026-01-02"]],
      "<time datetime=\"2026-01-02\">2026-01-02</time>", "2026-01-02"),
    Sample(
      "relation", [["id": .string(target)]],
      "<a class=\"n-page\" href=\"https://www.notion.so/\(target)\"><span class=\"n-icon\">🎯</span>Target</a>",
      "Target"),
    Sample("rollup", ["type": "number", "number": 3, "function": "sum"], "3", "3"),
    Sample(
      "rollup", ["type": "number", "number": .number(0.625), "function": "percent_checked"],
      "62.5%", "62.5%"),
    Sample(
      "rollup", ["type": "number", "number": .number(2.0 / 3), "function": "percent_not_empty"],
      "66.67%", "66.67%"),
    Sample(
      "formula", ["type": "number", "number": .number(0.1 + 0.2)], "0.3", "0.3"),
    Sample(
      "formula", ["type": "number", "number": .number(-1.1 * 3)], "-3.3", "-3.3"),
    Sample(
      "formula", ["type": "number", "number": .number(1.0 / 3)], "0.3333333333333333",
      "0.3333333333333333"),
    Sample(
      "rollup",
      [
        "type": "array", "function": "show_original",
        "array": [
          ["type": "select", "select": ["name": "S", "color": "pink"]],
          ["type": "checkbox", "checkbox": true], ["type": "number", "number": .null],
        ],
      ],
      "<span class=\"n-tag n-bg-pink\">S</span> , <span class=\"n-box\" title=\"yes\">☑</span>",
      "S, Yes"),
    Sample(
      "rollup", ["type": "date", "date": ["start": "2026-01-02"]], "2026-01-02", "2026-01-02"),
    Sample(
      "created_time", "2026-01-02T03:04:00.000Z",
      "<time datetime=\"2026-01-02T03:04:00.000Z\">2026-01-02 03:04 UTC</time>",
      "2026-01-02 03:04 UTC"),
    Sample(
      "last_edited_time", "2026-01-02T03:04:00.000Z",
      "<time datetime=\"2026-01-02T03:04:00.000Z\">2026-01-02 03:04 UTC</time>",
      "2026-01-02 03:04 UTC"),
    Sample("created_by", ["object": "user", "id": .string(user)], "Ada", "Ada"),
    Sample("last_edited_by", ["object": "user", "id": "0", "name": "Cy"], "Cy", "Cy"),
    Sample("unique_id", ["prefix": "T", "number": 7], "T-7", "T-7"),
    Sample("unique_id", ["prefix": .null, "number": 7], "7", "7"),
    Sample(
      "verification",
      [
        "state": "verified", "verified_by": ["name": "Ada", "id": "1"],
        "date": ["start": "2026-01-02", "end": .null],
      ],
      "Verified by Ada, 2026-01-02", "Verified by Ada, 2026-01-02"),
    Sample("button", [:], "", ""),
    Sample(
      "place", ["lat": 1, "lon": .number(2.5), "name": "Café", "address": "Street 1"],
      "<a href=\"https://www.openstreetmap.org/?mlat=1.0&amp;mlon=2.5\">Café, Street 1</a>",
      "Café, Street 1"),
    Sample("last_visited_time", "2026-01-02", "2026-01-02", "2026-01-02"),
  ]
}
