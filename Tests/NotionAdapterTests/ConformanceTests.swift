import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct NotionConformanceTests {
  @Test(arguments: ["search", "pages", "everything"])
  func `keeps the contract of adapters`(discovery: String) async throws {
    var stage = try NotionStage()
    stage.configuration.discovery = discovery
    let top = stage.server.addPage("Top", blocks: [.text("paragraph", "Words")])
    let gone = stage.server.addPage("Gone")
    let column: JSONValue = ["id": "title", "name": "Name", "type": "title", "title": [:]]
    let table = stage.server.addDatabase("Table", parent: top, columns: ["Name": column])
    for index in 0..<3 {
      stage.server.addRow(
        table.source,
        ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row \(index)")]])
    }
    stage.server.trash(gone)
    let configuration = stage.configuration
    let clock = stage.clock.clock
    let subject = AdapterConformance<NotionAdapter>.Subject(
      client: stage.client, refusedClient: try stage.server.client(token: "ntn_wrong"),
      secret: Secret("ntn_good"), gone: ItemReference(id: gone, revision: ""))
    let conformance = AdapterConformance<NotionAdapter>(subject) { client in
      try NotionAdapter(
        configuration: configuration,
        context: AdapterContext(name: "notion", http: client, clock: clock))
    }
    #expect(await conformance.violations() == [])
  }
}
