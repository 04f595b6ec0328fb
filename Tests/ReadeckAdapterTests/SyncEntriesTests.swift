import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// The list that the sync API returns, for any number of bookmarks.
struct SyncEntriesTests {
  private func entry(_ id: String, _ time: String, _ type: String = "update") -> String {
    #"{"id":"\#(id)","time":"\#(time)","type":"\#(type)"}"#
  }

  private func body(_ entries: some Sequence<String>) -> [UInt8] {
    Array("[\(entries.joined(separator: ",\n"))]\n".utf8)
  }

  private func entries(_ entries: [String], step: Int = .max) throws -> SyncEntries {
    let sink = SyncSink()
    try feed(body(entries), to: sink, step: step)
    return try sink.finish()
  }

  private func feed(_ body: [UInt8], to sink: SyncSink, step: Int = .max) throws {
    let url = try #require(WebURL("http://reads.test/api/bookmarks/sync?since=x"))
    sink.begin(HTTPResponseHead(status: 200, headers: [:], url: url))
    try body.withUnsafeBytes { body in
      for start in stride(from: 0, to: body.count, by: step) {
        try sink.receive(UnsafeRawBufferPointer(rebasing: body[start...].prefix(step)))
      }
    }
  }

  private func ids(_ entries: SyncEntries) -> [String] {
    (0..<entries.count).map { entries[$0].id }
  }

  @Test func `puts the newest first, and of equal instants the one that came first`() throws {
    var entries = try entries([
      entry("c", "2026-11-21T00:00:01Z"), entry("a", "2026-11-21T01:00:02.5+01:00"),
      entry("\u{FC}ber", "2026-11-21T00:00:02.50Z"), entry("B", "2026-11-21T00:00:02.5Z"),
      entry("later", "2026-11-21T00:00:02.500000001Z"), entry("", "2026-11-21T00:00:01.000Z"),
    ])
    #expect(entries.newest?.text == "2026-11-21T00:00:02.500000001Z")
    entries.keepLatest()
    #expect(ids(entries) == ["later", "a", "\u{FC}ber", "B", "c", ""])
    #expect(entries[3].time.canonical == "2026-11-21T00:00:02.5Z")
  }

  @Test func `keeps the latest of several entries of a bookmark`() throws {
    var entries = try entries([
      entry("a", "2026-11-21T00:00:01Z"), entry("ab", "2026-11-21T00:00:03Z", "delete"),
      entry("a", "2026-11-21T00:00:05Z"), entry("gone", "2026-11-21T00:00:02Z"),
      entry("a", "2026-11-21T00:00:04Z", "delete"), entry("gone", "2026-11-21T00:00:07Z", "delete"),
      entry("back", "2026-11-21T00:00:08Z"), entry("back", "2026-11-21T00:00:07.9Z", "delete"),
      entry("tie", "2026-11-21T00:00:06Z", "delete"), entry("tie", "2026-11-21T02:00:06+02:00"),
    ])
    entries.keepLatest()
    #expect(ids(entries) == ["back", "gone", "tie", "a", "ab"])
    #expect(entries.takeDeletions() == ["gone", "tie", "ab"])
    #expect(ids(entries) == ["back", "a"])
    #expect(entries.takeDeletions() == [])
    entries.keep(["a", "b"])
    #expect(ids(entries) == ["a"])
    #expect(entries[0].time.canonical == "2026-11-21T00:00:05Z")
  }

  @Test func `tells thousands of bookmarks apart and orders them, in whatever pieces they come`()
    throws
  {
    // Each comes twice, the second time later; times go up and down.
    let lines = (0..<6_000).map { number in
      let second = 10 + (number * 7) % 50
      return entry("id\(number % 3_000)", "2026-11-2\(number / 3_000)T00:00:\(second).25Z")
    }
    let expected = (3_000..<6_000).sorted { one, other in
      ((other * 7) % 50, one) < ((one * 7) % 50, other)
    }
    for step in [1_000, 16 << 10, .max] {
      var entries = try entries(lines, step: step)
      #expect(entries.count == 6_000)
      entries.keepLatest()
      #expect(ids(entries) == expected.map { "id\($0 - 3_000)" })
    }
  }

  @Test func `forgets what an attempt brought that was cut off`() throws {
    let sink = SyncSink()
    let many = body((0..<3_000).map { entry("old\($0)", "2027-11-21T00:00:01Z") } + ["null"])
    try feed(Array(many.dropLast(3)), to: sink)
    try feed(Array("nonsense".utf8), to: sink)
    try feed(body([entry("a", "2026-11-21T00:00:01Z"), "7"]), to: sink)
    let entries = try sink.finish()
    #expect(ids(entries) == ["a"])
    #expect(entries.newest?.text == "2026-11-21T00:00:01Z")
    #expect(entries.faults.count == 1)
  }

  @Test func `says that an answer is too large, and how large it may be`() async throws {
    let stage = try ReadeckStage()
    let api = ReadeckAPI(base: try #require(WebURL("http://reads.test/")), http: stage.client)
    let lines = body([entry("a", "2026-11-21T00:00:01Z")])
    for (limit, isEnough) in [(lines.count, true), (lines.count - 1, false)] {
      stage.server.failNext(.json(String(decoding: lines, as: UTF8.self))) { _ in true }
      let sink = SyncSink(limit: limit)
      let error = await adapterError {
        try await api.get("bookmarks/sync", [("since", "secret")], into: sink)
      }
      #expect(error?.code == (isEnough ? nil : .tooLarge))
      #expect(
        error?.message
          == (isEnough
            ? nil : "http://reads.test/api/bookmarks/sync is too large (\(limit), a fixed limit)"))
    }
  }

  @Test func `says what is wrong with an answer of which most was read by then`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 22, 0)
    stage.fill(1)
    let checkpoint = try await stage.adapter().listed().checkpoint
    let many = (0..<3_000).map { entry("a\($0)", "2026-11-21T00:00:01Z") }
    for broken in [
      body(many).dropLast(2) + Array("}".utf8), body(many).dropLast(20),
      body(many.prefix(1_000) + [#"{"id":,"time":1}"#] + many.dropFirst(1_000)),
    ] {
      let text = String(decoding: broken, as: UTF8.self)
      for path in ["/sync", "/bookmarks"] {
        stage.server.failNext(.json(text)) { $0.path.hasSuffix(path) }
      }
      let error = await stage.listingError()
      #expect(error?.code == .malformed)
      #expect(
        error?.message.hasSuffix("sent an invalid response: it is not JSON") == true)
      // A failed incremental listing is followed by a full one.
      stage.server.failNext(.json(text)) { $0.path.hasSuffix("/sync") }
      #expect(try await stage.adapter().listed(since: checkpoint).isComplete)
    }
  }

  @Test func `continues from the newest time as the server wrote it, deletions and all`()
    async throws
  {
    let stage = try ReadeckStage()
    let lines = [
      entry("a", "2026-11-21T00:00:01Z"), entry("d", "2026-11-21T03:00:02.50+01:00", "delete"),
      entry("b", "2026-11-21T02:00:02.5Z"),
    ]
    stage.server.failNext(.json(String(decoding: body(lines), as: UTF8.self))) {
      $0.path.hasSuffix("/sync")
    }
    let listed = try await stage.adapter().listed()
    #expect(listed.ids == ["b", "a"])
    #expect(listed.deleted == ["d"])
    #expect(listed.checkpoint?.value.hasPrefix("1 2026-11-21T03:00:02.50+01:00 http") == true)
    #expect(listed.isComplete)
  }
}
