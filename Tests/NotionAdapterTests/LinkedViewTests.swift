import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// A page's view of a database on another page.
struct LinkedViewTests {
  private static func stage(rows: Int) throws -> (NotionStage, source: String, rows: [String]) {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Tasks", columns: ListingTests.titleColumn)
    let rows = (0..<rows).map { number in
      stage.server.addRow(
        table.source,
        [
          "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Task \(number)")]
        ])
    }
    return (stage, table.source, rows)
  }

  private static func page(
    _ stage: NotionStage, _ source: String, _ view: [String: JSONValue], rows: [String]?
  ) -> String {
    let link = stage.server.reserveID()
    stage.server.addView(link, source: source, view, rows: rows)
    return stage.server.addPage(
      "Page", blocks: [FakeBlock("child_database", ["title": ""], id: link)])
  }

  @Test func `a filtered view shows its rows and no others, however far down they are`()
    async throws
  {
    let (stage, source, rows) = try Self.stage(rows: 1_250)
    let page = Self.page(
      stage, source, ["name": "Mine", "filter": ["property": "Name"]], rows: [rows[1_200], rows[3]])
    let html = try await stage.html(page)
    let first = try #require(html.firstRange(of: ">Task 1200</a>"))
    let second = try #require(html.firstRange(of: ">Task 3</a>"))
    #expect(first.lowerBound < second.lowerBound)
    #expect(!html.contains(">Task 5</a>") && html.components("<h2") == 2)
    #expect(!html.contains("Further rows"))
  }

  @Test func `a view that filters everything out asks for no row`() async throws {
    let (stage, source, _) = try Self.stage(rows: 30)
    let page = Self.page(
      stage, source, ["name": "Mine", "filter": ["property": "Name"]], rows: [])
    let html = try await stage.html(page)
    #expect(html.contains("No rows.") && !html.contains(">Task 0<"))
    #expect(stage.requests("/query") == 0)
  }

  @Test func `a view of more than is fetched one by one says that there is more`() async throws {
    let (stage, source, rows) = try Self.stage(rows: 1_250)
    let page = Self.page(
      stage, source, ["name": "Newest", "sorts": [["property": "Name"]]],
      rows: Array(rows.reversed()))
    let html = try await stage.html(page)
    #expect(html.contains(">Task 1249</a>") && html.contains(">Task 0</a>"))
    #expect(html.contains("Further rows are on the database's own page."))
  }
}
