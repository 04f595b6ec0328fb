import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import NotionAdapter

/// Known items stay known, whatever search returns.
struct DiscoveryTests {
  private static let broken = FakeNotion.error(500, "internal_server_error", "Sorry")

  private static func titled(_ text: String) -> [String: JSONValue] {
    ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText(text)]]
  }

  /// A stage whose searches for pages fail while the flag is set.
  private static func stage(_ kinds: String...) throws -> (NotionStage, Switch) {
    let fails = Switch(false)
    let stage = try NotionStage { request in
      guard fails.value, request.path.hasSuffix("/search") else { return nil }
      return kinds.contains { request.text.contains("\"\($0)\"") } ? broken : nil
    }
    return (stage, fails)
  }

  @Test func `a search that always fails affects no known item`() async throws {
    let (stage, fails) = try Self.stage("page", "data_source")
    let home = stage.server.addPage("Home")
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    stage.server.addRow(table.source, Self.titled("First"))
    var listed = try await stage.list()
    fails.set(true)
    for night in 1...3 {
      stage.clock.advance(86_400)
      let time = "2026-11-2\(night + 1)T00:00:00.000Z"
      let inner = stage.server.addPage("Inner \(night)", parent: home, edited: time)
      let row = stage.server.addRow(
        table.source, Self.titled("Row \(night)"), created: time, edited: time)
      stage.server.edit(
        home, blocks: [FakeBlock("child_page", ["title": "Inner"], id: inner)], at: time)
      listed = try await stage.list(since: listed.checkpoint)
      #expect(listed.references[home]?.revision.hasPrefix(time.prefix(10)) == true)
      #expect(listed.references[inner] != nil && listed.references[row] != nil)
      #expect(listed.references[table.database] != nil)
      #expect(listed.gaps.contains { $0.isEssential && $0.message.contains("search failed") })
      #expect(listed.checkpoint != nil)
    }
  }

  @Test func `a listing of everything asks for what nothing names any more`() async throws {
    let (stage, fails) = try Self.stage("page", "data_source")
    let pages = (0..<30).map { stage.server.addPage("Page \($0)") }
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    let first = try await stage.list()
    for id in pages + [table.source, row] { stage.server.hide(id) }
    stage.server.unshare(pages[7])
    let time = "2026-11-21T10:00:00.000Z"
    for id in [pages[20], row] {
      stage.server.edit(id, blocks: [.text("paragraph", "New")], at: time)
    }
    for isBroken in [false, true] {
      fails.set(isBroken)
      stage.clock.advance(7 * 86_400)
      let whole = try await stage.listAnew(knowing: first.checkpoint)
      #expect(
        Set(whole.references.keys) == Set(pages + [table.database, row]).subtracting([pages[7]]))
      #expect(whole.references[pages[20]]?.revision == time)
      #expect(whole.references[row]?.revision == time)
      #expect(
        whole.references[table.database]?.revision != first.references[table.database]?.revision)
      #expect(whole.gaps.isEmpty == !isBroken)
      // The one after it still knows them.
      stage.clock.advance(7 * 86_400)
      let next = try await stage.listAnew(knowing: whole.checkpoint)
      #expect(Set(next.references.keys) == Set(whole.references.keys))
    }
  }

  @Test func `a database whose rows changed is requested where the search for tables fails`()
    async throws
  {
    let (stage, fails) = try Self.stage("data_source")
    let tables = (0..<40).map {
      stage.server.addDatabase("Table \($0)", columns: ListingTests.titleColumn)
    }
    let rows = tables.map { stage.server.addRow($0.source, Self.titled("Row")) }
    var last = try await stage.list()
    fails.set(true)
    for night in 1...2 {
      stage.clock.advance(86_400)
      let time = "2026-11-2\(night)T10:00:00.000Z"
      stage.server.edit(rows[38], blocks: [.text("paragraph", "New")], at: time)
      let listed = try await stage.list(since: last.checkpoint)
      #expect(listed.references[tables[38].database] != nil)
      #expect(
        listed.references[tables[38].database]?.revision
          != last.references[tables[38].database]?.revision)
      last = listed
    }
  }

  @Test func `many pages that fail for ever keep no other page from being listed`() async throws {
    let server = FakeNotion()
    let failing = Mutex<Set<String>>([])
    let stage = try NotionStage(server) { request in
      let path = request.path
      return failing.withLock { $0.contains { path.contains($0) } } ? Self.broken : nil
    }
    let pages = (0..<150).map { server.addPage("Page \($0)") }
    let last = server.addPage("Last")
    let first = try await stage.list()
    for id in pages + [last] { server.hide(id) }
    failing.withLock { $0 = Set(pages.map { FakeNotion.dashed($0) }) }
    server.touch(last, at: "2026-11-21T10:00:00.000Z")
    var checkpoint = first.checkpoint
    var found = 0
    for week in 1...6 where found == 0 {
      stage.clock.advance(7 * 86_400)
      let listed = try await stage.listAnew(knowing: checkpoint)
      #expect(listed.gaps.contains { $0.isEssential })
      if listed.references[last] != nil { found = week }
      checkpoint = listed.checkpoint
    }
    #expect((1...4).contains(found))
    // The pages are still known, and returned when they can be read.
    failing.withLock { $0 = [] }
    let healed = try await stage.listAnew(knowing: checkpoint)
    #expect(Set(healed.references.keys) == Set(pages + [last]))
  }

  @Test func `pages whose contents fail for ever end no listing`() async throws {
    let failing = Switch(true)
    let stage = try NotionStage {
      failing.value && $0.path.hasSuffix("/children") ? Self.broken : nil
    }
    let pages = (0..<120).map { stage.server.addPage("Page \($0)") }
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    let first = try await stage.list()
    #expect(Set(first.references.keys) == Set(pages + [table.database]))
    #expect(first.gaps.contains { $0.isEssential && $0.message.contains("wait for the next run") })
    #expect(stage.requests("/children") == 50)
    // All of them are walked again.
    failing.set(false)
    stage.clock.advance(86_400)
    let second = try await stage.list(since: first.checkpoint)
    #expect(second.gaps.isEmpty)
    #expect(stage.requests("/children") == 50 + 120)
  }

  @Test func `a table shared without its database is read where search fails`() async throws {
    let (stage, fails) = try Self.stage("page", "data_source")
    stage.server.addPage("Home")
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    stage.server.unshare(table.database)
    stage.server.share(table.source)
    let first = try await stage.list()
    #expect(first.references[row] != nil && first.references[table.database] != nil)
    fails.set(true)
    stage.clock.advance(86_400)
    let time = "2026-11-21T10:00:00.000Z"
    stage.server.edit(row, blocks: [.text("paragraph", "New")], at: time)
    let second = try await stage.list(since: first.checkpoint)
    #expect(second.references[row]?.revision.hasPrefix(time) == true)
  }

  @Test func `a search that fails when nothing is known is a failure`() async throws {
    let (stage, fails) = try Self.stage("page", "data_source")
    stage.server.addPage("Home")
    fails.set(true)
    let error = await #expect(throws: AdapterError.self) { _ = try await stage.list() }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("everything shared with the integration") == true)
  }

  @Test func `where only the search for pages fails, databases are archived`() async throws {
    let (stage, fails) = try Self.stage("page")
    stage.server.addPage("Home")
    let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
    let row = stage.server.addRow(table.source, Self.titled("Row"))
    fails.set(true)
    let listed = try await stage.list()
    #expect(Set(listed.references.keys) == [table.database, row])
    #expect(listed.gaps.contains { $0.isEssential && $0.message.contains("search failed") })
  }

  @Test func `a page that could not be searched is walked again on the next night`() async throws {
    let (stage, fails) = try Self.stage("page", "data_source")
    let home = stage.server.addPage("Home")
    let first = try await stage.list()
    fails.set(true)
    stage.clock.advance(86_400)
    let time = "2026-11-21T12:00:00.000Z"
    let inner = stage.server.addPage("Inner", parent: home, edited: time)
    stage.server.hide(inner)
    stage.server.edit(
      home, blocks: [FakeBlock("child_page", ["title": "Inner"], id: inner)], at: time)
    // It is due if its timestamp precedes the listing in between.
    stage.server.failNext(Self.broken) { $0.path.hasSuffix("/pages/\(FakeNotion.dashed(home))") }
    let second = try await stage.list(since: first.checkpoint)
    #expect(second.references[home] == nil && second.gaps.count { $0.isEssential } == 3)
    stage.clock.advance(86_400)
    let third = try await stage.list(since: second.checkpoint)
    #expect(third.references[home] != nil && third.references[inner] != nil)
  }

  @Test func `a database that is deleted is noticed on the next night`() async throws {
    for isNamed in [true, false] {
      let stage = try NotionStage()
      stage.server.addPage("Home")
      let table = stage.server.addDatabase("Table", columns: ListingTests.titleColumn)
      let first = try await stage.list()
      stage.server.trash(database: table.database, source: table.source)
      if !isNamed { stage.server.hide(table.source) }
      stage.clock.advance(86_400)
      let second = try await stage.list(since: first.checkpoint)
      #expect(second.deleted == [table.database])
      stage.clock.advance(86_400)
      let before = stage.client.requests.count
      _ = try await stage.list(since: second.checkpoint)
      #expect(
        stage.client.requests.dropFirst(before).count { $0.path.contains("/databases/") } == 0)
    }
  }

  @Test func `a search whose cursor expires continues from its other end`() async throws {
    let stage = try NotionStage()
    stage.server.behaviour.searchPages = 2
    let pages = (0..<350).map { stage.server.addPage("Page \($0)") }
    var listed = try await stage.list()
    #expect(Set(listed.references.keys) == Set(pages) && listed.gaps.isEmpty)
    stage.clock.advance(86_400)
    listed = try await stage.list(since: listed.checkpoint)
    #expect(Set(listed.references.keys) == Set(pages) && listed.gaps.isEmpty)
  }

  @Test func `items between both ends of an expiring search are found by parents and requested`()
    async throws
  {
    let stage = try NotionStage()
    stage.server.behaviour.searchPages = 1
    let top = stage.server.addPage("Top", edited: "2026-03-02T09:30:00.000Z")
    let pages = (0..<400).map { stage.server.addPage("Page \($0)", parent: top) }
    stage.server.edit(
      top, blocks: pages.map { FakeBlock("child_page", ["title": "Page"], id: $0) },
      at: "2026-03-02T09:30:00.000Z")
    let first = try await stage.list()
    #expect(Set(first.references.keys) == Set(pages + [top]))
    #expect(first.gaps.contains { $0.isEssential && $0.message.contains("search stopped after") })
    var checkpoint = first.checkpoint
    var seen: Set<String> = []
    for _ in 0..<40 {
      stage.clock.advance(86_400)
      let before = stage.client.requests.count
      let listed = try await stage.list(since: checkpoint)
      #expect(stage.client.requests.count - before <= 401 / 100 + 10)
      checkpoint = listed.checkpoint
      seen.formUnion(listed.references.keys)
    }
    #expect(seen == Set(pages + [top]))
  }

  @Test func `a server that cannot turn the order of a search round is not believed`() async throws
  {
    let server = FakeNotion()
    let stage = try NotionStage(server) { request in
      guard request.path.hasSuffix("/search"), request.text.contains("\"ascending\"") else {
        return nil
      }
      return server.handle(
        ServerRequest(
          method: request.method, target: request.target, headers: request.headers,
          body: Array(request.text.replacing("ascending", with: "descending").utf8)))
    }
    server.behaviour.searchPages = 1
    for number in 0..<150 { server.addPage("Page \(number)") }
    let listed = try await stage.list()
    #expect(listed.references.count == 100)
    #expect(listed.gaps.contains { $0.isEssential })
  }

  @Test func `objects that cannot be read are counted`() async throws {
    let server = FakeNotion()
    server.addPage("Page")
    let stage = try NotionStage(server) { request in
      guard request.path.hasSuffix("/search"), request.text.contains("\"page\"") else { return nil }
      let response = server.handle(request)
      guard case .bytes(let bytes) = response.body else { return nil }
      let body = String(decoding: bytes, as: UTF8.self)
      return .json(
        body.replacing(
          "\"results\":[", with: "\"results\":[{\"object\":\"page\"},{\"object\":\"whiteboard\"},"))
    }
    let listed = try await stage.list()
    #expect(listed.references.count == 1)
    let told = listed.gaps.map { "\($0.isEssential) \($0.message)" }
    #expect(
      told == [
        "true Notion returned 1 of kind “page” that could not be read",
        "false Notion returned 1 of kind “whiteboard” that could not be read",
      ])
  }

  @Test func `known state survives encoding`() throws {
    var known = KnownItems()
    for number in 0..<50 {
      let id = try #require(NotionID(String(repeating: "f", count: 30) + String(number + 10)))
      known[id] = KnownItems.Entry(
        isDatabase: number % 2 == 0, isOutside: number % 3 == 0, minute: .max - UInt32(number))
    }
    let data = try JSONEncoder().encode(known)
    #expect(try JSONDecoder().decode(KnownItems.self, from: data) == known)
    let broken = try JSONDecoder().decode(KnownItems.self, from: Data("\"AAA=\"".utf8))
    #expect(broken.isEmpty)
  }
}

/// A flag that closures share.
final class Switch: Sendable {
  private let state: Mutex<Bool>

  init(_ value: Bool) { state = Mutex(value) }

  var value: Bool { state.withLock { $0 } }

  func set(_ value: Bool) { state.withLock { $0 = value } }
}
