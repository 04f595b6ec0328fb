import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// A permanent fault of a request affects only the content that it requests.
struct FaultMatrixTests {
  private enum Fault: String, CaseIterable, Sendable {
    case broken, gone, forbidden, refused, invalid, redirected, login, page, garbage, wrong, cut

    var response: ServerResponse {
      switch self {
      case .broken: .text("Sorry", status: 500)
      case .gone: .json("{\"status\":404,\"message\":\"Not Found\"}", status: 404)
      case .forbidden: .json("{\"status\":403,\"message\":\"Forbidden\"}", status: 403)
      case .refused: .json("{\"status\":401,\"message\":\"Unauthorized\"}", status: 401)
      case .invalid: .json("{\"status\":422,\"message\":\"Invalid\"}", status: 422)
      case .redirected: .redirect("https://other.test/", status: 302)
      case .login: .redirect("/login", status: 303)
      case .page: .text("<!DOCTYPE html><title>Welcome</title>", type: "text/html")
      case .garbage: .json("\u{1}\u{2}")
      case .wrong: .json("{\"id\":7}")
      case .cut: .json("[{\"id\":\"x\",").misbehaving(.truncateAfter(5))
      }
    }
  }

  /// Returns a stage whose server fails the requests that match, and has four kinds of bookmarks.
  private static func stage(
    sync: Bool, failing: @escaping @Sendable (ServerRequest) -> ServerResponse? = { _ in nil }
  ) throws -> ReadeckStage {
    let stage = try ReadeckStage(failing: failing)
    if !sync { stage.server.behaviour.version = (0, 17, 0) }
    stage.fill(2)
    var marked = FakeReadeck.Bookmark(
      url: "https://example.org/marked", title: "Marked",
      html:
        "<section><p>Some <rd-annotation data-annotation-id-value=\"h1\">marked</rd-annotation> words.</p></section>"
    )
    marked.wordCount = 3
    stage.server.add(marked)
    _ = stage.gallery(pictures: 2)
    return stage
  }

  private static func key(_ request: ServerRequest) -> String {
    "\(request.method) \(request.path)"
  }

  @Test(arguments: [true, false])
  func `only what cannot be read is missing, in three nights, and edits are taken`(hasSync: Bool)
    async throws
  {
    let healthy = try Self.stage(sync: hasSync)
    let listed = try await healthy.adapter().listed()
    #expect(Set(listed.ids) == Set(healthy.server.ids) && listed.ids.count == 4)
    for id in listed.ids { _ = try await healthy.adapter().fetch(id) }
    let keys = Set(healthy.client.requests.map(Self.key))
    #expect(keys.count >= (hasSync ? 5 : 8), "\(keys)")
    for key in keys.sorted() {
      for fault in Fault.allCases {
        // Servers without the sync API have one list only.
        if !hasSync, key == "GET /api/bookmarks" { continue }
        let what = "\(key): \(fault.rawValue)"
        let stage = try Self.stage(sync: hasSync) { request in
          Self.key(request) == key ? fault.response : nil
        }
        let edited = try #require(listed.ids.first { !key.contains($0) })
        var checkpoint: Checkpoint?
        for night in 1...3 {
          if night > 1 { stage.server.update(edited) { $0.title = "Edited in night \(night)" } }
          let found = try await stage.adapter().listed(since: checkpoint)
          checkpoint = found.checkpoint ?? checkpoint
          let wanted = night == 1 ? Set(listed.ids) : [edited]
          #expect(wanted.isSubset(of: found.ids), "\(what), night \(night)")
          for id in wanted {
            guard let error = await (try stage.adapter()).failure(id) else { continue }
            #expect(key.contains(id), "\(what), night \(night): \(id): \(error)")
            #expect(!error.endsSource || fault == .refused, "\(what): \(error)")
          }
        }
      }
    }
  }

  @Test(arguments: Fault.allCases)
  private func `edits are archived whatever one of the lists returns`(fault: Fault) async throws {
    for path in ["/api/info", "/api/bookmarks/sync", "/api/bookmarks"] {
      let stage = try Self.stage(sync: true) { request in
        request.method == "GET" && request.path == path
          ? fault.response : nil
      }
      let first = try await Self.stage(sync: true).adapter().listed()
      let id = stage.server.ids[1]
      stage.server.update(id) { $0.title = "Changed" }
      let listed = try await stage.adapter().listed(since: first.checkpoint)
      #expect(listed.ids.contains(id), "\(path)")
    }
  }

  @Test func `a bookmark over which the server fails hides no other of the list`()
    async throws
  {
    let stage = try ReadeckStage { request in
      guard request.path == "/api/bookmarks" else { return nil }
      let first = request.parameter("offset").flatMap { Int($0) } ?? 0
      let count = request.parameter("limit").flatMap { Int($0) } ?? 0
      return (first..<first + count).contains(47) ? .text("Sorry", status: 500) : nil
    }
    stage.server.behaviour.version = (0, 17, 0)
    stage.fill(250)
    let listed = try await stage.adapter().listed()
    #expect(listed.ids.count == 249)
    #expect(stage.client.requests.count < 35)
    #expect(!listed.isComplete && listed.gaps.count == 1)
    #expect(listed.gaps.first?.hasPrefix("bookmark 48 of the list was left out") == true)
  }

  @Test func `many bookmarks over which the server fails are counted`() async throws {
    let stage = try ReadeckStage { request in
      guard request.path == "/api/bookmarks" else { return nil }
      let first = request.parameter("offset").flatMap { Int($0) } ?? 0
      let count = request.parameter("limit").flatMap { Int($0) } ?? 0
      // Every fifth one.
      return (first..<first + count).contains { $0 % 5 == 1 } ? .text("Sorry", status: 500) : nil
    }
    stage.server.behaviour.version = (0, 17, 0)
    stage.fill(50)
    let listed = try await stage.adapter().listed()
    #expect(listed.ids.count == 40 && listed.gaps.count == 6)
    #expect(listed.gaps.last == "5 more bookmarks of the list were left out")
  }

  @Test func `no checkpoint moves past bookmarks that were left out`() async throws {
    let stage = try ReadeckStage { request in
      guard request.path == "/api/bookmarks" else { return nil }
      let first = request.parameter("offset").flatMap { Int($0) } ?? 0
      let count = request.parameter("limit").flatMap { Int($0) } ?? 0
      return (first..<first + count).contains(47) ? .text("Sorry", status: 500) : nil
    }
    stage.server.behaviour.version = (0, 17, 0)
    stage.fill(60)
    let listed = try await stage.adapter().listed()
    #expect(listed.checkpoint == nil && listed.gaps.count == 1)
    // An unreadable entry of the sync API counts as left out.
    let sync = try ReadeckStage { request in
      request.method == "GET" && request.path == "/api/bookmarks/sync"
        ? .json("[{\"id\":\"a\",\"time\":\"2026-11-21T00:00:00Z\",\"type\":\"update\"},{\"id\":7}]")
        : nil
    }
    let entries = try await sync.adapter().listed()
    #expect(entries.ids == ["a"] && entries.gaps.count == 1 && entries.checkpoint == nil)
  }

  @Test(arguments: [500, 502, 200])
  func `a list that fails for ever from some page on is read up to there`(status: Int) async throws
  {
    let stage = try ReadeckStage { request in
      let first = request.parameter("offset").flatMap { Int($0) } ?? 0
      return request.path == "/api/bookmarks" && first >= 100 ? .json("{", status: status) : nil
    }
    stage.server.behaviour.version = (0, 17, 0)
    stage.fill(250)
    let listed = try await stage.adapter().listed()
    #expect(listed.ids.count == 100 && !listed.isComplete && listed.checkpoint == nil)
    #expect(listed.gaps.last?.hasPrefix("the list was not read beyond bookmark") == true)
    #expect(stage.client.requests.count < 20)
  }

  @Test(arguments: [403, 302])
  func `highlights that are refused cost no article`(status: Int) async throws {
    let stage = try Self.stage(sync: true) { request in
      request.path.hasSuffix("/annotations")
        ? ServerResponse(status, headers: ["Location": "https://other.test/"]) : nil
    }
    let id = stage.server.ids[2]
    let item = try await stage.adapter().fetch(id)
    #expect(item.html.contains("words."))
    #expect(item.missing.map(\.name) == ["highlights"])
  }

  @Test func `an unreadable highlight is reported`() async throws {
    let stage = try Self.stage(sync: true) { request in
      request.path.hasSuffix("/annotations")
        ? .json("[{\"id\":\"h1\",\"text\":\"marked\"},{\"id\":7}]") : nil
    }
    let item = try await stage.adapter().fetch(stage.server.ids[2])
    #expect(item.annotations.map(\.id) == ["h1"])
    #expect(item.missing.map(\.name) == ["a highlight"])
  }

  @Test func `a token refused to every request ends the source`() async throws {
    let stage = try Self.stage(sync: true) { $0.path == "/api/info" ? nil : Fault.refused.response }
    #expect(await stage.listingError()?.code == .unauthorized)
    #expect(await (try stage.adapter()).failure(stage.server.ids[0])?.code == .unauthorized)
  }
}
