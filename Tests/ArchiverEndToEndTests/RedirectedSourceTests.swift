import ArchiverCore
import ArchiverTestKit
import Testing

/// A source whose interface sends its client to another host.
@Suite struct RedirectedSourceTests {
  @Test(arguments: BuiltInSource.allCases)
  func `a source that moved to a private address ends the run and says so`(
    kind: BuiltInSource
  ) async throws {
    try await SourceStage.with(kind) { stage in
      let other = try LoopbackServer(handler: { _ in .json("{}") })
      defer { other.stop() }
      let place = other.baseURL.absoluteString
      stage.tamper { request, _ in .redirect(place + String(request.path.dropFirst()), status: 307)
      }
      let result = try await stage.run()
      // Only Notion decides where its interface is.
      #expect(result.code == (kind == .notion ? 3 : 2), "\(result.error)")
      #expect(result.error.contains("127.0.0.1:\(other.port)"), "\(result.error)")
      #expect(other.connectionCount == 0)
      #expect(!result.error.contains(SourceStage.token))
      #expect(stage.bundles().isEmpty)
    }
  }

  @Test(arguments: BuiltInSource.allCases, [301, 302, 303, 307, 308])
  func `the token does not follow a source to another host`(
    kind: BuiltInSource, status: Int
  ) async throws {
    try await SourceStage.with(kind) { stage in
      let other = try LoopbackServer(handler: { _ in ServerResponse(401) })
      defer { other.stop() }
      let place = other.baseURL.absoluteString
      stage.tamper { request, _ in
        .redirect(place + String(request.path.dropFirst()), status: status)
      }
      let result = try await stage.run("--allow-host", "127.0.0.1:\(other.port)")
      #expect([2, 3].contains(result.code), "\(result.code): \(result.error)")
      #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
      #expect(!result.error.contains(SourceStage.token))
      for request in other.requests {
        let carried = request.headers.fields.filter { $0.value.contains(SourceStage.token) }
        #expect(carried.isEmpty, "\(request.method) \(request.target): \(carried.map(\.name))")
      }
      #expect(stage.requests.contains { $0.headers["Authorization"] != nil }, "it has a token")
    }
  }
}
