import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// What Notion has of an item and did not return is reported as a missing part.
struct MissingPartTests {
  private static let broken = FakeNotion.error(500, "internal_server_error", "Sorry")
  private static let forbidden = FakeNotion.error(403, "restricted_resource", "No")

  /// A table with one row that has 40 people and relates to 40 pages.
  private static func table(_ server: FakeNotion) -> (database: String, row: String) {
    let pages = (0..<40).map { server.addPage("Target \($0)") }
    let people = (0..<40).map { server.addUser("Person \($0)") }
    let table = server.addDatabase(
      "Table",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "To": ["id": "to", "name": "To", "type": "relation", "relation": [:]],
        "Who": ["id": "who", "name": "Who", "type": "people", "people": [:]],
      ])
    let row = server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "To": [
          "id": "to", "type": "relation",
          "relation": .array(pages.map { ["id": .string(FakeNotion.dashed($0))] }),
        ],
        "Who": [
          "id": "who", "type": "people",
          "people": .array(
            people.map { ["object": "user", "id": .string(FakeNotion.dashed($0))] }),
        ],
      ])
    return (table.database, row)
  }

  @Test func `a property whose rest cannot be read is a missing part of row and table`()
    async throws
  {
    for (response, isPermanent) in [(Self.broken, false), (Self.forbidden, true)] {
      let stage = try NotionStage { $0.path.contains("/properties/to") ? response : nil }
      let (database, row) = Self.table(stage.server)
      for id in [row, database] {
        let item = try await stage.item(id)
        #expect(item.missing.map(\.kind) == [.record])
        #expect(item.missing.first?.name.contains("“To”") == true)
        #expect(item.missing.first?.isEssential == true)
        #expect(item.missing.first?.isPermanent == isPermanent)
        #expect(item.html.contains("Target 24") && !item.html.contains("Target 25"))
      }
    }
  }

  @Test func `tables and their files name all people and all targets of relations`() async throws {
    let stage = try NotionStage()
    let (database, row) = Self.table(stage.server)
    for id in [row, database] {
      let item = try await stage.item(id)
      #expect(item.html.contains("Person 39") && item.html.contains("Target 39"))
      #expect(item.missing.isEmpty)
    }
    let csv = try #require(try await stage.item(database).inline("database.csv"))
    #expect(csv.contains("Person 39") && csv.contains("Target 39"))
  }

  @Test func `an object that is neither block nor row is a missing part`() async throws {
    let server = FakeNotion()
    let (database, _) = Self.table(server)
    let page = server.addPage("Page", blocks: [.text("paragraph", "Words")])
    let stage = try NotionStage(server) { request in
      guard request.path.hasSuffix("/query") || request.path.hasSuffix("/children"),
        case .bytes(let bytes) = server.handle(request).body
      else { return nil }
      return .json(
        String(decoding: bytes, as: UTF8.self).replacing("\"results\":[", with: "\"results\":[7,"))
    }
    for id in [page, database] {
      let item = try await stage.item(id)
      #expect(item.missing.map(\.kind) == [.children] && item.missing.first?.isEssential == true)
      #expect(item.html.contains(id == page ? "Words" : "Person 1"))
    }
    let listed = try await stage.list()
    #expect(listed.gaps.contains { $0.isEssential && $0.message.contains("without a type") })
  }

  @Test func `names of people that cannot be read are a part that is not essential`() async throws {
    let stage = try NotionStage { $0.path.hasSuffix("/users") ? Self.broken : nil }
    let page = stage.server.addPage("Page")
    let adapter = try stage.adapter()
    for _ in 0..<10 {
      let item = try await adapter.item(ItemReference(id: page, revision: ""))
      #expect(item.missing.map(\.kind) == [.record])
      #expect(item.missing.first?.name == "names of people")
      #expect(item.missing.first?.isEssential == false)
    }
    #expect(stage.requests("/users") == 3)
  }

  @Test func `items fetched at the same time ask for the people once`() async throws {
    let stage = try NotionStage()
    for number in 0..<3 { _ = stage.server.addUser("Person \(number)") }
    let pages = (0..<12).map { stage.server.addPage("Page \($0)") }
    let adapter = try stage.adapter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for page in pages {
        group.addTask { _ = try await adapter.item(ItemReference(id: page, revision: "")) }
      }
      try await group.waitForAll()
    }
    #expect(stage.requests("/users") == 1)
  }

  @Test func `names of people that the integration may not read are no missing part`() async throws
  {
    let stage = try NotionStage()
    stage.server.behaviour.mayReadUsers = false
    let page = stage.server.addPage("Page")
    #expect(try await stage.item(page).missing.isEmpty)
  }

  @Test func `views that cannot be read are parts that are not essential`() async throws {
    let server = FakeNotion()
    let (database, _) = Self.table(server)
    let source = try #require(
      server.handle(
        ServerRequest(
          method: "GET", target: "/v1/databases/\(database)",
          headers: ["Authorization": "Bearer ntn_good", "Notion-Version": "2026-03-11"])
      ).json["data_sources"]?.array?.first?["id"]?.string)
    let views = ["Kept", "Broken"].map {
      server.addView(database, source: source.filter { $0 != "-" }, ["name": .string($0)])
    }
    for path in ["/views", "/views/\(FakeNotion.dashed(views[1]))"] {
      let stage = try NotionStage(server) { $0.path.hasSuffix(path) ? Self.broken : nil }
      let item = try await stage.item(database)
      #expect(item.missing.map(\.kind) == [.record])
      #expect(item.missing.first?.name.contains("view") == true)
      #expect(item.missing.first?.isEssential == false)
      #expect(item.missing.first?.isPermanent == false)
      #expect(
        item.html.contains("Person 1") && item.html.contains(path == "/views" ? "Row" : "Kept"))
    }
  }
}

extension ServerResponse {
  /// The body as JSON; null if it is not JSON.
  fileprivate var json: JSONValue {
    guard case .bytes(let bytes) = body else { return .null }
    return (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))) ?? .null
  }
}
