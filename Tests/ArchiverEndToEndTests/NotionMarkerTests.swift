import ArchiverCore
import ArchiverTestKit
import Testing

/// A page and a database with every type of the API 2026-03-11 and six that it does not have: a word in each
/// is found by `archiver search`, and what has no form here is counted.
struct NotionMarkerTests {
  /// The words to search for; each occurs once.
  private final class Markers {
    private(set) var words: [String] = []

    func word(_ name: String) -> String {
      let word = "zq" + name.filter { $0.isLetter || $0.isNumber } + "q"
      words.append(word)
      return word
    }

    func text(_ name: String) -> JSONValue { FakeNotion.richText(word(name)) }
  }

  private static func file(_ name: String, _ caption: JSONValue) -> JSONValue {
    guard case .object(let members) = FakeNotion.file(name) else { return .null }
    return .object(members.merging(["caption": caption, "name": .string(name)]) { $1 })
  }

  private static func mention(_ type: String, _ value: JSONValue, _ words: String) -> JSONValue {
    [
      "type": "mention", "mention": ["type": .string(type), type: value],
      "annotations": FakeNotion.plainAnnotations, "plain_text": .string(words), "href": .null,
    ]
  }

  private static func blocks(_ server: FakeNotion, _ markers: Markers) -> [FakeBlock] {
    var blocks = [
      "paragraph", "heading_1", "heading_2", "heading_3", "heading_4", "bulleted_list_item",
      "numbered_list_item", "to_do", "toggle", "quote", "callout", "code", "template",
    ].map { FakeBlock($0, ["rich_text": markers.text($0), "language": "swift"]) }
    for type in ["image", "video", "audio", "pdf", "file"] {
      blocks.append(FakeBlock(type, file("\(type).bin", markers.text(type))))
    }
    for type in ["bookmark", "embed"] {
      blocks.append(
        FakeBlock(type, ["url": "https://example.com/", "caption": markers.text(type)]))
    }
    let row = FakeBlock("table_row", ["cells": [markers.text("cell")]])
    let column = FakeBlock("column", [:], [.text("paragraph", markers.word("column"))])
    let tab = FakeBlock(
      "paragraph", ["rich_text": markers.text("tab")],
      [.text("paragraph", markers.word("inside a tab"))])
    let synced = FakeBlock(
      "synced_block", ["synced_from": .null], [.text("paragraph", markers.word("synced"))])
    let notes = server.reserveID()
    let page = server.addPage(markers.word("linked page"))
    let child = server.addPage(markers.word("child page"))
    return blocks + [
      FakeBlock("divider"), FakeBlock("breadcrumb"), FakeBlock("table_of_contents"),
      FakeBlock("equation", ["expression": .string("\\text{\(markers.word("equation"))}")]),
      FakeBlock("table", ["table_width": 1, "has_column_header": false], [row]),
      FakeBlock("column_list", [:], [column]), FakeBlock("tab", [:], [tab]), synced,
      FakeBlock("link_preview", ["url": .string("https://example.com/\(markers.word("preview"))")]),
      FakeBlock("link_to_page", ["type": "page_id", "page_id": .string(page)]),
      FakeBlock("child_page", ["title": "As it was called"], id: child),
      FakeBlock(
        "meeting_notes",
        [
          "title": markers.text("meeting"), "status": "notes_ready",
          "children": ["notes_block_id": .string(FakeNotion.dashed(notes))],
        ],
        [FakeBlock("paragraph", [:], [.text("paragraph", markers.word("notes"))], id: notes)]),
      FakeBlock("transcription", ["title": markers.text("transcription")]),
      FakeBlock("unsupported", ["block_type": .string(markers.word("unsupported"))]),
    ]
  }

  private static let invented = ["hologram", "spiral", "smell", "robot", "oracle", "tide"]

  private static func inventedBlocks(_ markers: Markers) -> [FakeBlock] {
    [
      FakeBlock("hologram", ["rich_text": markers.text("hologram")]),
      FakeBlock("spiral", ["turns": [["label": .string(markers.word("spiral"))]]]),
      FakeBlock("smell", ["notes": ["top": ["words": markers.text("smell")]]]),
      FakeBlock(
        "robot", ["file": FakeNotion.file("robot.zip"), "motto": .string(markers.word("robot"))]),
      FakeBlock("oracle", [:], [.text("paragraph", markers.word("oracle"))]),
      FakeBlock("tide", ["rows": [[markers.text("tide")]]]),
    ]
  }

  private static func mentions(_ server: FakeNotion, _ markers: Markers) -> FakeBlock {
    let page = server.addPage(markers.word("mentioned page"))
    let user = server.addUser(markers.word("user"))
    let pieces: [JSONValue] = [
      FakeNotion.mention(page, "As it was called"),
      mention("user", ["object": "user", "id": .string(FakeNotion.dashed(user))], "@Anonymous"),
      mention("date", ["start": "2031-05-06"], "2031-05-06"),
      mention("link_preview", ["url": "https://example.com/a"], markers.word("link preview")),
      mention(
        "link_mention",
        ["href": "https://example.com/b", "title": .string(markers.word("link mention"))], "link"),
      mention(
        "template_mention",
        ["type": "template_mention_date", "template_mention_date": "today"],
        markers.word("template mention")),
      mention("sighting", ["what": .string(markers.word("sighting"))], "seen"),
    ]
    return FakeBlock(
      "paragraph", ["rich_text": .array(pieces.flatMap { [$0, FakeNotion.richPiece(" ")] })])
  }

  private static func values(_ server: FakeNotion, _ markers: Markers) -> [String: JSONValue] {
    func option(_ name: String) -> JSONValue {
      ["id": "o", "name": .string(markers.word(name)), "color": "blue"]
    }
    func person(_ name: String) -> JSONValue {
      ["object": "user", "id": .string(FakeNotion.dashed(server.addUser(markers.word(name))))]
    }
    let target = server.addPage(markers.word("related"))
    return [
      "title": markers.text("title"), "rich_text": markers.text("rich text"),
      "number": 7_351_902_846, "select": option("select"), "status": option("status"),
      "multi_select": [option("multi select")], "date": ["start": "2033-07-08"],
      "people": [person("people")], "created_by": person("created by"),
      "last_edited_by": person("last edited by"),
      "files": [file(markers.word("files") + ".zip", .null)], "checkbox": true,
      "url": .string("https://example.com/\(markers.word("url"))"),
      "email": .string(markers.word("email") + "@example.com"), "phone_number": "+49 30 5550199",
      "created_time": "2026-01-02T03:04:00.000Z", "last_edited_time": "2026-01-02T03:04:00.000Z",
      "formula": ["type": "string", "string": .string(markers.word("formula"))],
      "relation": [["id": .string(FakeNotion.dashed(target))]],
      "rollup": [
        "type": "array", "function": "show_original",
        "array": [["type": "rich_text", "rich_text": markers.text("rollup")]],
      ],
      "unique_id": ["prefix": .string(markers.word("unique")), "number": 7],
      "verification": ["state": "verified", "verified_by": person("verification"), "date": .null],
      "place": ["lat": 1, "lon": 2, "name": .string(markers.word("place")), "address": .null],
      "button": [:], "last_visited_time": ["words": .string(markers.word("visited"))],
      "location": ["words": .string(markers.word("location"))],
    ]
  }

  @Test func `a word in each type is found, and what has no form here is counted`() async throws {
    try await TemporaryFolder.with("markers") { home in
      let server = FakeNotion()
      let markers = Markers()
      let table = server.addDatabase(
        markers.word("database"),
        columns: Self.columns(Self.values(FakeNotion(), Markers())))
      let values = Self.values(server, markers)
      server.addRow(
        table.source,
        Dictionary(
          uniqueKeysWithValues: values.map { type, value in
            ("P \(type)", ["id": .string("p-\(type)"), "type": .string(type), type: value])
          }))
      for kind in [
        "table", "board", "list", "calendar", "timeline", "gallery", "form", "chart", "map",
        "dashboard", "helix",
      ] {
        server.addView(
          table.database, source: table.source,
          [
            "type": .string(kind), "name": .string(markers.word("view \(kind)")),
            "configuration": [
              "x_axis": ["type": "select", "property_id": "p-select"],
              "group_by": ["type": "select", "property_id": "p-select"],
              "date_property_id": "p-date", "map_by": "p-place",
            ],
          ])
      }
      let page = server.addPage(
        markers.word("everything"),
        blocks: Self.blocks(server, markers) + Self.inventedBlocks(markers)
          + [
            Self.mentions(server, markers),
            FakeBlock("child_database", ["title": "As it was called"], id: table.database),
          ])
      server.addComment(markers.word("comment"), on: page, page: page)
      try await Self.check(server, markers, home)
    }
  }

  private static func columns(_ values: [String: JSONValue]) -> [String: JSONValue] {
    Dictionary(
      uniqueKeysWithValues: values.keys.map { type in
        (
          "P \(type)",
          [
            "id": .string(type == "title" ? "title" : "p-\(type)"), "name": .string("P \(type)"),
            "type": .string(type), type: [:],
          ]
        )
      })
  }

  /// Archives the workspace and searches for every word.
  private static func check(
    _ server: FakeNotion, _ markers: Markers, _ home: String
  ) async throws {
    let files = try LoopbackServer(handler: { server.handle($0) })
    defer { files.stop() }
    let address = files.baseURL.absoluteString
    let base = address.hasSuffix("/") ? String(address.dropLast()) : address
    let api = try LoopbackServer(handler: { request in
      var answer = server.handle(request)
      if case .bytes(let bytes) = answer.body {
        let text = String(decoding: bytes, as: UTF8.self)
        answer.body = .bytes(Array(text.replacing(FakeNotion.fileAddress, with: base).utf8))
      }
      return answer
    })
    defer { api.stop() }
    let environment = [
      "NOTION_API_URL": api.baseURL.absoluteString, "NOTION_TOKEN": "ntn_good",
      "ARCHIVER_ARCHIVE": home + "/archive",
    ]
    let run = try await Program.run(
      ["run", "--source", "notion", "--quiet", "--allow-host", "127.0.0.1"], home: home,
      environment: environment)
    #expect(run.code <= 1, "\(run.error)")
    #expect(markers.words.count >= 70)
    for word in markers.words {
      let found = try await Program.run(
        ["search", word], home: home, environment: environment)
      #expect(
        found.code == 0 && found.output != "Nothing found.\n", "\(word) is not found")
    }
    let folder = home + "/archive/notion"
    var records = ""
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)/item.json") else {
        continue
      }
      records += String(decoding: data, as: UTF8.self)
    }
    for type in invented + ["sighting", "last_visited_time", "location", "helix"] {
      #expect(records.contains("of the type “\(type)”"), "\(type) is not counted")
    }
  }
}
