import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Content of unknown types is shown, indexed, fetched and counted.
struct UnknownTypeTests {
  private static let elsewhere = "0123456789abcdef0123456789abcdef"

  /// A rich text that mentions something new and has a piece of a new type.
  private static let text: JSONValue = [
    FakeNotion.richPiece("Before "),
    [
      "type": "mention",
      "mention": ["type": "robot", "robot": ["id": "r1", "motto": "MARKERMOTTO"]],
      "annotations": FakeNotion.plainAnnotations, "plain_text": "@MARKERROBOT",
      "href": "https://robots.example/7",
    ],
    [
      "type": "citation", "citation": ["source": ["label": "MARKERSOURCE"]],
      "annotations": FakeNotion.plainAnnotations, "plain_text": "MARKERCITATION", "href": .null,
    ],
  ]

  private static let hologram: JSONValue = [
    "headline": "MARKERHEADLINE", "size": 17, "color": "blue", "id": "technical-thing",
    "body": [FakeNotion.richPiece("MARKERBODY")], "isn_t": .null,
    "parts": [
      ["words": "MARKERPART", "scan": FakeNotion.file("scan.pdf")],
      ["picture": FakeNotion.file("cover.png"), "see": "https://holograms.example/page"],
    ],
    "owner": ["page_id": "a1b2c3d4-e5f6-4780-b1c2-000000000001"],
  ]

  private static let rating: JSONValue = [
    "stars": 4, "remark": "MARKERREMARK", "proof": [FakeNotion.file("proof.pdf")],
    "site": "https://ratings.example/",
  ]

  private static func stage() throws -> (stage: NotionStage, page: String, database: String) {
    let stage = try NotionStage()
    #expect(stage.server.addPage("Owner") == "a1b2c3d4e5f64780b1c2000000000001")
    let table = stage.server.addDatabase(
      "Table",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "Score": ["id": "sc", "name": "Score", "type": "rating", "rating": [:]],
      ])
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "Score": ["id": "sc", "type": "rating", "rating": rating],
      ],
      blocks: [
        FakeBlock("paragraph", ["rich_text": text]), FakeBlock("hologram", hologram),
        FakeBlock("hologram", ["headline": "MARKERSECOND"], [.text("paragraph", "MARKERCHILD")]),
      ], extra: ["parent": ["type": "galaxy_id", "galaxy_id": .string(elsewhere)]])
    stage.server.addView(
      table.database, source: table.source, ["name": "MARKERVIEW", "type": "spiral"])
    return (stage, row, table.database)
  }

  @Test func `words of unknown types are shown, their files fetched and their links kept`()
    async throws
  {
    let (stage, page, database) = try Self.stage()
    let item = try await stage.item(page)
    let markers = [
      "MARKERROBOT", "MARKERMOTTO", "MARKERCITATION", "MARKERSOURCE", "MARKERHEADLINE",
      "MARKERBODY", "MARKERPART", "MARKERREMARK", "MARKERSECOND", "MARKERCHILD", "size: 17",
      "stars: 4",
    ]
    for marker in markers { #expect(item.html.contains(marker), "\(marker)") }
    #expect(!item.html.contains("technical-thing") && !item.html.contains("{"))
    for link in [
      "https://robots.example/7", "https://holograms.example/page", "https://ratings.example/",
      "https://www.notion.so/a1b2c3d4e5f64780b1c2000000000001",
    ] {
      #expect(item.html.contains("href=\"\(link)\""), "\(link)")
    }
    #expect(item.html.contains("<img src=\"\(FakeNotion.fileAddress)/files/cover.png?"))
    #expect(Self.files(item) == ["proof.pdf", "scan.pdf"])
    let table = try await stage.item(database)
    #expect(Self.files(table) == ["proof.pdf"])
    for marker in ["MARKERREMARK", "MARKERVIEW", "proof.pdf"] {
      #expect(table.html.contains(marker), "\(marker)")
    }
    #expect(table.html.contains("A spiral in Notion, shown as a table."))
    let csv = try #require(table.inline("database.csv"))
    #expect(csv.contains("MARKERREMARK") && csv.contains("stars: 4") && !csv.contains("{"))
    #expect(!csv.contains("Amz"))
  }

  @Test func `unknown types are named and counted as parts that are not essential`() async throws {
    let (stage, page, database) = try Self.stage()
    let item = try await stage.item(page)
    #expect(
      item.missing.map(\.name) == [
        "the form of 2 times a block of the type “hologram”",
        "the form of a mention of the type “citation”",
        "the form of a mention of the type “robot”",
        "the form of a parent of the type “galaxy_id”",
        "the form of a property of the type “rating”",
      ])
    #expect(item.missing.allSatisfy { $0.kind == .record && $0.isPermanent && !$0.isEssential })
    let table = try await stage.item(database)
    #expect(
      table.missing.map(\.name) == [
        "the form of a property of the type “rating”", "the form of a view of the type “spiral”",
      ])
  }

  @Test func `a block without a type, or without what belongs to it, shows its words`() async throws
  {
    for block in [
      "{\"object\":\"block\",\"id\":\"\(Self.elsewhere)\",\"type\":\"odd\",\"content\":\"MARKERODD\"}",
      "{\"object\":\"block\",\"id\":\"\(Self.elsewhere)\",\"content\":{\"a\":\"MARKERODD\"}}",
    ] {
      let stage = try NotionStage { request in
        guard request.path.hasSuffix("/children") else { return nil }
        return .json("{\"object\":\"list\",\"results\":[\(block)],\"has_more\":false}")
      }
      let page = stage.server.addPage("Page")
      #expect(try await stage.html(page).contains("MARKERODD"))
    }
  }

  @Test func `values nested without end are cut, not followed`() {
    var value: JSONValue = "deep"
    for _ in 0..<5_000 { value = ["more": value, "word": "MARKER"] }
    let words = UnknownContent(value).plain(RenderContext())
    #expect(words.contains("MARKER") && !words.contains("deep"))
  }

  @Test func `items left out below an unknown parent are reported`() async throws {
    var stage = try NotionStage()
    let root = stage.server.addPage("Root")
    stage.server.addPage(
      "Lost", extra: ["parent": ["type": "galaxy_id", "galaxy_id": .string(Self.elsewhere)]])
    stage.configuration.roots = [root]
    let listed = try await stage.list()
    #expect(Array(listed.references.keys) == [root])
    #expect(listed.gaps.map(\.isEssential) == [false])
    #expect(listed.gaps.first?.message.contains("“galaxy_id”") == true)
  }

  /// The names of the files to be fetched beside an item, sorted.
  private static func files(_ item: SourceItem) -> [String] {
    item.attachments.compactMap { attachment in
      guard attachment.role == .file, case .remote = attachment.location else { return nil }
      return attachment.name
    }.sorted()
  }

  @Test func `values that Notion does not compute are told`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase(
      "Table",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "Sum": ["id": "su", "name": "Sum", "type": "rollup", "rollup": ["function": "sum"]],
        "Next": ["id": "ne", "name": "Next", "type": "formula", "formula": ["expression": "1"]],
      ])
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "Sum": [
          "id": "su", "type": "rollup",
          "rollup": ["type": "unsupported", "unsupported": [:], "function": "sum"],
        ],
        "Next": [
          "id": "ne", "type": "formula", "formula": ["type": "unsupported", "unsupported": .null],
        ],
      ])
    let reference = ItemReference(
      id: table.database, revision: "1", payload: ReferencePayload(kind: .database).text)
    for item in [try await stage.item(row), try await stage.adapter().item(reference)] {
      #expect(item.html.split(separator: "not computed by Notion").count == 3)
      #expect(
        item.missing.map(\.name).sorted() == ["the value of a formula", "the value of a rollup"])
      #expect(item.missing.allSatisfy { !$0.isEssential })
    }
  }
}
