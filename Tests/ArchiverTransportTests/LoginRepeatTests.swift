import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

/// What is sent again when a server asks for a login.
@Suite struct LoginRepeatTests {
  @Test func `a body is sent again from its first byte after a challenge`() async throws {
    let gate = DigestGate(user: "u", password: "p", algorithm: "MD5", usesPerNonce: 1)
    let loopback = try Loopback { gate.answer($0) }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let timeouts = HTTPTimeouts(stall: .seconds(5), total: .seconds(10))
    // The first nonce is used up by the first request.
    for path in ["/1", "/2"] {
      let response = try await client.send(
        HTTPRequest(.put, try loopback.url(path), body: body, timeouts: timeouts))
      #expect(response.status == 200)
      #expect(loopback.server.requests.last?.body == body)
    }
  }

  @Test func `a password that became wrong is tried twice, whatever other connections learned`()
    async throws
  {
    let gates = ["p", "changed"].map { DigestGate(user: "u", password: $0, algorithm: "MD5") }
    let isChanged = Mutex(false)
    let arrived = Mutex(0)
    let loopback = try Loopback(maxConnections: 2) { request in
      let hasChanged = isChanged.withLock { $0 }
      if hasChanged {
        gates[1].restart()
        return gates[1].answer(request)
      }
      // The first two requests wait for each other, so each has a connection.
      arrived.withLock { $0 += 1 }
      while arrived.withLock({ $0 < 2 }) { usleep(1_000) }
      return gates[0].answer(request)
    }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    let url = try loopback.url("/")
    async let one = client.send(HTTPRequest(.get, url, timeouts: .brief)).status
    async let two = client.send(HTTPRequest(.get, url, timeouts: .brief)).status
    let statuses = [try await one, try await two]
    #expect(statuses == [200, 200])
    isChanged.withLock { $0 = true }
    let before = loopback.server.requests.count
    #expect(try await client.send(HTTPRequest(.get, url, timeouts: .brief)).status == 401)
    let tried = loopback.server.requests.dropFirst(before).count {
      $0.headers["Authorization"] != nil
    }
    #expect(tried == 2, "servers lock accounts")
  }

  /// The last step sends two requests at the same time. One handle knows the new nonce; the other
  /// is new and needs a challenge.
  @Test func `a login with a new nonce replaces one that knows an old nonce`() async throws {
    let gate = DigestGate(user: "u", password: "p", algorithm: "MD5", tellsStale: false)
    let arrived = Mutex(0)
    let loopback = try Loopback(maxConnections: 2) { request in
      arrived.withLock { $0 += 1 }
      while arrived.withLock({ $0 < 2 }) { usleep(1_000) }
      return gate.answer(request)
    }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    let url = try loopback.url("/")
    func sendTwo() async throws -> [Int] {
      async let one = client.send(HTTPRequest(.get, url, timeouts: .brief)).status
      async let two = client.send(HTTPRequest(.get, url, timeouts: .brief)).status
      return [try await one, try await two]
    }
    #expect(try await sendTwo() == [200, 200])
    gate.restart()
    #expect(try await client.send(HTTPRequest(.get, url, timeouts: .brief)).status == 200)
    let before = loopback.server.requests.count
    arrived.withLock { $0 = 0 }
    #expect(try await sendTwo() == [200, 200])
    #expect(loopback.server.requests.count - before == 3)
  }
}
