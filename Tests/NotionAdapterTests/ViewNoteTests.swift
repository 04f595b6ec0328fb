import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Maps, and views of deleted properties.
struct ViewNoteTests {
  @Test func `a map is a list of its places, with addresses that lead to a map`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase(
      "Trips",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "Where": ["id": "wh", "name": "Where", "type": "place", "place": [:]],
      ])
    let places: [(String, JSONValue)] = [
      (
        "Tower",
        [
          "lat": .number(51.5), "lon": .number(-0.075), "name": "The Tower",
          "address": "London EC3N",
        ]
      ),
      ("Hut", ["lat": .number(46.5), "lon": .number(7.9), "name": "", "address": .null]),
      ("Dream", ["name": "Atlantis"]), ("Nowhere", .null),
    ]
    for (title, place) in places {
      stage.server.addRow(
        table.source,
        [
          "Name": ["id": "title", "type": "title", "title": FakeNotion.richText(title)],
          "Where": ["id": "wh", "type": "place", "place": place],
        ])
    }
    stage.server.addView(
      table.database, source: table.source,
      ["type": "map", "name": "M", "configuration": ["type": "map", "map_by": "wh"]])
    let html = try await stage.item(table.database).html
    #expect(html.contains("A map in Notion"))
    #expect(
      html.contains(
        "<a href=\"https://www.openstreetmap.org/?mlat=51.5&amp;mlon=-0.075\">The Tower, London EC3N</a>"
      ))
    #expect(html.contains(">46.5, 7.9</a>") && html.contains("Atlantis"))
    let nowhere = try #require(html.firstRange(of: "No place"))
    #expect(html[nowhere.upperBound...].contains(">Nowhere</a>"))
    #expect(html.components("The Tower") == 2, "its place stands there once")
  }

  @Test func `a view that groups by what is gone says so`() async throws {
    for type in ["board", "table", "list", "gallery"] {
      let tasks = try DatabaseTests.tasks([
        [
          "name": "V", "type": .string(type),
          "configuration": [
            "type": .string(type), "group_by": ["type": "select", "property_id": "gone"],
          ],
        ]
      ])
      let html = try await tasks.item().html
      #expect(html.contains("Notion's grouping of these rows cannot be read."), "\(type)")
      #expect(html.contains(">Read</a>"), "\(type)")
    }
  }
}
