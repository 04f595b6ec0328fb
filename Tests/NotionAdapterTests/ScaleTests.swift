import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Large workspaces; sizes are small by default and grow with `ARCHIVER_SCALE=full`.
@Suite(.serialized) struct ScaleTests {
  private static let isFull = getenv("ARCHIVER_SCALE").map { String(cString: $0) } == "full"

  private static func title(_ words: String) -> [String: JSONValue] {
    [
      "Name": ["id": "title", "type": "title", "title": FakeNotion.richText(words)],
      "Points": ["id": "p", "type": "number", "number": 3],
      "State": ["id": "s", "type": "select", "select": ["name": "Open", "color": "blue"]],
      "Note": [
        "id": "n", "type": "rich_text", "rich_text": FakeNotion.richText("A few words of text"),
      ],
    ]
  }

  private static func time(_ index: Int) -> String {
    let minute = index % 60, hour = index / 60 % 24, day = index / 1440 + 1
    let two = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
    return "2026-01-\(two(day))T\(two(hour)):\(two(minute)):00.000Z"
  }

  @Test func `a workspace with a large database arrives whole and costs little the second time`()
    async throws
  {
    let pageCount = Self.isFull ? 2_000 : 200
    let rowCount = Self.isFull ? 12_000 : 1_200
    let stage = try NotionStage()
    stage.server.behaviour.rowLimit = Self.isFull ? 10_000 : 1_000
    let top = stage.server.addPage("Top")
    for index in 0..<pageCount - 1 {
      stage.server.addPage(
        "Page \(index)", parent: top, edited: Self.time(index),
        blocks: (0..<10).map { .text("paragraph", "Paragraph \($0) of page \(index)") })
    }
    let table = stage.server.addDatabase(
      "Big",
      columns: [
        "Name": ["id": "title", "name": "Name", "type": "title", "title": [:]],
        "Points": ["id": "p", "name": "Points", "type": "number", "number": ["format": "number"]],
        "State": ["id": "s", "name": "State", "type": "select", "select": ["options": []]],
        "Note": ["id": "n", "name": "Note", "type": "rich_text", "rich_text": [:]],
      ])
    for index in 0..<rowCount {
      stage.server.addRow(
        table.source, Self.title("Row \(index)"), created: Self.time(index / 10),
        edited: Self.time(index / 10), blocks: [.text("paragraph", "Row \(index)")])
    }
    let clock = ContinuousClock()
    var start = clock.now
    let adapter = try stage.adapter()
    var references: [String: ItemReference] = [:]
    var checkpoint: Checkpoint?
    for try await page in adapter.listing(since: nil) {
      for reference in page.references { references[reference.id] = reference }
      checkpoint = page.checkpoint ?? checkpoint
    }
    let listing = clock.now - start
    #expect(references.count == pageCount + rowCount + 1)
    start = clock.now
    let taken = references.values.sorted { $0.id < $1.id }
    for reference in Self.isFull ? taken : Array(taken.prefix(300)) {
      let item = try await adapter.item(reference)
      #expect(!item.metadata.title.isEmpty)
      guard reference.id == table.database else { continue }
      #expect(item.inline("database.csv")?.components("\r\n") == rowCount + 2)
    }
    let items = clock.now - start
    let requests = stage.client.requests.count
    start = clock.now
    let second = try await stage.list(since: checkpoint)
    let again = clock.now - start
    let paths = stage.client.requests.dropFirst(requests).map(\.path)
    #expect(!paths.contains { $0.contains("/pages/") || $0.contains("/children") })
    #expect(second.references.allSatisfy { references[$0.key]?.revision == $0.value.revision })
    print(
      "\(pageCount) pages, \(rowCount) rows: listing \(listing), items \(items), \(requests) requests; "
        + "second listing \(again), \(paths.count) requests; peak memory \(Self.peakMegabytes) MB")
  }

  @Test func `twenty thousand blocks finish in bounded memory`() async throws {
    let count = Self.isFull ? 20_000 : 2_000
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Large",
      blocks: (0..<count / 100).map { group in
        .text(
          "toggle", "Group \(group)", (0..<99).map { .text("paragraph", "Line \(group) \($0)") })
      })
    let clock = ContinuousClock()
    let start = clock.now
    let item = try await stage.item(page)
    print("\(count) blocks: \(clock.now - start), peak memory \(Self.peakMegabytes) MB")
    #expect(item.html.components("<p id=") == count / 100 * 99 + 1)
    #expect(item.notes.isEmpty)
  }

  /// The peak memory of the process, in MB.
  private static var peakMegabytes: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss / 1024
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss / 1_048_576
    #endif
  }
}
