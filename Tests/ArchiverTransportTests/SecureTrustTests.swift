import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Trust and secrets, against a server with TLS.
@Suite(.enabled(if: SecureServer.isAvailable, "nginx and openssl are not installed"))
struct SecureTrustTests {
  private func engine() -> CurlEngine {
    CurlEngine(
      configuration: TransportConfiguration(userAgent: "archiver-tests/1", environment: [:]))
  }

  @Test func `a certificate of an unknown authority is reported as not trusted`() async throws {
    let server = try await SecureServer()
    let engine = engine()
    defer { engine.shutdown() }
    let client = engine.client(
      access: SourceAccess(baseURL: server.url), policy: AddressPolicy())
    let request = HTTPRequest(.get, server.url, timeouts: .brief)
    let error = await failure { try await client.send(request) }
    #expect(error?.code == .tls)
    #expect(error?.message.hasPrefix("\(server.url) cannot be trusted: ") == true)
  }

  @Test func `a redirect from https to http is refused with a caller's cookie`() async throws {
    let server = try await SecureServer()
    let engine = engine()
    defer { engine.shutdown() }
    let target = try LoopbackServer(handler: { _ in .text("plain") })
    defer { target.stop() }
    let client = engine.client(
      access: SourceAccess(baseURL: server.url, caFile: server.certificate),
      policy: AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")]))
    let url = try #require(server.url.resolving("/away?port=\(target.port)"))
    let request = HTTPRequest(.get, url, headers: ["Cookie": "a=1"], timeouts: .brief)
    let error = await failure { try await client.send(request) }
    #expect(error?.code == .redirectRefused)
    #expect(target.requests.isEmpty)
  }
}
