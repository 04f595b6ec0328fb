import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

struct CredentialTests {
  private static let login = "Basic dXNlcjpww6Rzcw=="

  @Test(arguments: [
    (Credential.bearer(Secret("t0ken")), "Bearer t0ken"),
    (.basic(user: "user", password: Secret("päss")), login),
    (.negotiated(user: "user", password: Secret("päss")), login),
  ])
  func `a credential is sent to its origin only`(credential: Credential, field: String)
    async throws
  {
    let other = try LoopbackServer(handler: { request in
      request.path == "/back"
        ? .redirect("http://\(request.parameter("to") ?? "")/end") : .text("x")
    })
    defer { other.stop() }
    let loopback = try Loopback { request in
      guard request.headers["Authorization"] == field else {
        return ServerResponse(401, headers: ["WWW-Authenticate": "Basic realm=\"r\""])
      }
      return request.path == "/away" ? .redirect(request.parameter("to") ?? "") : .text("in")
    }
    let client = loopback.client(credential, headers: ["X-Key": "k"], allowing: ["127.0.0.1"])
    let start = "/away?to=\(other.baseURL)back%3Fto%3D127.0.0.1:\(loopback.server.port)"
    let response = try await client.send(
      HTTPRequest(.get, try loopback.url(start), timeouts: .brief))
    #expect(response.body == Array("in".utf8))
    #expect(response.url.path == "/end")
    #expect(other.requests.map { $0.headers["Authorization"] } == [nil])
    #expect(other.requests.map { $0.headers["X-Key"] } == [nil])
    #expect(loopback.server.requests.allSatisfy { $0.headers["X-Key"] == "k" })
    _ = try await client.send(HTTPRequest(.get, other.baseURL, timeouts: .brief))
    #expect(other.requests.last?.headers["Authorization"] == nil)
  }

  @Test func `a request that wants no credential carries none`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let client = loopback.client(.bearer(Secret("t0ken")), headers: ["X-Key": "k"])
    _ = try await client.send(
      HTTPRequest(.get, try loopback.url("/"), usesCredential: false, timeouts: .brief))
    #expect(loopback.server.requests.first?.headers["Authorization"] == nil)
    #expect(loopback.server.requests.first?.headers["X-Key"] == nil)
  }

  @Test func `a credential for some paths is sent to no other`() async throws {
    let loopback = try Loopback { request in
      request.path == "/api/away" ? .redirect("/logo.gif") : .text("x")
    }
    let client = loopback.engine.client(
      access: SourceAccess(
        baseURL: loopback.server.baseURL, credential: .bearer(Secret("t0ken")),
        headers: ["X-Key": "k"], credentialPaths: ["/api/"]), policy: AddressPolicy())
    for path in ["/api/items", "/logo.gif", "/api/away"] {
      _ = try await client.send(HTTPRequest(.get, try loopback.url(path), timeouts: .brief))
    }
    let requests = loopback.server.requests
    #expect(requests.map(\.path) == ["/api/items", "/logo.gif", "/api/away", "/logo.gif"])
    #expect(requests.map { $0.headers["Authorization"] != nil } == [true, false, true, false])
    // A proxy requires it for every URL.
    #expect(requests.allSatisfy { $0.headers["X-Key"] == "k" })
  }

  @Test func `another port or host name is another origin`() async throws {
    let loopback = try Loopback(resolver: { _ in ["127.0.0.1"] }) { _ in ServerResponse() }
    let client = loopback.client(.bearer(Secret("t0ken")), allowing: ["other.test"])
    let url = try #require(WebURL("http://other.test:\(loopback.server.port)/"))
    _ = try await client.send(HTTPRequest(.get, url, timeouts: .brief))
    #expect(loopback.server.requests.map { $0.headers["Authorization"] } == [nil])
  }

  @Test func `a source's field replaces the caller's`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let client = loopback.client(headers: ["X-Key": "source", "x-two": "1"])
    _ = try await client.send(
      HTTPRequest(.get, try loopback.url("/"), headers: ["x-key": "caller"], timeouts: .brief))
    #expect(loopback.server.requests.first?.headers.values("X-Key") == ["source"])
  }

  @Test(arguments: ["MD5", "SHA-256"])
  func `Digest is answered and then remembered`(algorithm: String) async throws {
    let gate = DigestGate(user: "Mufasa", password: "Circle of Life", algorithm: algorithm)
    let loopback = try Loopback { gate.answer($0) }
    let client = loopback.client(
      .negotiated(user: "Mufasa", password: Secret("Circle of Life")))
    for path in ["/dir/index.html", "/two?x=1", "/three"] {
      let response = try await client.send(
        HTTPRequest(.get, try loopback.url(path), timeouts: .brief))
      #expect(response.body == Array("welcome".utf8))
    }
    #expect(loopback.server.requests.count == 4)
    let post = try await client.send(
      HTTPRequest(.post, try loopback.url("/post"), body: Array("data".utf8), timeouts: .brief))
    #expect(post.status == 200)
    #expect(loopback.server.requests.last?.text == "data")
  }

  @Test func `a stale nonce is replaced`() async throws {
    let gate = DigestGate(user: "u", password: "p", algorithm: "MD5", usesPerNonce: 1)
    let loopback = try Loopback { gate.answer($0) }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    for path in ["/1", "/2", "/3"] {
      let response = try await client.send(
        HTTPRequest(.get, try loopback.url(path), timeouts: .brief))
      #expect(response.status == 200)
    }
  }

  @Test func `a new nonce is answered once although the server does not call the old one stale`()
    async throws
  {
    let gate = DigestGate(user: "u", password: "p", algorithm: "MD5", tellsStale: false)
    let loopback = try Loopback { gate.answer($0) }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    for path in ["/1", "/2", "/3"] {
      let response = try await client.send(
        HTTPRequest(.get, try loopback.url(path), timeouts: .brief))
      #expect(response.status == 200)
      gate.restart()
    }
    #expect(loopback.server.requests.count == 2 + 3 + 3)
  }

  @Test(arguments: [
    ("Digest realm=\"a\", nonce=\"abc\"", "abc"), ("digest nonce = MTIz==, qop=\"auth\"", "MTIz=="),
    ("Basic realm=\"a\"", nil), ("Digest realm=\"a\"", nil),
  ])
  func `the nonce of a challenge is read as it is`(field: String, nonce: String?) {
    #expect(DigestMemory.nonce(in: field) == nonce)
  }

  @Test func `only a login that was accepted is tried again with a new nonce`() {
    var memory = DigestMemory()
    #expect(!learns(&memory, 401, ["a"]), "the first challenge")
    #expect(!learns(&memory, 401, ["b"]), "never accepted")
    #expect(!learns(&memory, 200, []))
    #expect(!learns(&memory, 401, ["b"]), "the same nonce: the password is wrong")
    #expect(!learns(&memory, 401, ["c"]), "refused before")
    #expect(!learns(&memory, 200, []))
    #expect(!learns(&memory, 0, []), "no response changes nothing")
    #expect(!learns(&memory, 401, ["d", "e"]), "curl answered one already")
    #expect(!learns(&memory, 404, []))
    #expect(learns(&memory, 401, ["f"]))
    #expect(!learns(&memory, 401, ["g"]), "once")
    var other = DigestMemory()
    #expect(!learns(&other, 200, []))
    #expect(!learns(&other, 401, ["a"]), "there was no nonce before")
    var lost = DigestMemory()
    #expect(!learns(&lost, 0, ["a"]), "the answer to the challenge was lost")
    #expect(!learns(&lost, 401, ["b"]), "never accepted")
  }

  private func learns(_ memory: inout DigestMemory, _ status: Int, _ nonces: [String]) -> Bool {
    memory.learn(status: status, challenges: nonces)
  }

  @Test func `a password that became wrong is tried twice at most`() async throws {
    let gates = ["p", "changed"].map { DigestGate(user: "u", password: $0, algorithm: "MD5") }
    let isChanged = Mutex(false)
    let loopback = try Loopback { request in
      let hasChanged = isChanged.withLock { $0 }
      if hasChanged { gates[1].restart() }
      return gates[hasChanged ? 1 : 0].answer(request)
    }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    func send() async throws -> Int {
      try await client.send(HTTPRequest(.get, try loopback.url("/"), timeouts: .brief)).status
    }
    #expect(try await send() == 200)
    isChanged.withLock { $0 = true }
    let before = loopback.server.requests.count
    #expect(try await send() == 401)
    let tried = loopback.server.requests.dropFirst(before).count {
      $0.headers["Authorization"] != nil
    }
    #expect(tried == 2)
  }

  @Test func `a password is tried as Basic where a server refuses without a challenge`()
    async throws
  {
    let expected = "Basic " + Data("u:p".utf8).base64EncodedString()
    let loopback = try Loopback { request in
      request.headers["Authorization"] == expected ? .text("welcome") : ServerResponse(401)
    }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    for path in ["/1", "/2"] {
      let response = try await client.send(
        HTTPRequest(.get, try loopback.url(path), timeouts: .brief))
      #expect(response.status == 200)
    }
    #expect(loopback.server.requests.count == 3, "remembered")
    let wrong = loopback.client(.negotiated(user: "u", password: Secret("x")))
    let refused = try await wrong.send(
      HTTPRequest(.get, try loopback.url("/1"), timeouts: .brief))
    #expect(refused.status == 401)
    #expect(loopback.server.requests.count == 5, "tried once")
    _ = try await wrong.send(HTTPRequest(.get, try loopback.url("/1"), timeouts: .brief))
    let last = loopback.server.requests.suffix(2).map { $0.headers["Authorization"] == nil }
    #expect(last == [true, false], "what was refused is not remembered")
  }

  @Test(arguments: ["Bearer realm=\"api\"", "Session", "Custom a=\"1\", Token"])
  func `a password is tried as Basic where a server asks for another login only`(
    challenge: String
  ) async throws {
    let expected = "Basic " + Data("u:p".utf8).base64EncodedString()
    let loopback = try Loopback { request in
      request.headers["Authorization"] == expected
        ? .text("welcome") : ServerResponse(401, headers: ["WWW-Authenticate": challenge])
    }
    let client = loopback.client(.negotiated(user: "u", password: Secret("p")))
    let response = try await client.send(
      HTTPRequest(.get, try loopback.url("/1"), timeouts: .brief))
    #expect(response.status == 200)
    let wrong = loopback.client(.negotiated(user: "u", password: Secret("x")))
    let refused = try await wrong.send(
      HTTPRequest(.get, try loopback.url("/1"), timeouts: .brief))
    #expect(refused.status == 401)
    #expect(loopback.server.requests.count == 4, "tried once")
  }

  @Test(arguments: ["Basic realm=\"r\"", "Bearer, Basic realm=\"r\""])
  func `a wrong password is sent once where a server asks for one`(challenge: String) async throws {
    let loopback = try Loopback { _ in
      ServerResponse(401, headers: ["WWW-Authenticate": challenge])
    }
    let client = loopback.client(.negotiated(user: "u", password: Secret("wrong")))
    let response = try await client.send(
      HTTPRequest(.get, try loopback.url("/"), timeouts: .brief))
    #expect(response.status == 401)
    let tried = loopback.server.requests.count { $0.headers["Authorization"] != nil }
    #expect(tried == 1, "servers lock accounts")
  }

  @Test func `a wrong password is a response of 401`() async throws {
    let gate = DigestGate(user: "u", password: "right", algorithm: "MD5")
    let loopback = try Loopback { gate.answer($0) }
    let client = loopback.client(.negotiated(user: "u", password: Secret("wrong")))
    for _ in 1...2 {
      let response = try await client.send(
        HTTPRequest(.get, try loopback.url("/"), timeouts: .brief))
      #expect(response.status == 401)
    }
    #expect(loopback.server.requests.count <= 4)
  }
}
