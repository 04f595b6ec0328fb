import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct ListingTests {
  static let titleColumn: [String: JSONValue] = [
    "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]]
  ]

  private static func titled(_ text: String) -> [String: JSONValue] {
    ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText(text)]]
  }

  @Test func `names pages, databases and rows once each`() async throws {
    let stage = try NotionStage()
    let top = stage.server.addPage("Top")
    let table = stage.server.addDatabase("Table", parent: top, columns: Self.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    let listed = try await stage.list()
    #expect(Set(listed.references.keys) == [top, table.database, row])
    #expect(listed.references[table.database]?.title == "Table")
    #expect(listed.references[row]?.title == "Row")
  }

  @Test func `walks blocks to pages that search does not return`() async throws {
    let stage = try NotionStage()
    let hidden = stage.server.addPage("Hidden")
    let deeper = stage.server.addPage("Deeper", parent: hidden)
    stage.server.edit(
      hidden, blocks: [FakeBlock("child_page", ["title": "Deeper"], id: deeper)],
      at: FakeNotion.quietTime)
    let table = stage.server.addDatabase("Hidden table", columns: Self.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    let top = stage.server.addPage(
      "Top",
      blocks: [
        .text("toggle", "T", [FakeBlock("child_page", ["title": "Hidden"], id: hidden)]),
        FakeBlock("child_database", ["title": "Hidden table"], id: table.database),
      ])
    for id in [hidden, deeper, table.source, row] { stage.server.hide(id) }
    let listed = try await stage.list()
    #expect(Set(listed.references.keys) == [top, hidden, deeper, table.database, row])
  }

  @Test func `discovery by search alone reads no blocks`() async throws {
    var stage = try NotionStage()
    stage.configuration.discovery = "search"
    stage.server.addPage("Top", blocks: [.text("paragraph", "x")])
    _ = try await stage.list()
    #expect(stage.requests("/children") == 0)
  }

  @Test func `keeps to the roots and leaves out what is excluded`() async throws {
    var stage = try NotionStage()
    let root = stage.server.addPage("Root")
    let kept = stage.server.addPage("Kept", parent: root)
    let left = stage.server.addPage("Left", parent: root)
    let below = stage.server.addPage("Below", parent: left)
    let other = stage.server.addPage("Other")
    let table = stage.server.addDatabase("Table", parent: kept, columns: Self.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    stage.configuration.roots = ["https://www.notion.so/Root-\(root)"]
    stage.configuration.excluded = [FakeNotion.dashed(left)]
    let listed = try await stage.list()
    #expect(Set(listed.references.keys) == [root, kept, table.database, row])
    #expect(!listed.references.keys.contains(below) && !listed.references.keys.contains(other))
    #expect(!listed.isComplete)
  }

  @Test func `finds the page around a page that is in a column`() async throws {
    var stage = try NotionStage()
    let child = stage.server.reserveID()
    let block = stage.server.reserveID()
    let root = stage.server.addPage(
      "Root", blocks: [FakeBlock("column_list", [:], [FakeBlock("column", [:], [], id: block)])])
    let page = stage.server.addPage(
      "Inside",
      extra: ["parent": ["type": "block_id", "block_id": .string(FakeNotion.dashed(block))]])
    stage.configuration.roots = [root]
    stage.configuration.discovery = "search"
    let listed = try await stage.list()
    #expect(Set(listed.references.keys) == [root, page])
    #expect(child != page)
  }

  @Test func `says how to share a root that is not shared`() async throws {
    var stage = try NotionStage()
    let root = stage.server.addPage("Root")
    stage.server.unshare(root)
    stage.configuration.roots = [root]
    let error = await #expect(throws: AdapterError.self) { _ = try await stage.list() }
    #expect(error?.code == .unauthorized)
    #expect(
      error?.message
        == "the root \(root) is not shared with the integration: open it in Notion, choose •••, "
        + "Connections, and add the integration")
  }

  @Test func `a wrong token names its setting`() async throws {
    let stage = try NotionStage(token: "ntn_wrong")
    let error = await #expect(throws: AdapterError.self) { _ = try await stage.list() }
    #expect(error?.code == .unauthorized)
    #expect(error?.message.contains("NOTION_TOKEN") == true)
    #expect(error?.message.contains("ntn_wrong") == false)
  }

  @Test func `passes the limit on rows by windows`() async throws {
    let stage = try NotionStage()
    stage.server.behaviour.rowLimit = 250
    let table = stage.server.addDatabase("Big", columns: Self.titleColumn)
    var rows: Set<String> = []
    for index in 0..<1_000 {
      let minute = index / 20
      let time =
        "2026-02-\(10 + minute / 60)T10:\(minute % 60 < 10 ? "0" : "")\(minute % 60):00.000Z"
      let row = stage.server.addRow(
        table.source, Self.titled("Row \(index)"), created: time, edited: time)
      // Search would return them too.
      stage.server.hide(row)
      rows.insert(row)
    }
    let listed = try await stage.list()
    #expect(rows.isSubset(of: Set(listed.references.keys)))
    #expect(listed.references.count == 1_001)
  }

  @Test func `more rows in a minute than a query names are a gap, not a circle`() async throws {
    var stage = try NotionStage()
    stage.server.behaviour.rowLimit = 50
    stage.configuration.discovery = "everything"
    let table = stage.server.addDatabase("Big", columns: Self.titleColumn)
    for index in 0..<200 { stage.server.addRow(table.source, Self.titled("Row \(index)")) }
    let listed = try await stage.list()
    #expect(listed.references.count >= 50)
    #expect(stage.requests("/query") < 20)
  }

  @Test func `an unchanged workspace needs no page request and keeps every revision`() async throws
  {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: Self.titleColumn)
    for index in 0..<30 { stage.server.addRow(table.source, Self.titled("Row \(index)")) }
    for index in 0..<120 { stage.server.addPage("Page \(index)") }
    let first = try await stage.list()
    let before = stage.client.requests.count
    let second = try await stage.list(since: first.checkpoint)
    let paths = stage.client.requests.dropFirst(before).map(\.path)
    #expect(!paths.contains { $0.contains("/pages/") || $0.contains("/children") })
    // One request per hundred of 152 items and ten more, some of them for comments.
    #expect(paths.count <= 11)
    for (id, reference) in second.references {
      #expect(reference.revision == first.references[id]?.revision)
    }
  }

  @Test func `names what changed since a checkpoint`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: Self.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    let page = stage.server.addPage("Page")
    let first = try await stage.list()
    stage.server.edit(page, blocks: [.text("paragraph", "New")], at: "2026-11-21T00:05:00.000Z")
    stage.server.edit(row, blocks: [.text("paragraph", "New")], at: "2026-11-21T00:06:00.000Z")
    stage.clock.advance(3600)
    let second = try await stage.list(since: first.checkpoint)
    #expect(second.references[page]?.revision != first.references[page]?.revision)
    #expect(second.references[row]?.revision != first.references[row]?.revision)
    #expect(
      second.references[table.database]?.revision != first.references[table.database]?.revision)
  }

  @Test func `a page edited in the running minute is looked at again`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page", edited: "2026-11-21T00:00:00.000Z")
    let first = try await stage.list()
    stage.clock.advance(600)
    let second = try await stage.list(since: first.checkpoint)
    stage.clock.advance(600)
    let third = try await stage.list(since: second.checkpoint)
    #expect(first.references[page]?.revision != second.references[page]?.revision)
    #expect(second.references[page]?.revision == third.references[page]?.revision)
  }

  @Test(arguments: [(1_800, true), (1_801, false)])
  func `contents that a listing read are read again after half an hour`(
    seconds: Int, areKept: Bool
  ) async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page", blocks: [.text("paragraph", "Words")])
    stage.clock.advance(3_600)
    let adapter = try stage.adapter()
    var references: [ItemReference] = []
    for try await part in adapter.listing(since: nil) { references += part.references }
    let reference = try #require(references.first { $0.id == page })
    let before = stage.requests("/children")
    stage.clock.advance(Double(seconds))
    let item = try await adapter.item(reference)
    #expect(item.html.contains("Words"))
    #expect(stage.requests("/children") - before == (areKept ? 0 : 1))
  }

  @Test func `distinguishes items in the trash from items not shared`() async throws {
    var stage = try NotionStage()
    stage.configuration.discovery = "everything"
    let kept = stage.server.addPage("Kept")
    let trashed = stage.server.addPage("Trashed")
    let unshared = stage.server.addPage("Unshared")
    stage.server.trash(trashed)
    stage.server.unshare(unshared)
    let listed = try await stage.list()
    #expect(Array(listed.references.keys) == [kept])
    #expect(listed.deleted == [trashed])
    #expect(!listed.isComplete)
    let inTrash = await #expect(throws: AdapterError.self) { _ = try await stage.item(trashed) }
    #expect(inTrash?.code == .notFound)
    #expect(inTrash?.message == "page \(trashed) is in Notion's trash")
    let missing = await #expect(throws: AdapterError.self) { _ = try await stage.item(unshared) }
    #expect(missing?.code == .notFound)
    #expect(missing?.message.contains("not shared") == true)
  }

  @Test func `reports whether an unlisted item is deleted or withheld`() async throws {
    let stage = try NotionStage()
    let there = stage.server.addPage("There")
    let trashed = stage.server.addPage("Trashed")
    let unshared = stage.server.addPage("Unshared")
    let table = stage.server.addDatabase("Table", columns: Self.titleColumn)
    let hidden = stage.server.addDatabase("Hidden", columns: Self.titleColumn)
    stage.server.trash(trashed)
    for id in [unshared, hidden.database, hidden.source] { stage.server.unshare(id) }
    let standings = try await stage.adapter().standings(
      of: [there, trashed, unshared, table.database, hidden.database, "no id"])
    #expect(
      standings == [
        there: .available, trashed: .gone, unshared: .withheld, table.database: .available,
        hidden.database: .withheld,
      ])
  }

  @Test(arguments: ["search", "pages", "everything"])
  func `never takes what it did not name for deleted`(discovery: String) async throws {
    var stage = try NotionStage()
    stage.configuration.discovery = discovery
    let kept = stage.server.addPage("Kept")
    let table = stage.server.addDatabase("Table", columns: Self.titleColumn)
    let unshared = [
      stage.server.addPage("Page"), stage.server.addRow(table.source, Self.titled("R")),
    ]
    #expect(try await stage.list().references.count == 4)
    for id in unshared + [table.database, table.source] { stage.server.unshare(id) }
    let listed = try await stage.list()
    #expect(Array(listed.references.keys) == [kept])
    #expect(listed.deleted.isEmpty && !listed.isComplete)
  }

  @Test func `a pass over everything reads the whole trash, a short one its newest`() async throws {
    let stage = try NotionStage()
    let pages = (0..<2_150).map { stage.server.addPage("Page \($0)") }
    for page in pages { stage.server.trash(page) }
    let whole = try await stage.list()
    #expect(Set(whole.deleted) == Set(pages))
    #expect(try await stage.list(since: whole.checkpoint).deleted.count == 300)
  }

  @Test func `a search whose cursor goes stale still names each page once`()
    async throws
  {
    let stage = try NotionStage()
    let pages = (0..<250).map { stage.server.addPage("Page \($0)") }
    let stale = FakeNotion.error(
      400, "validation_error", "The start_cursor provided is invalid: s:64.")
    stage.server.failNext(stale) {
      $0.path.hasSuffix("/search") && $0.text.contains("s:c8")
    }
    var named: [String] = []
    for try await page in try stage.adapter().listing(since: nil) {
      named += page.references.map(\.id)
    }
    #expect(named.count == pages.count && Set(named) == Set(pages))
    for _ in 0..<10 {
      stage.server.failNext(stale) {
        $0.path.hasSuffix("/search") && $0.text.contains("s:c8")
      }
    }
    // Even if the cursor is refused there, the search from the other end returns the rest.
    let again = try await stage.list()
    #expect(Set(again.references.keys) == Set(pages) && again.gaps.isEmpty)
  }

  @Test func `an edit in the middle of a listing is not lost`() async throws {
    let stage = try NotionStage()
    let pages = (0..<150).map { stage.server.addPage("Page \($0)") }
    let late = stage.server.addPage("Late")
    stage.server.before({ $0.path.hasSuffix("/search") && $0.text.contains("start_cursor") }) {
      stage.server.edit(late, blocks: [.text("paragraph", "x")], at: "2026-11-20T23:59:00.000Z")
    }
    let first = try await stage.list()
    let second = try await stage.list(since: first.checkpoint)
    #expect(Set(first.references.keys).union(second.references.keys).isSuperset(of: pages + [late]))
    #expect(second.references[late]?.revision.hasPrefix("2026-11-20T23:59") == true)
  }

  @Test func `finds the database behind a linked view and shows its rows`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Tasks", columns: Self.titleColumn)
    for number in 0..<1_250 {
      stage.server.addRow(
        table.source,
        [
          "Name": [
            "id": "title", "type": "title", "title": FakeNotion.richText("Task \(number)"),
          ]
        ])
    }
    let link = stage.server.reserveID()
    stage.server.addView(link, source: table.source, ["name": "Open tasks"])
    let page = stage.server.addPage(
      "Page", blocks: [FakeBlock("child_database", ["title": ""], id: link)])
    stage.server.hide(table.source)
    let listed = try await stage.list()
    #expect(listed.references[table.database] != nil)
    let item = try await stage.item(page)
    #expect(
      item.html.contains(
        "<a class=\"n-page\" href=\"https://www.notion.so/\(table.database)\">Tasks</a>"
          + "<span class=\"n-note\"> linked view: Open tasks</span></p><div class=\"n-linked\">"))
    #expect(item.html.contains(">Task 0</a>") && item.html.contains(">Task 999</a>"))
    #expect(!item.html.contains("Task 1100<"))
    #expect(item.html.contains("Further rows are on the database's own page."))
    #expect(item.links.contains(ItemLink(.link, target: table.database)))
  }

  @Test func `a database without tables of its own is a view of another, no item`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Tasks", columns: Self.titleColumn)
    stage.server.addRow(
      table.source,
      ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Task 1")]])
    let link = stage.server.addDatabase("", columns: [:], extra: ["data_sources": []])
    stage.server.hide(link.source)
    stage.server.addView(link.database, source: table.source, ["name": "Open tasks"])
    let page = stage.server.addPage(
      "Page", blocks: [FakeBlock("child_database", ["title": ""], id: link.database)])
    let adapter = try stage.adapter()
    var references: [String: ItemReference] = [:]
    for try await listed in adapter.listing(since: nil) {
      for reference in listed.references { references[reference.id] = reference }
    }
    #expect(references[table.database] != nil && references[link.database] == nil)
    // The second request is like the first: a page is requested again if a file's URL expired.
    for _ in 0..<2 {
      let html = try await adapter.item(try #require(references[page])).html
      #expect(html.contains(" linked view: Open tasks") && html.contains(">Task 1</a>"), "\(html)")
    }
  }
}
