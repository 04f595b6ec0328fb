import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// A thousand records with extreme values in every field: each is archived or fails alone.
struct ExtremeTests {
  /// A reproducible random number generator.
  private struct Numbers {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
  }

  private static let words: [JSONValue] = [
    "", " ", "\u{0}\u{1}\u{7F}", "\u{202E}evil", "e\u{301}\u{301}", "👩‍👩‍👧‍👦", "=cmd|' /C calc'!A0",
    "../..",
    "<script>alert(1)</script>", "</style>&\"'", "אבג ABC\u{200F}", "\u{2028}\n\r\n\t", "\u{FFFF}",
    .string(String(repeating: "long ", count: 800)),
    .string(String(repeating: "w", count: 3_000)),
    "\\frac{", "https://x/\u{0}", "javascript:alert(1)", "data:text/html,x", "//e",
  ]
  private static let numbers: [JSONValue] = [
    0, -1, .number(Double(Int64.max)), .number(-Double(Int64.max)), .number(1e308), .number(-1e308),
    .number(Double.leastNonzeroMagnitude), .number(-0.0), .number(0.1),
    .number(9_007_199_254_740_992), .number(1e21),
  ]
  private static let dates: [JSONValue] = [
    "", "0000-00-00", "9999-12-31", "10000-01-01", "-0001-01-01", "2026-02-30", "2026-13-01",
    "2026-01-01T99:99:99.999+99:99", "2026", "x", "2026-01-01T00:00:00.000Z", "0001-01-01",
    "2026-01-01T00:00:00.000-12:00", "99999999999-01-01", "२०२६-०१-०१",
  ]
  private static let identifiers: [JSONValue] = [
    "", "x", "00000000000000000000000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", .null,
    .number(7),
  ]

  /// Any value, of kinds inside and outside the API.
  private static func value(_ random: inout Numbers, depth: Int = 0) -> JSONValue {
    func one(_ values: [JSONValue]) -> JSONValue { values[random.next(values.count)] }
    switch random.next(depth > 3 ? 7 : 12) {
    case 0: return .null
    case 1: return .bool(random.next(2) == 0)
    case 2: return one(numbers)
    case 3: return one(dates)
    case 4: return one(identifiers)
    case 5, 6: return one(words)
    case 7: return .array((0..<random.next(4)).map { _ in value(&random, depth: depth + 1) })
    case 8: return ["id": one(identifiers), "name": value(&random, depth: depth + 1)]
    case 9: return ["start": one(dates), "end": one(dates), "time_zone": one(words)]
    case 10: return ["type": "file", "file": ["url": one(words)], "name": one(words)]
    default: return text(&random)
    }
  }

  private static func text(_ random: inout Numbers) -> JSONValue {
    .array(
      (0..<random.next(3)).map { _ in
        let words = Self.words[random.next(Self.words.count)]
        return [
          "type": "text", "plain_text": words, "href": value(&random, depth: 4),
          "text": ["content": words, "link": ["url": value(&random, depth: 4)]],
          "annotations": ["color": value(&random, depth: 4), "bold": value(&random, depth: 4)],
        ]
      })
  }

  private static let types = KnownTypes.properties.sorted() + ["invented", ""]

  private static func property(_ type: String, _ random: inout Numbers) -> JSONValue {
    let value: JSONValue
    switch type {
    case "title", "rich_text": value = random.next(4) == 0 ? Self.value(&random) : text(&random)
    case "number": value = numbers[random.next(numbers.count)]
    case "place":
      value = [
        "lat": numbers[random.next(numbers.count)], "lon": numbers[random.next(numbers.count)],
        "name": Self.value(&random), "address": Self.value(&random),
      ]
    case "unique_id":
      value = ["prefix": Self.value(&random), "number": numbers[random.next(numbers.count)]]
    case "formula", "rollup":
      let kind = ["string", "number", "boolean", "date", "array", "odd"][random.next(6)]
      value = [
        "type": .string(kind), kind: Self.value(&random), "function": Self.value(&random),
      ]
    default: value = Self.value(&random)
    }
    return ["id": .string("p-\(type)"), "type": .string(type), type: value]
  }

  private static func icon(_ random: inout Numbers) -> JSONValue {
    let kinds = ["emoji", "file", "external", "custom_emoji", "icon", "odd"]
    let kind = kinds[random.next(kinds.count)]
    return ["type": .string(kind), kind: value(&random)]
  }

  /// A page with a block of every type, each with synthetic content.
  private static func blocks(_ random: inout Numbers) -> [FakeBlock] {
    (KnownTypes.blocks.sorted() + ["invented"]).filter { _ in random.next(3) == 0 }.map { type in
      var payload: [String: JSONValue] = [:]
      for key in [
        "rich_text", "caption", "url", "expression", "language", "title", "color", "checked",
        "icon",
        "cells", "table_width", "has_column_header", "width_ratio", "list_start_index",
        "list_format",
        "type", "file", "external", "page_id", "database_id", "children", "status", "block_type",
      ] where random.next(2) == 0 { payload[key] = value(&random) }
      payload["rich_text"] = random.next(4) == 0 ? value(&random) : text(&random)
      return FakeBlock(type, .object(payload))
    }
  }

  @Test func `a thousand rows are listed, and each is archived or fails alone`() async throws {
    var random = Numbers(state: 11)
    let stage = try NotionStage()
    var columns: [String: JSONValue] = [:]
    for type in Self.types {
      columns["P \(type)"] = [
        "id": .string("p-\(type)"), "name": .string("P \(type)"), "type": .string(type),
        type: Self.value(&random),
      ]
    }
    let table = stage.server.addDatabase("Extremes", columns: columns)
    for number in 0..<1_000 {
      var properties: [String: JSONValue] = [:]
      for type in Self.types { properties["P \(type)"] = Self.property(type, &random) }
      stage.server.addRow(
        table.source, properties, blocks: number % 5 == 0 ? Self.blocks(&random) : [],
        extra: ["icon": Self.icon(&random), "cover": Self.icon(&random)])
    }
    for kind in [
      "table", "board", "calendar", "timeline", "gallery", "list", "chart", "form", "map",
    ] {
      stage.server.addView(
        table.database, source: table.source,
        [
          "type": .string(kind), "name": Self.value(&random), "sorts": Self.value(&random),
          "configuration": [
            "date_property_id": "p-date", "map_by": "p-place", "chart_type": Self.value(&random),
            "group_by": ["property_id": .string("p-\(Self.types[random.next(26)])")],
            "x_axis": ["property_id": "p-select"], "cover": Self.value(&random),
            "y_axis": ["aggregator": "sum", "property_id": "p-number"],
            "properties": Self.value(&random),
          ],
        ])
    }
    let listed = try await stage.list()
    #expect(listed.references.count == 1_001)
    var archived = 0
    let adapter = try stage.adapter()
    for reference in listed.references.values.sorted(by: { $0.id < $1.id }) {
      do throws(AdapterError) {
        let item = try await adapter.item(reference)
        archived += 1
        #expect(!item.html.contains("<script"))
      } catch {
        #expect(error.concernsOneObject, "\(error.message)")
      }
    }
    #expect(archived == 1_001)
  }

  /// JavaScript writes half a surrogate pair as an escape, which JSON decoders reject.
  @Test func `a text cut within a character costs neither its page nor its neighbours`()
    async throws
  {
    let server = FakeNotion()
    server.addPage(
      "Cut CUTHERE", blocks: [FakeBlock("paragraph", ["rich_text": [text("CUTHERE")]])])
    server.addPage("Whole", blocks: [])
    let stage = try NotionStage(server) { request in
      var response = server.handle(request)
      guard case .bytes(let bytes) = response.body else { return nil }
      response.body = .bytes(
        Array(String(decoding: bytes, as: UTF8.self).replacing("CUTHERE", with: "\\ud83d").utf8))
      return response
    }
    let listed = try await stage.list()
    #expect(listed.references.count == 2 && listed.gaps.isEmpty)
    let cut = try #require(listed.references.values.first { $0.title != "Whole" })
    #expect(cut.title == "Cut \u{FFFD}")
    let item = try await stage.adapter().item(cut)
    #expect(item.html.contains("\u{FFFD}"))
  }

  private func text(_ words: String) -> JSONValue {
    ["type": "text", "plain_text": .string(words), "text": ["content": .string(words)]]
  }
}
