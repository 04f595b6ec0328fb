import ArchiverCore
import ArchiverTestKit
import Synchronization

/// A Notion on loopback whose pages have every type of block and whose databases every type of
/// property and view, with files at an address of their own as Notion's are.
final class NotionWorkspace: Sendable {
  let home: String
  let notion = FakeNotion()
  private let files: LoopbackServer
  private let api: LoopbackServer

  /// Starts it, archives it and hands out the archive, which is removed afterwards.
  static func archived(_ body: (_ workspace: NotionWorkspace) async throws -> Void) async throws {
    try await TemporaryFolder.with("notion-show") { home in
      let workspace = try NotionWorkspace(home)
      defer {
        workspace.api.stop()
        workspace.files.stop()
      }
      let run = try await Program.run(
        ["run", "--source", "notion", "--quiet", "--allow-host", "127.0.0.1"], home: home,
        environment: [
          "NOTION_API_URL": workspace.api.baseURL.absoluteString, "NOTION_TOKEN": "ntn_good",
          "ARCHIVER_ARCHIVE": home + "/archive",
        ])
      guard run.code == 0 else { throw ChildProcess.Failure(run.error + run.output) }
      try await body(workspace)
    }
  }

  private init(_ home: String) throws {
    self.home = home
    let notion = notion
    files = try LoopbackServer(handler: { notion.handle($0) })
    let address = files.baseURL.absoluteString
    let base = address.hasSuffix("/") ? String(address.dropLast()) : address
    api = try LoopbackServer(handler: { request in
      var answer = notion.handle(request)
      if case .bytes(let bytes) = answer.body {
        let text = String(decoding: bytes, as: UTF8.self)
        answer.body = .bytes(Array(text.replacing(FakeNotion.fileAddress, with: base).utf8))
      }
      return answer
    })
    let folder = home + "/config/archiver"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("{ sources: { notion: { requestsPerSecond: 100 } } }".utf8)
      .write(to: URL(filePath: folder + "/config.json5"))
    addFiles()
    let tasks = addTasks()
    addProperties(relatedTo: tasks.rows[0])
    addEveryBlock(tasks)
    addPlans()
  }

  /// The folder of the bundle whose page has a title.
  func bundle(_ title: String) throws -> String {
    let folder = home + "/archive/notion"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let page = try Data(contentsOf: URL(filePath: "\(folder)/\(name)/index.html"))
      if String(decoding: page, as: UTF8.self).contains("<h1 dir=\"auto\">\(title)</h1>") {
        return "\(folder)/\(name)"
      }
    }
    throw ChildProcess.Failure("there is no page \(title)")
  }

  private func addFiles() {
    for (name, hue) in [("cover", 210), ("one", 20), ("two", 130), ("three", 290)] {
      let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" viewBox="0 0 1200 600">\
        <rect width="1200" height="600" fill="hsl(\(hue),45%,62%)"/>\
        <circle cx="860" cy="210" r="120" fill="hsl(\(hue),60%,82%)"/>\
        <path d="M0 600L420 260L760 600Z" fill="hsl(\(hue),40%,40%)"/></svg>
        """
      notion.addFile("ws/\(name).svg", Array(drawing.utf8))
    }
    notion.addFile("ws/icon.gif", Stage.gif("icon"))
    notion.addFile("ws/tone.wav", NotionWorkspace.silence)
    notion.addFile("ws/film.mp4", Array("\0\0\0\u{18}ftypisom\0\0\u{2}\0isomiso2".utf8))
    notion.addFile("ws/paper.pdf", Array("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n".utf8))
    notion.addFile("ws/data.zip", [0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 18))
  }

  /// A second of silence as a WAV file.
  private static let silence: [UInt8] = {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 0xFF) } }
    let count = 8_000
    return Array("RIFF".utf8) + number(36 + count) + Array("WAVEfmt ".utf8) + number(16)
      + [1, 0, 1, 0] + number(count) + number(count) + [1, 0, 8, 0] + Array("data".utf8)
      + number(count) + Array(repeating: 128, count: count)
  }()
}

extension NotionWorkspace {
  struct Tasks {
    let database: String
    let source: String
    let rows: [String]
  }

  /// A database of twelve rows as a table, board, gallery, list and calendar.
  private func addTasks() -> Tasks {
    let options = [("To do", "gray"), ("Doing", "blue"), ("Done", "green")]
    let table = notion.addDatabase(
      "Tasks",
      columns: [
        "Task": ["id": "title", "name": "Task", "type": "title", "title": [:]],
        "State": [
          "id": "st", "name": "State", "type": "status",
          "status": [
            "options": .array(
              options.map { ["name": .string($0.0), "color": .string($0.1)] })
          ],
        ],
        "Cost": ["id": "co", "name": "Cost", "type": "number", "number": ["format": "euro"]],
        "Due": ["id": "du", "name": "Due", "type": "date", "date": [:]],
      ])
    let names = [
      "Walls", "attic", "Élan", "Roof", "Zinc gutters", "Garden", "Hall", "Door", "Kiln", "Lamp",
      "Oven", "Pump",
    ]
    let costs = [900, 12, 1_500, 70, 8, 20_000, 300, 45, 5, 1_100, 260, 33]
    let rows = names.indices.map { index in
      let (state, color) = options[index % 3]
      let drawing = ["one", "two", "three"][index % 3]
      return notion.addRow(
        table.source,
        [
          "Task": ["id": "title", "type": "title", "title": FakeNotion.richText(names[index])],
          "State": [
            "id": "st", "type": "status",
            "status": ["name": .string(state), "color": .string(color)],
          ],
          "Cost": ["id": "co", "type": "number", "number": .integer(costs[index])],
          "Due": [
            "id": "du", "type": "date",
            "date": index == 7
              ? .null : ["start": .string("2026-0\(index % 2 + 3)-\(10 + index)"), "end": .null],
          ],
        ], created: "2026-01-01T00:\(10 + index):00.000Z",
        blocks: [.text("paragraph", "All about this task.")],
        extra: [
          "cover": index % 4 == 3 ? .null : FakeNotion.file("ws/\(drawing).svg"),
          "icon": ["type": "emoji", "emoji": .string(["🔨", "🪟", "🏡"][index % 3])],
        ])
    }
    let shown: JSONValue = .array(
      ["st", "co", "du"].map { ["property_id": .string($0), "visible": true] })
    for (name, more) in [
      ("Table", [:]), ("Board", ["group_by": ["type": "status", "property_id": "st"]]),
      ("Gallery", ["cover": ["type": "page_cover"]]), ("List", [:]),
      ("Calendar", ["date_property_id": "du"]),
    ] as [(String, [String: JSONValue])] {
      let type = JSONValue.string(name.lowercased())
      notion.addView(
        table.database, source: table.source,
        [
          "name": .string(name), "type": type,
          "configuration": .object(["type": type, "properties": shown].merging(more) { $1 }),
        ])
    }
    return Tasks(database: table.database, source: table.source, rows: rows)
  }

  /// A database with a column of each type of property.
  private func addProperties(relatedTo row: String) {
    let ada = notion.addUser("Ada Lovelace")
    let user: JSONValue = ["object": "user", "id": .string(FakeNotion.dashed(ada))]
    let words = "A few words, more than fit into a narrow column of a table"
    let values: [(String, JSONValue)] = [
      ("title", FakeNotion.richText("Everything")), ("rich_text", FakeNotion.richText(words)),
      ("number", .number(1_234.5)), ("select", ["name": "High", "color": "red"]),
      ("status", ["name": "Done", "color": "green"]),
      (
        "multi_select",
        .array(
          ["gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red"].map {
            ["name": .string($0), "color": .string($0)]
          })
      ),
      ("date", ["start": "2026-03-01", "end": "2026-03-05"]), ("people", [user]),
      ("files", [FakeNotion.file("ws/one.svg"), FakeNotion.file("ws/paper.pdf")]),
      ("checkbox", true), ("url", "https://example.org/a/rather/long/address/of/a/page"),
      ("email", "ada@example.org"), ("phone_number", "+44 20 7946 0000"),
      ("formula", ["type": "string", "string": "3 of 4"]),
      ("relation", [["id": .string(FakeNotion.dashed(row))]]),
      ("rollup", ["type": "number", "number": 42, "function": "sum"]),
      ("created_time", "2026-01-02T03:04:00.000Z"),
      ("last_edited_time", "2026-02-03T04:05:00.000Z"),
      ("created_by", user), ("last_edited_by", user),
      ("unique_id", ["prefix": "T", "number": 7]),
      (
        "verification",
        ["state": "verified", "verified_by": user, "date": ["start": "2026-01-02", "end": .null]]
      ), ("button", [:]),
      (
        "place",
        [
          "lat": .number(51.5), "lon": .number(-0.1), "name": "Analytical Society",
          "address": "London",
        ]
      ),
    ]
    var columns: [String: JSONValue] = [:]
    var row: [String: JSONValue] = [:]
    for (number, (type, value)) in values.enumerated() {
      let name = number == 0 ? "Name" : type.split(separator: "_").joined(separator: " ")
      let id: JSONValue = number == 0 ? "title" : .string("p\(number)")
      columns[name] = .object(["id": id, "name": .string(name), "type": .string(type), type: [:]])
      row[name] = .object(["id": id, "type": .string(type), type: value])
    }
    let table = notion.addDatabase("Properties", columns: columns)
    notion.addRow(table.source, row, extra: ["cover": FakeNotion.file("ws/cover.svg")])
    notion.addRow(
      table.source,
      ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Nothing")]])
  }
}
