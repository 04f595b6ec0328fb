import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverTransport

/// Limits and conditions of requests that need no server.
struct TransportRuleTests {
  private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

  @Test(arguments: [(0, 1), (-1, 1), (1, 1), (5, 5)])
  func `there is at least one connection, one download and one attempt`(given: Int, used: Int) {
    let configuration = TransportConfiguration(
      userAgent: "test", maxConnections: given, maxDownloads: given, environment: [:])
    #expect((configuration.maxConnections, configuration.maxDownloads) == (used, used))
    #expect(RetryPolicy(attempts: given).attempts == used)
  }

  @Test(
    arguments: [
      (.seconds(2), 2_000), (.milliseconds(1_500), 1_500), (.microseconds(1_999), 1),
      (.microseconds(999), 1), (.zero, 1), (.seconds(-1), 1),
    ] as [(Duration, Int)])
  func `a time is told in whole milliseconds, and is never none`(
    duration: Duration, milliseconds: Int
  ) {
    #expect(duration.milliseconds == milliseconds)
  }

  // MARK: Attempts

  /// Returns the delays before the attempts of a request that always fails.
  private func delays(
    _ policy: RetryPolicy, jitter: Double = 1, retryAfter: String? = nil
  ) async throws -> [Double] {
    let time = FakeClock()
    var headers = HTTPHeaders()
    headers["Retry-After"] = retryAfter
    let client = RetryingHTTPClient(
      Script(.success(ServerResponse(503, headers: headers))), policy: policy, clock: time.clock,
      events: time, jitter: { jitter })
    let response = try await client.send(HTTPRequest(.get, try url("https://a.example/")))
    #expect(response.status == 503)
    return time.sleeps
  }

  @Test func `a delay doubles from one second to thirty`() async throws {
    let policy = RetryPolicy(attempts: 8, totalTime: .seconds(1_000))
    #expect(try await delays(policy) == [1, 2, 4, 8, 16, 30, 30])
  }

  @Test(arguments: [(2.0, 1.0), (-1.0, 0.0)])
  func `a delay is at most its bound, and not negative`(jitter: Double, delay: Double) async throws
  {
    #expect(try await delays(RetryPolicy(attempts: 2), jitter: jitter) == [delay])
  }

  @Test(arguments: [("120", [120]), ("121", [])] as [(String, [Double])])
  func `an attempt may start two minutes after the first`(
    retryAfter: String, delays: [Double]
  ) async throws {
    let found = try await self.delays(RetryPolicy(attempts: 2), retryAfter: retryAfter)
    #expect(found == delays)
  }

  @Test func `a delay of any number of attempts can be computed`() {
    let policy = RetryPolicy(firstDelay: .microseconds(1), longestDelay: .seconds(100))
    #expect(policy.longestBackoff(after: 20) == .microseconds(524_288))
    for attempt in [21, 22, 1_000] {
      #expect(policy.longestBackoff(after: attempt) == .microseconds(1_048_576))
    }
  }

  // MARK: Redirects and logins

  @Test(arguments: [
    ("https://a.example/x", "https://b.example/y"), ("http://a.example/x", "http://a.example/y"),
    ("http://a.example/x", "https://a.example/y"),
  ])
  func `a redirect that exposes no credential is followed with one`(
    from: String, to: String
  ) throws {
    let hop = Hop(HTTPRequest(.get, try url(from)))
    let response = HTTPResponse(
      head: HTTPResponseHead(status: 302, headers: [:], url: try url(from)))
    let next = try hop.following(to, response: response, limit: 1, carriedCredential: true)
    #expect(next.url.absoluteString == to)
  }

  @Test(
    arguments: [
      (["Cookie": "a=1"], true), (["authorization": "x"], true), (["X-Key": "k"], false),
      ([:], false),
    ] as [(HTTPHeaders, Bool)])
  func `a caller's login or cookie is a secret`(headers: HTTPHeaders, isSecret: Bool) throws {
    let request = HTTPRequest(.get, try url("https://a.example/"), headers: headers)
    #expect(Hop(request).carriesSecrets == isSecret)
  }

  @Test func `a cookie's path may contain an equals sign`() throws {
    let origin = try url("https://a.example/x")
    var cookies = RedirectCookies()
    let head = HTTPResponseHead(
      status: 302, headers: ["Set-Cookie": "n=1; Path=/a=b"], url: origin)
    cookies.take(HTTPResponse(head: head), from: origin)
    #expect(cookies.field(for: try url("https://a.example/a=b/c")) == "n=1")
    #expect(cookies.field(for: try url("https://a.example/a/c")) == nil)
  }

  @Test func `the nonce of the last challenge is the one that was accepted`() {
    var memory = DigestMemory()
    let answers: [(status: Int, challenges: [String])] = [
      (401, ["a", "b"]), (200, []), (401, ["b"]),
    ]
    let isReplaced = answers.map { memory.learn(status: $0.status, challenges: $0.challenges) }
    #expect(isReplaced == [false, false, false], "the password is wrong")
    #expect(DigestMemory.nonce(in: "Digest nonce=\"first\", realm=\"a\"") == "first")
  }

  // MARK: Hosts

  @Test(arguments: [
    "1.example", "example.1a", "a1.9b", "müller", "xhome.arpa", "localhost.example",
  ])
  func `a name that only looks like an address or a local name is a name`(host: String) {
    #expect(HostName(urlHost: host) == .name(host))
  }

  @Test(arguments: ["example.0", "example.9", "a%7Fb.example", "1.2.3.4.5"])
  func `a name that ends like an address, or holds a control character, is invalid`(host: String) {
    #expect(HostName(urlHost: host) == .invalid)
  }

  @Test(arguments: ["home.arpa", "metadata.platformequinix.com"])
  func `a name that serves a home or a machine room is local`(host: String) {
    #expect(HostName(urlHost: host) == .local(host))
    #expect(HostName(urlHost: "\(host).") == .local(host))
  }

  @Test func `a name has at most 1024 bytes`() {
    let name = String(repeating: "a", count: 1_022) + ".b"
    #expect(HostName(urlHost: name) == .name(name))
    #expect(HostName(urlHost: "a" + name) == .invalid)
  }

  @Test func `an unassigned address that is not routed is global`() throws {
    #expect(try #require(IPAddress("0:1::1")).addressClass == .global)
    #expect(try #require(IPAddress("5f00::1")).addressClass == .reserved)
    #expect(try #require(IPAddress("1::1")).addressClass == .global)
  }

  @Test(arguments: ["192.0.2.1", "2001:db8::1"])
  func `an address in text is found without a query, once`(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(NameLookup.addresses(of: text) == [address])
  }

  // MARK: Addresses that a request may reach

  private func permit(
    for text: String, proxy: String? = nil, timeout: Duration = .seconds(20),
    lookUp: @escaping @Sendable (String) -> [IPAddress]
  ) async throws -> AddressGuard.Permit {
    let proxies = ProxySettings(environment: proxy.map { ["http_proxy": $0] } ?? [:])
    let addressGuard = AddressGuard(
      resolver: NameResolver(replacement: nil, lookUp: lookUp), proxies: proxies,
      policy: AddressPolicy(), source: nil)
    return try await addressGuard.permit(for: try url(text), timeout: timeout)
  }

  @Test func `a name is pinned to what the system answers, and without an answer it fails`()
    async throws
  {
    let address = try #require(IPAddress("93.184.216.34"))
    let permit = try await permit(for: "http://a.example/") { $0 == "a.example" ? [address] : [] }
    #expect(permit.pinned == [address] && !permit.isUnrestricted)
    let none = await failure { try await self.permit(for: "http://b.example/") { _ in [] } }
    #expect(none?.code == .resolve)
    let invalid = await failure {
      try await self.permit(for: "http://example.1/") { _ in [address] }
    }
    #expect(invalid?.code == .badURL)
  }

  @Test func `a proxy's own addresses are allowed, whatever it is called`() async throws {
    let address = try #require(IPAddress("10.0.0.1"))
    let named = try await permit(for: "http://a.example/", proxy: "http://proxy.example:3128") {
      $0 == "proxy.example" ? [address] : []
    }
    #expect(named.proxyAddresses == [address] && named.pinned.isEmpty)
    #expect(named.allows(address))
    let other = try #require(IPAddress("10.0.0.2"))
    #expect(!named.allows(other))
    let unknown = await failure {
      try await self.permit(for: "http://a.example/", proxy: "http://proxy.example:3128") { _ in []
      }
    }
    #expect(unknown?.code == .resolve)
  }

  @Test func `a name whose look-up takes too long is a timeout`() async throws {
    let error = await failure {
      try await self.permit(for: "http://a.example/", timeout: .milliseconds(10)) { _ in
        usleep(5_000_000)
        return []
      }
    }
    #expect(error?.code == .timeout)
    #expect(error?.message.contains("http://a.example/") == true)
  }
}
