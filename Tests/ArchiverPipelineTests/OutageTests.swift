import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// An outage is one event of the source, not one failure for each item.
@Suite struct OutageTests {
  @Test(arguments: [500, 502, 503, 504])
  func `images lost while the whole server failed are due at the next run`(
    status: Int
  ) async throws {
    let source = ScriptedSource(count: 3)
    for number in 0..<3 { source.picture("/pic/\(number)-0.gif", ServerResponse(status)) }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.archived, report.unreached, report.failed.count) == (3, 3, 0))
      #expect(!report.isWhole)
      #expect(try bench.item("item0").completeness == .failed)
      for number in 0..<3 { source.picture("/pic/\(number)-0.gif", nil) }
      source.answersHead.withLock { $0 = true }
      let next = try await bench.run()
      #expect(next.archived == 3 && next.isWhole)
      #expect(try bench.item("item0").completeness == .complete)
    }
  }

  @Test(arguments: [
    (200, true), (302, true), (404, true), (428, true), (429, false), (499, true), (500, false),
    (503, false),
  ])
  func `a server responds with any status but 429 and those of a failing one`(
    status: Int, responds: Bool
  ) async throws {
    let origin = try #require(WebURL(ScriptedSource.origin + "/")?.origin)
    let client = HandlerHTTPClient(handlers: [origin: { _ in ServerResponse(status) }])
    let adapter = ScriptedAdapter(source: ScriptedSource())
    let source = RunSource(name: "scripted", adapter: adapter, client: client, origin: origin)
    #expect(await Outage.answers(source) == responds)
  }

  @Test func `a server that delivers all files is not asked whether it responds`() async throws {
    let source = ScriptedSource(count: 10)
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.archived, report.unreached) == (10, 0))
      #expect(report.failure == nil)
    }
  }

  @Test(arguments: [1, 2, 40], [503, 502])
  func `files lost while a server restarts are fetched in the same run once it is back`(
    count: Int, status: Int
  ) async throws {
    let source = ScriptedSource(count: count)
    for number in 0..<count { source.picture("/pic/\(number)-0.gif", ServerResponse(status)) }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      bench.whenAsleep { pauses in
        guard pauses == 2 else { return }
        for number in 0..<count { source.picture("/pic/\(number)-0.gif", nil) }
        source.answersHead.withLock { $0 = true }
      }
      let report = try await bench.run { $0.patience = .seconds(60) }
      #expect((report.archived, report.unreached, report.failed.count) == (count, 0, 0))
      #expect(report.failure == nil && report.isWhole)
      for number in 0..<count {
        #expect(try bench.item("item\(number)").completeness == .complete)
      }
      #expect(try await bench.verify().isEmpty)
      #expect(try await bench.run().archived == 0)
    }
  }

  @Test(arguments: [1, 2, 5])
  func `files lost while a server is away for a moment are fetched in the same run`(
    count: Int
  ) async throws {
    let source = ScriptedSource(count: 20)
    source.failingPictures.withLock { $0 = count }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.archived, report.unreached, report.failed.count) == (20, 0, 0))
      #expect(report.failure == nil && report.isWhole)
      #expect(try await bench.verify().isEmpty)
      #expect(Set(source.itemRequests).count == 20 && source.itemRequests.count <= 40)
    }
  }

  @Test(arguments: [ServerResponse(200).misbehaving(.closeSilently), ServerResponse(502)])
  func `files whose connection is cut are fetched once more in the same run`(
    cut: ServerResponse
  ) async throws {
    let source = ScriptedSource(count: 20)
    source.cuts.withLock { $0 = [cut, cut, cut] }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.archived, report.unreached, report.failed.count) == (20, 0, 0))
      #expect(report.isWhole)
      #expect(try await bench.verify().isEmpty)
      #expect(Set(source.itemRequests).count == 20 && source.itemRequests.count <= 40)
    }
  }

  @Test func `a file whose connection is always cut fails after the second time`() async throws {
    let source = ScriptedSource(count: 3)
    source.picture("/pic/1-0.gif", ServerResponse(200).misbehaving(.closeSilently))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.archived, report.unreached, report.failed.map(\.id)) == (3, 0, ["item1"]))
      #expect(source.itemRequests.sorted() == ["item0", "item1", "item1", "item2"])
      #expect(try await bench.run().archived == 0)
    }
  }

  @Test func `files that stay out of reach of a responding server are asked for twice`()
    async throws
  {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ScriptedSource.silence)
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 1 && !report.isWhole)
      #expect(source.itemRequests == ["item0", "item0"])
    }
  }

  @Test func `a server that stays away costs the items their files only after the wait`()
    async throws
  {
    let source = ScriptedSource(count: 2)
    for number in 0..<2 { source.picture("/pic/\(number)-0.gif", ServerResponse(503)) }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let pauses = Mutex(0)
      bench.whenAsleep { _ in pauses.withLock { $0 += 1 } }
      let report = try await bench.run { $0.patience = .seconds(30) }
      #expect((report.archived, report.unreached, report.failed.count) == (2, 2, 0))
      #expect(report.failure?.code == .unavailable)
      #expect((5...7).contains(pauses.withLock { $0 }))
    }
  }

  @Test func `a second outage is no failed attempt of an item that lacks images`() async throws {
    let source = ScriptedSource(count: 2)
    for number in 0..<2 { source.picture("/pic/\(number)-0.gif", ServerResponse(503)) }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      for _ in 0..<3 {
        let report = try await bench.run()
        #expect((report.unreached, report.failed.count) == (2, 0))
      }
      for number in 0..<2 { source.picture("/pic/\(number)-0.gif", nil) }
      source.answersHead.withLock { $0 = true }
      #expect(try await bench.run().archived == 2)
    }
  }

  @Test func `an item that changed before an outage stays whole and is due at the next run`()
    async throws
  {
    let source = ScriptedSource(count: 1)
    let first = try #require(WebURL(ScriptedSource.origin + "/pic/0-0.gif"))
    let second = try #require(WebURL(ScriptedSource.origin + "/pic/0-1.gif"))
    source.change("item0") { $0.attachments = [.init(.image, .remote(first), name: "scan.gif")] }
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      let page = try bench.page("item0")
      source.change("item0") {
        $0.revision = "2"
        $0.attachments = [.init(.image, .remote(second), name: "scan.gif")]
      }
      source.picture("/pic/0-1.gif", ServerResponse(503))
      source.answersHead.withLock { $0 = false }
      let report = try await bench.run()
      #expect((report.archived, report.unreached, report.failed.count) == (0, 1, 0))
      let run = try bench.archive.catalog.runs(source: "scripted", limit: 1).first
      #expect(run?.outcome == .sourceFailed)
      #expect(run?.failure?.contains("does not respond any more") == true)
      #expect(try bench.page("item0") == page)
      #expect(try bench.item("item0").completeness == .complete)
      source.picture("/pic/0-1.gif", nil)
      source.answersHead.withLock { $0 = true }
      #expect(try await bench.run().archived == 1)
      #expect(try bench.page("item0") != page)
    }
  }

  @Test(arguments: [HTTPError.Code.connect, .resolve, .connectionLost])
  func `an item without a connection during an outage is due at the next run`(
    code: HTTPError.Code
  ) async throws {
    let source = ScriptedSource(count: 2)
    source.picture("/pic/0-0.gif", ServerResponse(200).misbehaving(.stallAfter(0, .seconds(1))))
    source.change("item1") {
      $0.error = AdapterError(.unavailable, "no", underlying: HTTPError(code, "no connection"))
    }
    try await Bench.with(source) { bench in
      // The server is back at the end of the run.
      let report = try await bench.run()
      let isBlamed = code == .connectionLost
      #expect((report.unreached, report.failed.count) == (isBlamed ? (1, 1) : (2, 0)))
      // They are not among the failures, so that the run's record alone reports them.
      let run = try bench.archive.catalog.runs(source: "scripted", limit: 1).first
      let many = isBlamed ? "1 item" : "2 items"
      #expect(run?.outcome == .partial)
      #expect(run?.failure?.contains("not be reached for parts of \(many);") == true)
      source.picture("/pic/0-0.gif", nil)
      source.change("item1") { $0.error = nil }
      #expect(try await bench.run().archived == (isBlamed ? 1 : 2))
    }
  }

  @Test(arguments: [ScriptedSource.origin, "http://other.example"])
  func `an item without a connection to the source's own server is due at the next run`(
    server: String
  ) async throws {
    let source = ScriptedSource(count: 2)
    let origin = try #require(WebURL(server + "/")?.origin)
    source.change("item1") {
      let cause = HTTPError(.connect, "no connection", origin: origin)
      $0.error = AdapterError(.unavailable, "no", underlying: cause)
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      let isOwn = server == ScriptedSource.origin
      #expect(
        (report.archived, report.unreached, report.failed.count) == (isOwn ? (1, 1, 0) : (1, 0, 1)))
      source.change("item1") { $0.error = nil }
      #expect(try await bench.run().archived == (isOwn ? 1 : 0))
    }
  }

  @Test func `images that a responding server refuses are due after a delay`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(503))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.unreached, report.failed.map(\.id)) == (0, ["item0"]))
      source.picture("/pic/0-0.gif", nil)
      #expect(try await bench.run().archived == 0)
    }
  }

  @Test(arguments: [false, true])
  func `failures of the last items are the source's if it does not respond`(
    responds: Bool
  ) async throws {
    let source = ScriptedSource(count: 6)
    for number in 0..<2 {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "out of order") }
    }
    source.answersHead.withLock { $0 = responds }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 4)
      #expect((report.failure == nil) == responds)
      #expect(report.failed.count == (responds ? 2 : 0))
      for number in 0..<2 { source.change("item\(number)") { $0.error = nil } }
      source.answersHead.withLock { $0 = true }
      let second = try await bench.run()
      #expect(second.archived == (responds ? 0 : 2))
    }
  }

  @Test func `a failure before the outage is noticed is no failure of its item`() async throws {
    let source = ScriptedSource(count: 20)
    // The first and the last of the queue, which begins with the newest; those between succeed.
    for number in [0, 19] {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "out of order") }
    }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 18 && report.failed.isEmpty)
      #expect(report.failure?.code == .unavailable)
      for number in [0, 19] { source.change("item\(number)") { $0.error = nil } }
      #expect(try await bench.run().archived == 2)
    }
  }

  @Test func `a run ends soon if the files of all items cannot be reached`() async throws {
    let source = ScriptedSource(count: 200)
    for number in 0..<200 { source.picture("/pic/\(number)-0.gif", ServerResponse(503)) }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failure?.code == .unavailable)
      #expect(report.failed.isEmpty && report.archived < 100, "\(report.archived)")
      for number in 0..<200 { source.picture("/pic/\(number)-0.gif", nil) }
      source.answersHead.withLock { $0 = true }
      #expect(try await bench.run().archived == 200)
    }
  }

  @Test(arguments: [false, true])
  func `a part that was lost during an outage is due at the next run`(
    isOut: Bool
  ) async throws {
    let source = ScriptedSource(count: 3)
    source.change("item2") {
      $0.missing = [MissingPart(.comments, name: "", reason: "status 503")]
    }
    if isOut { source.change("item0") { $0.error = AdapterError(.unavailable, "out of order") } }
    source.answersHead.withLock { $0 = !isOut }
    try await Bench.with(source) { bench in
      let first = try await bench.run()
      #expect(first.archived == (isOut ? 2 : 3))
      source.answersHead.withLock { $0 = true }
      source.change("item0") { $0.error = nil }
      source.change("item2") { $0.missing = [] }
      let second = try await bench.run()
      #expect(second.archived == (isOut ? 2 : 0))
    }
  }

  @Test func `a run that is cut reports the failures after which the source delivered`()
    async throws
  {
    let source = ScriptedSource(count: 120)
    // The newest, which comes first.
    source.change("item119") { $0.error = AdapterError(.unavailable, "out of order") }
    try await Bench.with(source) { bench in
      let task = Task { try await bench.run() }
      while try bench.archive.catalog.itemCount(source: nil) < 20 {
        try await Task.sleep(for: .milliseconds(1))
      }
      task.cancel()
      let report = try await task.value
      #expect(report.archived < 119 && report.failure == nil)
      #expect(report.failed.map(\.id) == ["item119"])
    }
  }
}
