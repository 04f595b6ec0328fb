import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import NotionAdapter

/// A permanent fault of a request affects only the content that it requests.
struct FaultMatrixTests {
  @Test(arguments: [1, 2, 12])
  func `a service that answers nothing is one failure, however many items it has`(
    count: Int
  ) async throws {
    let stage = try NotionStage()
    let pages = (0..<count).map { stage.server.addPage("Page \($0)") }
    let first = try await stage.list()
    stage.clock.advance(86_400)
    for _ in 0..<200 {
      stage.server.failNext(FakeNotion.error(500, "internal_server_error", "Sorry")) { _ in true }
    }
    await #expect(throws: AdapterError.self) { try await stage.list(since: first.checkpoint) }
    // One of them alone, besides the search, ends nothing.
    stage.server.clearFaults()
    for _ in 0..<200 {
      stage.server.failNext(FakeNotion.error(500, "internal_server_error", "Sorry")) {
        $0.path.hasSuffix("/search") || $0.path.hasSuffix(FakeNotion.dashed(pages[0]))
      }
    }
    guard count > 1 else { return }
    let second = try await stage.list(since: first.checkpoint)
    #expect(!second.gaps.isEmpty)
    #expect(second.references.count == count - 1)
  }

  /// A workspace with every kind of content, and the descendants of each page.
  private struct Sample {
    let server = FakeNotion()
    var ids: [String] = []
    /// The items that an unreadable object affects.
    var below: [String: Set<String>] = [:]

    init() {
      let toggle = server.reserveID()
      let home = server.addPage("Home")
      let inner = server.addPage(
        "Inner", parent: home, blocks: [.text("paragraph", "Inner words")])
      let (database, source) = server.addDatabase(
        "Tasks", parent: home, columns: ["Name": ["id": "title", "type": "title", "title": [:]]])
      server.hide(inner)
      server.edit(
        home,
        blocks: [
          .text("paragraph", "Words of home"),
          FakeBlock(
            "toggle", ["rich_text": FakeNotion.richText("Open")], [.text("paragraph", "Inside")],
            id: toggle),
          FakeBlock("child_page", ["title": "Inner"], id: inner),
          FakeBlock("child_database", ["title": "Tasks"], id: database),
        ], at: FakeNotion.quietTime)
      var rows: [String] = []
      for number in 0..<3 {
        rows.append(
          server.addRow(
            source,
            [
              "Name": [
                "id": "title", "type": "title", "title": FakeNotion.richText("Row \(number)"),
              ]
            ], blocks: [.text("paragraph", "Row text")]))
      }
      server.addView(database, source: source, ["name": "All"])
      let other = server.addPage("Other", blocks: [.text("paragraph", "Other words")])
      server.addComment("A comment", on: other, page: other)
      _ = server.addUser("Ada")
      ids = [home, inner, database, other] + rows
      below = [home: [inner, database], source: Set(rows + [database]), database: Set(rows)]
      // The rows need their columns, the page the database that it shows.
      for id in rows + [inner, other] { below[id] = [] }
    }
  }

  private enum Fault: String, CaseIterable, Sendable {
    case broken, gone, forbidden, garbage, list, circle, slow, cut, empty

    var response: ServerResponse {
      switch self {
      case .broken: FakeNotion.error(500, "internal_server_error", "Sorry")
      case .gone: FakeNotion.error(404, "object_not_found", "No such object")
      case .forbidden: FakeNotion.error(403, "restricted_resource", "No")
      case .garbage: .text("<html>", type: "text/html")
      case .list: .json("[]")
      case .circle:
        .json(
          "{\"object\":\"list\",\"results\":[],\"has_more\":true,\"next_cursor\":\"again\"}")
      case .slow: FakeNotion.error(429, "rate_limited", "Slow down")
      case .cut: .json("{\"object\":\"list\",\"results\":[").misbehaving(.truncateAfter(10))
      case .empty:
        .json(
          "{\"object\":\"list\",\"results\":[],\"has_more\":true,\"next_cursor\":\"\(UInt64.random(in: 0 ... .max))\"}"
        )
      }
    }
  }

  /// The subject of a request, without its cursor.
  private static func key(_ request: ServerRequest) -> String {
    let body =
      request.text.contains("in_trash")
      ? "trash"
      : request.text.contains("data_source") ? "sources" : ""
    return "\(request.method) \(request.path) \(request.parameter("block_id") ?? "") \(body)"
  }

  @Test func `only what cannot be read is missing, on every night`() async throws {
    let sample = Sample()
    let healthy = try NotionStage(sample.server)
    let all = try await healthy.list()
    #expect(Set(all.references.keys) == Set(sample.ids))
    for reference in all.references.values { _ = try await healthy.adapter().item(reference) }
    let keys = Set(healthy.client.requests.map(Self.key))
    #expect(keys.count > 15)
    for key in keys.sorted() {
      for fault in Fault.allCases { try await tryOut(key, fault, sample, all) }
    }
  }

  @Test func `edits since a checkpoint are archived whatever else is unreadable`() async throws {
    let sample = Sample()
    let healthy = try NotionStage(sample.server)
    let first = try await healthy.list()
    let time = "2026-11-21T10:00:00.000Z"
    let edited = [sample.ids[0], sample.ids[3], sample.ids[5]]
    for id in edited { sample.server.touch(id, at: time) }
    healthy.clock.advance(86_400)
    let before = healthy.client.requests.count
    _ = try await healthy.list(since: first.checkpoint)
    let keys = Set(healthy.client.requests.dropFirst(before).map(Self.key))
    #expect(keys.count >= 6)
    for key in keys.sorted() {
      for fault in Fault.allCases {
        let stage = try NotionStage(sample.server) { request in
          Self.key(request) == key ? fault.response : nil
        }
        stage.clock.advance(86_400)
        let listed = try await stage.list(since: first.checkpoint)
        let isTold = !listed.gaps.isEmpty || fault == .gone || fault == .forbidden
        // Only the newest part of the trash is read anyway.
        #expect(isTold || key.hasSuffix("trash"), "\(key): \(fault.rawValue) is not told")
        for id in edited where listed.references[id]?.revision.hasPrefix(time) != true {
          var lost: Set<String> = []
          for (object, below) in sample.below where key.contains(FakeNotion.dashed(object)) {
            lost.formUnion(below.union([object]))
          }
          #expect(lost.contains(id), "\(key): \(fault.rawValue): \(id)")
        }
      }
    }
  }

  private func tryOut(
    _ key: String, _ fault: Fault, _ sample: Sample, _ all: NotionStage.Listed
  ) async throws {
    let stage = try NotionStage(sample.server) { request in
      Self.key(request) == key ? fault.response : nil
    }
    let what = "\(key): \(fault.rawValue)"
    // Without the first search, the workspace is unknown.
    let isSearch = key.contains("/v1/search") && !key.hasSuffix("trash")
    var checkpoint: Checkpoint?
    for night in 0..<2 {
      let listed: NotionStage.Listed
      do {
        listed = try await stage.list(since: checkpoint)
      } catch {
        #expect(isSearch, "\(what): \(error)")
        return
      }
      checkpoint = listed.checkpoint
      var lost: Set<String> = []
      for (id, below) in sample.below where key.contains(FakeNotion.dashed(id)) {
        lost.formUnion(below.union([id]))
      }
      if isSearch { lost = Set(sample.ids) }
      let missing = Set(sample.ids).subtracting(listed.references.keys)
      if night == 0 {
        #expect(missing.isSubset(of: lost), "\(what), night \(night)")
        let isTold = !listed.gaps.isEmpty || fault == .gone || fault == .forbidden
        #expect(missing.isEmpty || isTold, "\(what) is not told")
      }
      for (id, reference) in all.references where !lost.contains(id) {
        do {
          let item = try await stage.adapter().item(reference)
          #expect(item.html.count > 10, "\(what): \(id)")
        } catch {
          Issue.record("\(what): \(reference.title): \(error)")
        }
      }
    }
  }

  @Test func `a toggle that cannot be read is a missing part`() async throws {
    let server = FakeNotion()
    let toggle = server.reserveID()
    let page = server.addPage("Page")
    server.edit(
      page,
      blocks: [
        .text("paragraph", "Before"),
        FakeBlock(
          "toggle", ["rich_text": FakeNotion.richText("Open")], [.text("paragraph", "In")],
          id: toggle),
      ], at: FakeNotion.quietTime)
    let failing = Mutex(true)
    let stage = try NotionStage(server) { request in
      failing.withLock { $0 } && request.path.contains(FakeNotion.dashed(toggle))
        ? FakeNotion.error(404, "object_not_found", "No") : nil
    }
    let item = try await stage.item(page)
    #expect(item.missing.map(\.kind) == [.children])
    #expect(item.missing.first?.isEssential == true)
    #expect(item.html.contains("Before") && item.html.contains("could not be read"))
    failing.withLock { $0 = false }
    #expect(try await stage.item(page).missing.isEmpty)
  }

  @Test func `a page whose blocks could not be read is walked again when it has not changed`()
    async throws
  {
    let server = FakeNotion()
    let home = server.addPage("Home")
    let inner = server.addPage("Inner", parent: home)
    server.hide(inner)
    server.edit(
      home, blocks: [FakeBlock("child_page", ["title": "Inner"], id: inner)],
      at: FakeNotion.quietTime)
    let failing = Mutex(true)
    let stage = try NotionStage(server) { request in
      failing.withLock { $0 } && request.path.hasSuffix("\(FakeNotion.dashed(home))/children")
        ? FakeNotion.error(500, "internal_server_error", "Sorry") : nil
    }
    let first = try await stage.list()
    #expect(first.references[inner] == nil)
    #expect(first.gaps.contains { $0.isEssential })
    failing.withLock { $0 = false }
    stage.clock.advance(86_400)
    let second = try await stage.list(since: first.checkpoint)
    #expect(second.references[inner] != nil)
    #expect(second.gaps.isEmpty)
  }

  @Test func `a checkpoint is never later than the server's clock`() async throws {
    let server = FakeNotion()
    server.addPage("Page")
    let stage = try NotionStage(server) { request in
      guard request.path.hasSuffix("/search") else { return nil }
      var response = server.handle(request)
      response.headers["Date"] = "Sat, 21 Nov 2026 00:00:00 GMT"
      return response
    }
    stage.clock.advance(40 * 86_400)
    let listed = try await stage.list()
    let scope = try NotionSettings(stage.configuration).scope
    let checkpoint = try #require(NotionCheckpoint(listed.checkpoint, scope: scope))
    #expect(checkpoint.started <= Date(timeIntervalSince1970: 1_795_219_200 + 60))
  }
}
