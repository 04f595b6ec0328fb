import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// The earliest of several time limits ends a request. The times exceed 200 ms, because timers of
/// curl wake the engine that long after a connection.
@Suite struct TimeLimitTests {
  @Test func `a total limit ends a request long before its stall limit`() async throws {
    let loopback = try Loopback { _ in ServerResponse(misbehaviour: .delay(.seconds(20))) }
    let start = ContinuousClock.now
    let timeouts = HTTPTimeouts(stall: .seconds(60), total: .milliseconds(300))
    let error = await failure { try await loopback.get("/", timeouts: timeouts) }
    #expect(error?.code == .timeout)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `the limit of a waiting request is kept within a second`() async throws {
    let loopback = try Loopback(maxConnections: 1) { _ in
      ServerResponse(misbehaviour: .delay(.seconds(20)))
    }
    let client = loopback.client()
    let url = try loopback.url("/")
    async let first = failure { try await client.send(HTTPRequest(.get, url)) }
    try await Condition.wait { !loopback.server.requests.isEmpty }
    let hasty = HTTPTimeouts(total: .milliseconds(300))
    var isInTime = false
    // A busy machine may need several attempts.
    for _ in 0..<5 where !isInTime {
      let start = ContinuousClock.now
      let late = await failure { try await client.send(HTTPRequest(.get, url, timeouts: hasty)) }
      #expect(late?.code == .timeout)
      isInTime = ContinuousClock.now - start < .milliseconds(900)
    }
    #expect(isInTime)
    loopback.engine.shutdown()
    #expect(await first?.code == .cancelled)
  }
}
