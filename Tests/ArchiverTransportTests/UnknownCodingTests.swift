import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Responses whose `Content-Encoding` names no content coding, which are requested once more.
@Suite struct UnknownCodingTests {
  private func loopback(isAnnounced: Bool = true) throws -> Loopback {
    try Loopback { _ in
      let bytes = Array("hello".utf8)
      return ServerResponse(
        headers: ["Content-Encoding": "utf-8"],
        body: isAnnounced ? .bytes(bytes) : .stream([bytes]))
    }
  }

  @Test(arguments: [true, false])
  func `a body that just fits is taken, and one byte more is too large`(
    isAnnounced: Bool
  ) async throws {
    let loopback = try loopback(isAnnounced: isAnnounced)
    let response = try await loopback.get("/", destination: .memory(limit: 5))
    #expect(response.body == Array("hello".utf8))
    let sink = Collector()
    _ = try await loopback.get("/", destination: .sink(sink, limit: 5))
    #expect(sink.bytes == Array("hello".utf8))
    for destination in [BodyDestination.memory(limit: 4), .sink(Drain(), limit: 4)] {
      let error = await failure { try await loopback.get("/", destination: destination) }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test func `a truncated body stays an error`() async throws {
    let loopback = try Loopback { _ in
      .text("hello", headers: ["Content-Encoding": "utf-8"]).misbehaving(.truncateAfter(3))
    }
    #expect(await failure { try await loopback.get("/") }?.code == .truncated)
    #expect(loopback.server.requests.count == 2)
  }

  @Test func `a POST is not repeated for its response`() async throws {
    let loopback = try loopback()
    let request = HTTPRequest(.post, try loopback.url("/"), body: [1], timeouts: .brief)
    let error = await failure { try await loopback.client().send(request) }
    #expect(error?.code == .protocolError)
    #expect(loopback.server.requests.count == 1)
  }
}
