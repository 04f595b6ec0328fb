import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// The number of requests of a run without changes: one per hundred items and ten more.
/// Sizes are small by default and grow with `ARCHIVER_SCALE=full`.
@Suite(.serialized) struct CeilingTests {
  private static let isFull = getenv("ARCHIVER_SCALE").map { String(cString: $0) } == "full"

  private static func titled(_ text: String) -> [String: JSONValue] {
    ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText(text)]]
  }

  /// Lists since a checkpoint, a day later, and returns the number of requests.
  private static func night(
    _ stage: NotionStage, _ checkpoint: Checkpoint?
  ) async throws -> (listed: NotionStage.Listed, cost: Int) {
    stage.clock.advance(86_400)
    let before = stage.client.requests.count
    let listed = try await stage.list(since: checkpoint)
    return (listed, stage.client.requests.count - before)
  }

  @Test func `an unchanged workspace needs one request per hundred items and ten more`()
    async throws
  {
    let size = Self.isFull ? 1 : 10
    for (pages, databases, rows) in [(300, 1, 12_000), (100, 80, 20), (2_000, 0, 0), (3, 2, 5)] {
      let stage = try NotionStage()
      let top = stage.server.addPage("Top")
      for number in 1..<max(2, pages / size) { stage.server.addPage("Page \(number)", parent: top) }
      for number in 0..<databases {
        let table = stage.server.addDatabase(
          "Table \(number)", parent: top, columns: ListingTests.titleColumn)
        for row in 0..<max(1, rows / size) {
          stage.server.addRow(table.source, Self.titled("Row \(row)"))
        }
      }
      var checkpoint = try await stage.list().checkpoint
      for _ in 0..<3 {
        let (listed, cost) = try await Self.night(stage, checkpoint)
        let items = max(2, pages / size) + databases * (1 + max(1, rows / size))
        #expect(cost <= items / 100 + 10, "\(pages) pages, \(databases) databases, \(rows) rows")
        checkpoint = listed.checkpoint
      }
    }
  }

  @Test func `tables queried because of late edits count against the ceiling`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    for number in 0..<8 { stage.server.addPage("Page \(number)") }
    let late = UTCTime.text(stage.clock.clock.now().addingTimeInterval(-600))
    for _ in 0..<3 {
      stage.server.addRow(table.source, Self.titled("Row"), created: late, edited: late)
    }
    var checkpoint = try await stage.list().checkpoint
    for _ in 0..<3 {
      let (listed, cost) = try await Self.night(stage, checkpoint)
      #expect(cost <= 10)
      checkpoint = listed.checkpoint
    }
  }

  @Test func `every one of many databases has its turn`() async throws {
    let stage = try NotionStage()
    let tables = (0..<40).map {
      stage.server.addDatabase("Table \($0)", columns: ListingTests.titleColumn)
    }
    for table in tables { stage.server.addRow(table.source, Self.titled("Row")) }
    var checkpoint = try await stage.list().checkpoint
    // A row that search never returns.
    let late = "2026-11-22T10:00:00.000Z"
    let row = stage.server.addRow(
      tables[33].source, Self.titled("Late"), created: late, edited: late)
    stage.server.hide(row)
    var found = 0
    for night in 1...30 where found == 0 {
      let (listed, cost) = try await Self.night(stage, checkpoint)
      #expect(cost <= 12)
      if listed.references[row] != nil { found = night }
      checkpoint = listed.checkpoint
    }
    #expect(found > 0)
  }

  @Test func `a change in one of many databases is seen at once`() async throws {
    let stage = try NotionStage()
    let tables = (0..<40).map {
      stage.server.addDatabase("Table \($0)", columns: ListingTests.titleColumn)
    }
    let rows = tables.map { stage.server.addRow($0.source, Self.titled("Row")) }
    let first = try await stage.list()
    stage.server.edit(
      rows[35], blocks: [.text("paragraph", "New")], at: "2026-11-21T10:00:00.000Z")
    stage.server.trash(rows[36])
    let (second, _) = try await Self.night(stage, first.checkpoint)
    for index in [35, 36] {
      let database = tables[index].database
      #expect(second.references[database] != nil)
      #expect(second.references[database]?.revision != first.references[database]?.revision)
    }
    #expect(second.deleted == [rows[36]])
  }

  @Test func `a small root beside many pages needs few requests`() async throws {
    var stage = try NotionStage()
    let count = Self.isFull ? 3_000 : 2_000
    let root = stage.server.addPage("Root")
    let inside = (0..<5).map { stage.server.addPage("Inside \($0)", parent: root) }
    let table = stage.server.addDatabase(
      "Table", parent: root, columns: ListingTests.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    let column = stage.server.reserveID()
    let other = stage.server.addPage(
      "Other", blocks: [FakeBlock("column_list", [:], [FakeBlock("column", [:], [], id: column)])])
    for number in 0..<count {
      let above: JSONValue = [
        "type": "block_id", "block_id": .string(FakeNotion.dashed(column)),
      ]
      stage.server.addPage(
        "Page \(number)", parent: other, extra: number % 2 == 0 ? ["parent": above] : [:])
    }
    stage.configuration.roots = [root]
    let first = try await stage.list()
    #expect(Set(first.references.keys) == Set(inside + [root, table.database, row]))
    stage.server.edit(
      inside[3], blocks: [.text("paragraph", "New")], at: "2026-11-21T10:00:00.000Z")
    stage.server.edit(row, blocks: [.text("paragraph", "New")], at: "2026-11-21T10:00:00.000Z")
    let (second, cost) = try await Self.night(stage, first.checkpoint)
    #expect(cost <= 14)
    for id in [inside[3], row, table.database] {
      #expect(second.references[id]?.revision != first.references[id]?.revision)
      #expect(second.references[id] != nil)
    }
    let (third, quiet) = try await Self.night(stage, second.checkpoint)
    #expect(quiet <= 10)
    #expect(third.gaps.isEmpty)
    #expect(Set(third.references.keys).isSubset(of: first.references.keys))
  }

  @Test func `every edit is noticed although search returns few pages`() async throws {
    let stage = try NotionStage()
    let count = Self.isFull ? 10_000 : 1_000
    let top = stage.server.addPage("Top")
    var pages = [top]
    // A tree: every page but the first 3 in 100 is known only from the page above it.
    for number in 1..<count {
      let page = stage.server.addPage("Page \(number)", parent: pages[(number - 1) / 20])
      if number > count * 3 / 100 { stage.server.hide(page) }
      pages.append(page)
    }
    for index in 0...((count - 2) / 20) {
      let below = pages[(index * 20 + 1)..<min(count, index * 20 + 21)]
      stage.server.edit(
        pages[index], blocks: below.map { FakeBlock("child_page", ["title": "Page"], id: $0) },
        at: FakeNotion.quietTime)
    }
    let first = try await stage.list()
    #expect(Set(first.references.keys) == Set(pages))
    #expect(first.gaps.isEmpty)
    // A full listing reads each page and its blocks.
    #expect(stage.client.requests.count <= count * 2 + count / 100 + 10)
    let edits = [pages[count / 2], pages[count - 1], pages[count / 25]]
    let time = "2026-11-21T10:00:00.000Z"
    for page in edits {
      stage.server.edit(page, blocks: [.text("paragraph", "New")], at: time)
    }
    let whole = try await stage.list()
    #expect(edits.allSatisfy { whole.references[$0]?.revision.hasPrefix(time) == true })
    // Without a full listing: three quarters of the requests of a night, one per hundred items, are
    // for pages that search omits.
    let limit = 130
    var checkpoint = first.checkpoint
    var noticed: Set<String> = []
    var nights = 0
    while noticed.count < edits.count, nights < limit {
      let (listed, cost) = try await Self.night(stage, checkpoint)
      let new = edits.filter { listed.references[$0] != nil && noticed.insert($0).inserted }
      // Changed pages are read in addition.
      #expect(cost <= count / 100 + 10 + new.count)
      checkpoint = listed.checkpoint
      nights += 1
    }
    #expect(noticed == Set(edits))
    print("\(count) pages: every edit noticed after \(nights) nights")
  }

  @Test func `relations to pages that are not shared cost few requests`() async throws {
    let stage = try NotionStage()
    stage.server.behaviour.referenceLimit = 200
    let hidden = (0..<130).map { stage.server.addPage("Secret \($0)") }
    for page in hidden { stage.server.unshare(page) }
    let table = stage.server.addDatabase(
      "Table",
      columns: ListingTests.titleColumn.merging(
        ["To": ["id": "to", "name": "To", "type": "relation", "relation": [:]]]) { $1 })
    let row = stage.server.addRow(
      table.source,
      Self.titled("Row").merging(
        [
          "To": [
            "id": "to", "type": "relation",
            "relation": .array(hidden.map { ["id": .string(FakeNotion.dashed($0))] }),
          ]
        ]) { $1 })
    let before = stage.client.requests.count
    let item = try await stage.item(row)
    #expect(stage.client.requests.count - before <= 40)
    #expect(item.html.components("(not shared)") == 131)
    #expect(!item.html.contains("Untitled"))
  }
}
