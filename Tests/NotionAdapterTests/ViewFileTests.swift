import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Files of rows lead to copies wherever a database is shown.
struct ViewFileTests {
  private static let columns: [String: JSONValue] = [
    "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
    "Paper": ["id": "f", "name": "Paper", "type": "files", "files": [:]],
    "State": [
      "id": "s", "name": "State", "type": "select",
      "select": ["options": [["name": "Open", "color": "blue"]]],
    ],
  ]

  /// A database with rows that have a file each, the same shown by a page, and views of every layout.
  private static func stage(rows: Int) throws -> (
    stage: NotionStage, database: String, pages: [String]
  ) {
    let stage = try NotionStage()
    let inside = stage.server.addPage("Inside")
    let table = stage.server.addDatabase(
      "Papers", parent: inside, columns: columns, extra: ["is_inline": true])
    for layout in ["table", "board", "gallery", "list", "calendar"] {
      var configuration: [String: JSONValue] = ["type": .string(layout)]
      if layout == "board" { configuration["group_by"] = ["type": "select", "property_id": "s"] }
      stage.server.addView(
        table.database, source: table.source,
        [
          "type": .string(layout), "name": .string(layout),
          "configuration": .object(configuration),
        ])
    }
    for number in 0..<rows {
      stage.server.addRow(
        table.source,
        [
          "Name": [
            "id": "title", "type": "title", "title": FakeNotion.richText("Row \(number)"),
          ],
          "Paper": ["id": "f", "type": "files", "files": [FakeNotion.file("paper-\(number).pdf")]],
          "State": ["id": "s", "type": "select", "select": ["name": "Open", "color": "blue"]],
        ])
    }
    stage.server.edit(
      inside, blocks: [FakeBlock("child_database", ["title": "Papers"], id: table.database)],
      at: FakeNotion.quietTime)
    let link = stage.server.reserveID()
    stage.server.addView(link, source: table.source, ["name": "Linked"])
    let linked = stage.server.addPage(
      "Linked", blocks: [FakeBlock("child_database", ["title": ""], id: link)])
    return (stage, table.database, [inside, linked])
  }

  /// Returns the URLs of the files beside an item.
  private static func files(_ item: SourceItem) -> Set<String> {
    Set(
      item.attachments.compactMap { attachment in
        guard attachment.role == .file, case .remote(let url) = attachment.location else {
          return nil
        }
        return url.absoluteString
      })
  }

  /// The addresses of links with a word in them.
  private static func links(_ item: SourceItem, _ word: String) -> [String] {
    item.html.split(separator: "<a ").filter { $0.contains(word) }.compactMap { link in
      link.split(separator: "href=\"").last?.split(separator: "\"").first.map {
        String($0).replacing("&amp;", with: "&")
      }
    }
  }

  @Test func `each view of a database leads to files that are kept with it`() async throws {
    let (stage, database, pages) = try Self.stage(rows: 3)
    for id in [database] + pages {
      let item = try await stage.item(id)
      let files = Self.files(item)
      #expect(files.count == 3)
      for number in 0..<3 {
        let links = Self.links(item, "paper-\(number).pdf")
        #expect(!links.isEmpty && files.isSuperset(of: links), "\(item.metadata.title): \(links)")
      }
    }
    #expect(Self.links(try await stage.item(database), "paper-0.pdf").count == 5)
  }

  @Test func `a board with lanes has its columns in each of them`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase(
      "Board",
      columns: Self.columns.merging([
        "Team": [
          "id": "t", "name": "Team", "type": "select",
          "select": [
            "options": [["name": "Blue", "color": "blue"], ["name": "Red", "color": "red"]]
          ],
        ]
      ]) { $1 })
    stage.server.addView(
      table.database, source: table.source,
      [
        "type": "board",
        "configuration": [
          "type": "board", "group_by": ["type": "select", "property_id": "s"],
          "sub_group_by": ["type": "select", "property_id": "t"],
        ],
      ])
    for (number, team) in ["Blue", "Red", "Red"].enumerated() {
      stage.server.addRow(
        table.source,
        [
          "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row \(number)")],
          "State": ["id": "s", "type": "select", "select": ["name": "Open", "color": "blue"]],
          "Team": [
            "id": "t", "type": "select", "select": ["name": .string(team), "color": "red"],
          ],
        ])
    }
    let html = try await stage.item(table.database).html
    let lanes = html.split(separator: "<h3 class=\"n-group-title\">").dropFirst()
    #expect(lanes.count == 2)
    #expect(lanes.first?.contains(">Blue<") == true && lanes.last?.contains(">Red<") == true)
    #expect(lanes.allSatisfy { $0.contains("<div class=\"n-board\">") && $0.contains(">Open<") })
    #expect(lanes.first?.contains("Row 0") == true && lanes.last?.contains("Row 2") == true)
    #expect(lanes.first?.contains("Row 1") == false)
  }

  @Test func `files of further rows lead to the rows that have them`() async throws {
    let count = FileCollector.rowLimit + 5
    let (stage, database, _) = try Self.stage(rows: count)
    let item = try await stage.item(database)
    let files = Self.files(item)
    #expect(files.count == FileCollector.rowLimit)
    let last = Self.links(item, "paper-\(count - 1).pdf")
    #expect(!last.isEmpty)
    for link in last {
      #expect(link.hasPrefix("https://www.notion.so/") && !link.contains("Amz"))
    }
    let row = try #require(last.first.flatMap { NotionAddress($0)?.page })
    #expect(Self.files(try await stage.item(row.hex)).count == 1)
  }

  @Test func `only hosts that keep nothing but files of Notion are its own`() {
    let hosts = NotionAdapter.properties.ownHosts
    #expect(hosts.contains("prod-files-secure.s3.us-west-2.amazonaws.com"))
    #expect(hosts.contains("file.notion.so"))
    #expect(!hosts.contains("s3.us-west-2.amazonaws.com") && !hosts.contains("www.notion.so"))
  }

  @Test func `an address of a file at Notion is no address of a page`() throws {
    let id = "0123456789abcdef0123456789abcdef"
    let file = "https://file.notion.so/f/f/\(id)/\(id)/paper.pdf?id=\(id)"
    #expect(NotionAddress(file) == nil)
    #expect(NotionAddress("https://www.notion.so/\(id)") != nil)
    #expect(RichTextRenderer.address(file) == file)
    #expect(NotionAdapter.properties.linkForm?(try #require(WebURL(file))) == nil)
  }

  @Test func `tables and records name files by where they lie`() async throws {
    let (stage, database, _) = try Self.stage(rows: 1)
    let item = try await stage.item(database)
    let address = "archived-file:\(FakeNotion.fileAddress)/files/paper-0.pdf"
    #expect(item.inline("database.csv")?.contains("paper-0.pdf (\(address))") == true)
    #expect(item.inline("database.json")?.contains("\"archived\":\"\(address)\"") == true)
  }
}
