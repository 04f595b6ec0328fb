import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// A checkpoint is never in the future, whichever clock is wrong.
struct ClockTests {
  private func answer(_ lines: [String], date: String? = nil) -> ServerResponse {
    var response = ServerResponse.json("[" + lines.joined(separator: ",") + "]")
    if let date { response.headers["Date"] = date }
    return response
  }

  private func entry(_ id: String, _ time: String) -> String {
    "{\"id\":\"\(id)\",\"time\":\"\(time)\",\"type\":\"update\"}"
  }

  private func stage(now: String) throws -> ReadeckStage {
    var stage = try ReadeckStage()
    let date = try Date.ISO8601FormatStyle().parse(now)
    stage.clock = ArchiverClock(now: { date }, sleep: { _ in })
    return stage
  }

  private func checkpoint(
    _ stage: ReadeckStage, _ response: ServerResponse
  ) async throws -> String {
    stage.server.failNext(response) { $0.path.hasSuffix("/sync") }
    let value = try await stage.adapter().listed().checkpoint?.value ?? ""
    return String(value.split(separator: " ").dropFirst().first ?? "")
  }

  @Test func `a bookmark of the year 2099 does not move the checkpoint`() async throws {
    let stage = try stage(now: "2026-11-22T00:00:00Z")
    let response = answer([
      entry("a", "2026-11-21T00:00:01Z"), entry("b", "2099-01-01T00:00:00Z"),
      entry("c", "2026-11-21T00:00:02.5Z"),
    ])
    #expect(try await checkpoint(stage, response) == "2026-11-21T00:00:02.5Z")
  }

  @Test func `our clock ahead does not move the checkpoint past the server's date`() async throws {
    let stage = try stage(now: "2027-06-01T00:00:00Z")
    let response = answer(
      [entry("a", "2026-11-21T00:00:01Z"), entry("b", "2027-01-01T00:00:00Z")],
      date: "Sun, 22 Nov 2026 08:49:37 GMT")
    #expect(try await checkpoint(stage, response) == "2026-11-21T00:00:01Z")
  }

  @Test func `a listing with future times only has no checkpoint`() async throws {
    let stage = try stage(now: "2026-11-22T00:00:00Z")
    let response = answer([entry("a", "2026-12-21T00:00:01Z")])
    #expect(try await checkpoint(stage, response).isEmpty)
  }

  @Test func `a checkpoint in the future is not used`() async throws {
    let stage = try ReadeckStage()
    stage.fill(3)
    let adapter = try stage.adapter()
    let settings = try await adapter.listed().checkpoint?.value.split(separator: " ").dropFirst(2)
    let ahead = Checkpoint("1 2199-01-01T00:00:00Z " + (settings ?? []).joined(separator: " "))
    #expect(try await adapter.listed(since: ahead).isComplete)
  }

  @Test func `a list in pages continues from a time that is not ahead`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 19, 0)
    let record = { (id: String, time: String) in
      "{\"id\":\"\(id)\",\"title\":\"T\",\"updated\":\"\(time)\",\"url\":\"https://a.example/\(id)\"}"
    }
    stage.server.failNext(
      answer([record("a", "2099-01-01T00:00:00Z"), record("b", "2026-11-21T00:00:02Z")])
    ) { $0.path.hasSuffix("/bookmarks") }
    let value = try await stage.adapter().listed().checkpoint?.value ?? ""
    #expect(value.hasPrefix("1 2026-11-21T00:00:02Z "))
  }
}
