import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverTestKit
@testable import ArchiverTransport

/// Connections that fail or end outside of a response.
@Suite struct ConnectionEndTests {
  private func engine() -> CurlEngine {
    CurlEngine(
      configuration: TransportConfiguration(userAgent: "archiver-tests/1", environment: [:]))
  }

  private func error(
    from listener: RawListener, timeouts: HTTPTimeouts = .brief
  ) async -> HTTPError? {
    let engine = engine()
    defer { engine.shutdown() }
    let client = engine.client(
      access: SourceAccess(baseURL: listener.url), policy: AddressPolicy())
    let request = HTTPRequest(.get, listener.url, timeouts: timeouts)
    return await failure { try await client.send(request) }
  }

  @Test func `a reset during the handshake is a lost connection and does not concern trust`()
    async throws
  {
    let listener = try RawListener(scheme: "https") { socket in
      do {
        _ = try socket.read()
        socket.reset()
      } catch {
        socket.close()
      }
    }
    let error = await error(from: listener)
    #expect(error?.code == .connectionLost)
    #expect(error?.isRetryable == true)
    #expect(error?.message.hasPrefix("\(listener.url) failed: ") == true)
  }

  @Test func `a handshake without an answer ends with the limit for connecting`() async throws {
    let listener = try RawListener(scheme: "https")
    let timeouts = HTTPTimeouts(connect: .milliseconds(50), total: .seconds(10))
    let error = await error(from: listener, timeouts: timeouts)
    #expect(error?.code == .timeout)
    // Only curl, which keeps this limit, names a cause.
    #expect(error?.message.hasPrefix("\(listener.url) took too long: ") == true)
  }

  @Test func `an engine that is released closes its connections`() async throws {
    let isClosed = Mutex(false)
    let listener = try RawListener(scheme: "http") { socket in
      do {
        _ = try socket.read()
        try socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        let rest = try socket.read()
        isClosed.withLock { $0 = rest.isEmpty }
      } catch {
        isClosed.withLock { $0 = true }
      }
      socket.close()
    }
    func visit() async throws -> Int {
      let client = engine().client(
        access: SourceAccess(baseURL: listener.url), policy: AddressPolicy())
      return try await client.send(HTTPRequest(.get, listener.url, timeouts: .brief)).status
    }
    #expect(try await visit() == 200)
    try await Condition.wait(limit: .seconds(5)) { isClosed.withLock { $0 } }
  }

  @Test func `a refused connection is reported with its address, its cause and its origin`()
    async throws
  {
    let loopback = try Loopback { _ in ServerResponse() }
    let url = try loopback.url("/x?token=hidden")
    let client = loopback.client()
    loopback.server.stop()
    let error = await failure {
      while true { _ = try await client.send(HTTPRequest(.get, url, timeouts: .brief)) }
    }
    #expect(error?.code == .connect)
    #expect(error?.origin == url.origin)
    let message = error?.message ?? ""
    #expect(message.hasPrefix("\(url.withoutQuery) cannot be reached: "))
    #expect(message.contains("port \(loopback.server.port)"), "\(message)")
  }
}
