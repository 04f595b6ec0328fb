import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// TLS and HTTP/2 against a real server.
@Suite(.enabled(if: SecureServer.isAvailable, "nginx and openssl are not installed"))
struct TLSTests {
  private func engine() -> CurlEngine {
    CurlEngine(
      configuration: TransportConfiguration(userAgent: "archiver-tests/1", environment: [:]))
  }

  private func request(_ url: WebURL, _ path: String = "/small") throws -> HTTPRequest {
    HTTPRequest(.get, try #require(url.resolving(path)), timeouts: .brief)
  }

  @Test func `a private authority is trusted for its origin only`() async throws {
    let server = try await SecureServer()
    let engine = engine()
    defer { engine.shutdown() }
    let trusting = engine.client(
      access: SourceAccess(baseURL: server.url, caFile: server.certificate),
      policy: AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")]))
    #expect(try await trusting.send(try request(server.url)).body == Array("hello".utf8))
    let stranger = engine.client(
      access: nil, policy: AddressPolicy(origins: [server.url.origin, server.otherURL.origin]))
    #expect(await failure { try await stranger.send(try request(server.url)) }?.code == .tls)
    let elsewhere = await failure { try await trusting.send(try request(server.otherURL)) }
    #expect(elsewhere?.code == .tls)
    #expect(elsewhere?.isRetryable == false)
  }

  @Test func `a certificate for another name is refused`() async throws {
    let server = try await SecureServer()
    let engine = engine()
    defer { engine.shutdown() }
    let named = try #require(WebURL("https://localhost:\(server.url.origin.port)/"))
    let client = engine.client(
      access: SourceAccess(baseURL: named, caFile: server.certificate), policy: AddressPolicy())
    #expect(await failure { try await client.send(try request(named)) }?.code == .tls)
  }

  @Test func `a certificate file that is absent is named`() async throws {
    let engine = engine()
    defer { engine.shutdown() }
    let url = try #require(WebURL("https://127.0.0.1:9/"))
    let client = engine.client(
      access: SourceAccess(baseURL: url, caFile: "/absent/ca.pem"), policy: AddressPolicy())
    let error = await failure { try await client.send(try request(url)) }
    #expect(error?.code == .tls)
    #expect(error?.message.contains("/absent/ca.pem") == true)
  }

  @Test func `a server without TLS is said to have none`() async throws {
    let server = try await SecureServer()
    let engine = engine()
    defer { engine.shutdown() }
    let client = engine.client(
      access: SourceAccess(baseURL: server.plainURL), policy: AddressPolicy())
    let error = await failure { try await client.send(try request(server.plainURL)) }
    #expect(error?.code == .tls)
    #expect(error?.message.contains("does not speak TLS; perhaps its URL is http://") == true)
  }

  @Test func `many requests share one HTTP/2 connection`() async throws {
    let server = try await SecureServer()
    let engine = engine()
    defer { engine.shutdown() }
    let client = engine.client(
      access: SourceAccess(baseURL: server.url, caFile: server.certificate),
      policy: AddressPolicy())
    let request = try request(server.url)
    let connections = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let response = try await client.send(request)
          #expect(response.headers["X-Protocol"] == "HTTP/2.0")
          #expect(response.body == Array("hello".utf8))
          return response.headers["X-Connection"]
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1 ?? "none") }
    }
    #expect(connections.count <= 2)
  }

  @Test func `a plain server where TLS was expected is an error and does not hang`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let url = try #require(WebURL("https://127.0.0.1:\(loopback.server.port)/"))
    let error = await failure {
      try await loopback.stranger(allowing: ["127.0.0.1"]).send(try request(url))
    }
    #expect(error?.code == .tls || error?.code == .connectionLost)
  }

  @Test func `a redirect from https to http is refused with a credential only`() async throws {
    let server = try await SecureServer()
    let engine = engine()
    defer { engine.shutdown() }
    let target = try LoopbackServer(handler: { _ in .text("plain") })
    defer { target.stop() }
    for credential in [Credential.bearer(Secret("t")), nil] {
      let client = engine.client(
        access: SourceAccess(
          baseURL: server.url, credential: credential, caFile: server.certificate),
        policy: AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")]))
      let error = await failure {
        try await client.send(try request(server.url, "/away?port=\(target.port)"))
      }
      #expect(error?.code == (credential == nil ? nil : .redirectRefused))
    }
    #expect(target.requests.count == 1)
  }
}
