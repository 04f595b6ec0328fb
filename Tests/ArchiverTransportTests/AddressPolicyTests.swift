import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

struct AddressPolicyTests {
  private func code(_ client: any HTTPClient, _ url: String) async throws -> HTTPError.Code? {
    let request = HTTPRequest(
      .get, try #require(WebURL(url)), timeouts: .brief)
    return await failure { try await client.send(request) }?.code
  }

  @Test func `only the source and what is named may be private`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let port = loopback.server.port
    let url = "http://127.0.0.1:\(port)/"
    #expect(try await code(loopback.client(), url) == nil)
    #expect(try await code(loopback.stranger(), url) == .addressDenied)
    #expect(try await code(loopback.stranger(allowing: ["127.0.0.1:\(port)"]), url) == nil)
    #expect(try await code(loopback.stranger(allowing: ["127.0.0.1"]), url) == nil)
    #expect(try await code(loopback.stranger(allowing: ["127.0.0.1:1"]), url) == .addressDenied)
    #expect(try await code(loopback.stranger(allowing: ["localhost"]), url) == .addressDenied)
    #expect(loopback.server.requests.count == 3)
  }

  @Test func `another port of the source's host is not the source`() async throws {
    let other = try LoopbackServer(handler: { _ in ServerResponse() })
    defer { other.stop() }
    let loopback = try Loopback { _ in ServerResponse() }
    #expect(
      try await code(loopback.client(), other.baseURL.absoluteString) == .addressDenied)
    #expect(other.connectionCount == 0)
  }

  @Test func `a redirect into the private network is denied`() async throws {
    let other = try LoopbackServer(handler: { _ in ServerResponse() })
    defer { other.stop() }
    let loopback = try Loopback { .redirect($0.query.first?.name ?? "") }
    for target in [
      other.baseURL.absoluteString, "http://localhost:\(other.port)/",
      "http://2130706433:\(other.port)/", "http://[::ffff:127.0.0.1]:\(other.port)/",
      "http://169.254.169.254/latest/meta-data/",
    ] {
      let start = try loopback.url("/?\(target)").absoluteString
      #expect(try await code(loopback.client(), start) == .addressDenied, "\(target)")
    }
    #expect(other.connectionCount == 0)
  }

  @Test func `a name with a private address is denied`() async throws {
    let answers = [
      "one.test": ["127.0.0.1"], "mixed.test": ["93.184.216.34", "10.0.0.1"],
      "six.test": ["::1"], "nat64.test": ["64:ff9b::7f00:1"], "none.test": [],
    ]
    let loopback = try Loopback(resolver: { answers[$0] }) { _ in ServerResponse() }
    for name in ["one.test", "mixed.test", "six.test", "nat64.test"] {
      let url = "http://\(name):\(loopback.server.port)/"
      #expect(try await code(loopback.stranger(), url) == .addressDenied, "\(name)")
    }
    #expect(try await code(loopback.stranger(), "http://none.test/") == .resolve)
    #expect(loopback.server.connectionCount == 0)
  }

  @Test func `a name is bound to the answer that was judged`() async throws {
    let calls = Mutex(0)
    let addressGuard = AddressGuard(
      resolver: NameResolver(replacement: { _ in
        calls.withLock { count in
          count += 1
          return [count == 1 ? "93.184.216.34" : "127.0.0.1"]
        }
      }), proxies: ProxySettings(environment: [:]), policy: AddressPolicy(), source: nil)
    let url = try #require(WebURL("http://rebind.test/"))
    let permit = try await addressGuard.permit(for: url, timeout: .seconds(1))
    #expect(permit.pinned.map(\.description) == ["93.184.216.34"])
    #expect(!permit.allows(try #require(IPAddress("127.0.0.1"))))
    let second = await failure { try await addressGuard.permit(for: url, timeout: .seconds(1)) }
    #expect(second?.code == .addressDenied)
  }

  @Test func `a translator's address beside others is left out`() async throws {
    let addressGuard = AddressGuard(
      resolver: NameResolver(replacement: { _ in ["64:ff9b::5db8:d822", "93.184.216.34"] }),
      proxies: ProxySettings(environment: [:]), policy: AddressPolicy(), source: nil)
    let url = try #require(WebURL("http://six.test/"))
    let permit = try await addressGuard.permit(for: url, timeout: .seconds(1))
    #expect(permit.pinned.map(\.description) == ["93.184.216.34"])
  }

  @Test func `an international spelling of an address is judged and understood`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let url = try #require(WebURL("http://127。0。0。1:\(loopback.server.port)/"))
    #expect(try await code(loopback.stranger(), url.absoluteString) == .addressDenied)
    #expect(loopback.server.connectionCount == 0)
    let response = try await loopback.engine.perform(
      TransferRequest(
        url: url, method: .get, headers: [:], destination: .memory(),
        timeouts: .brief,
        permit: AddressGuard.Permit(isUnrestricted: true))
    ).get()
    #expect(response.status == 200)
  }

  @Test func `a socket is judged by the address it would connect to`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let url = try #require(WebURL("http://socket.test:\(loopback.server.port)/"))
    var transfer = TransferRequest(
      url: url, method: .get, headers: [:], destination: .memory(),
      timeouts: .brief,
      permit: AddressGuard.Permit(pinned: [try #require(IPAddress("127.0.0.1"))]))
    let denied = await loopback.engine.perform(transfer)
    #expect(await failure { try denied.get() }?.code == .addressDenied)
    #expect(loopback.server.connectionCount == 0)
    transfer.permit.isUnrestricted = true
    #expect(try await loopback.engine.perform(transfer).get().status == 200)
  }

  @Test func `a pooled connection does not serve a request that may not use it`() async throws {
    let isKnown = Mutex(false)
    let loopback = try Loopback(resolver: { _ in
      isKnown.withLock { [$0 ? "192.31.196.1" : "127.0.0.1"] }
    }) { _ in ServerResponse() }
    let url = "http://pool.test:\(loopback.server.port)/"
    #expect(try await code(loopback.stranger(allowing: ["pool.test"]), url) == nil)
    isKnown.withLock { $0 = true }
    #expect(try await code(loopback.stranger(), url) == .addressDenied)
    #expect(loopback.server.requests.count == 1)
    isKnown.withLock { $0 = false }
    #expect(try await code(loopback.stranger(allowing: ["pool.test"]), url) == nil)
  }

  @Test func `through a proxy the target is still judged`() async throws {
    let answers = ["public.test": ["192.31.196.1"], "private.test": ["10.0.0.1"]]
    let proxy = try LoopbackServer(handler: { .text("proxied \($0.target)") })
    defer { proxy.stop() }
    let loopback = try Loopback(
      resolver: { answers[$0] ?? [] },
      environment: [
        "http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "direct.test,127.0.0.1",
      ]
    ) { _ in ServerResponse() }
    let client = loopback.stranger()
    for url in ["http://public.test/a", "http://unknown.example/b", "http://192.31.196.1/c"] {
      let response = try await client.send(
        HTTPRequest(.get, try #require(WebURL(url)), timeouts: .brief))
      #expect(String(decoding: response.body, as: UTF8.self) == "proxied \(url)")
    }
    for url in [
      "http://private.test/", "http://10.0.0.1/", "http://localhost/", "http://127.0.0.1:1/",
      "http://127.0.0.1:\(proxy.port)/", "http://metadata.google.internal/",
    ] { #expect(try await code(client, url) == .addressDenied, "\(url)") }
    #expect(proxy.requests.count == 3)
    #expect(try await loopback.get("/direct").body.isEmpty)
    #expect(loopback.server.requests.map(\.target) == ["/direct"])
  }

  @Test(arguments: [
    (["http_proxy": "http://p:1"], "p", nil), (["HTTP_PROXY": "http://p:1"], nil, nil),
    (["HTTPS_PROXY": "q:3128"], nil, "q"), (["all_proxy": "socks5h://u:w@s:1080"], "s", "s"),
    (["http_proxy": "", "all_proxy": "a"], nil, "a"), ([:], nil, nil),
  ])
  func `the environment names the proxies as for curl`(
    environment: [String: String], http: String?, https: String?
  ) {
    let settings = ProxySettings(environment: environment)
    #expect(settings.host(forScheme: "http") == http)
    #expect(settings.host(forScheme: "https") == https)
  }
}
