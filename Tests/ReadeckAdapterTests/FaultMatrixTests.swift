import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// Whatever a request is answered with on every try, only what it asks for is missing.
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
  func `only what cannot be read is missing`(hasSync: Bool) async throws {
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
        let found = try await stage.adapter().listed()
        #expect(Set(found.ids) == Set(listed.ids), "\(what)")
        for id in listed.ids {
          guard let error = await (try stage.adapter()).failure(id) else { continue }
          #expect(key.contains(id), "\(what): \(id): \(error)")
          #expect(!error.endsSource || fault == .refused, "\(what): \(error)")
        }
      }
    }
  }

  @Test(arguments: Fault.allCases)
  private func `edits are taken whatever one of the lists answers`(fault: Fault) async throws {
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

  @Test func `a bookmark over which the server fails hides at most ten of the list`()
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
    #expect(listed.ids.count == 240)
    #expect(!listed.isComplete && listed.gaps.count == 1)
    #expect(listed.gaps.first?.hasPrefix("Bookmarks 41 to 50 of the list were left out") == true)
  }

  @Test func `a token refused to every request ends the source`() async throws {
    let stage = try Self.stage(sync: true) { $0.path == "/api/info" ? nil : Fault.refused.response }
    #expect(await stage.listingError()?.code == .unauthorized)
    #expect(await (try stage.adapter()).failure(stage.server.ids[0])?.code == .unauthorized)
  }
}
