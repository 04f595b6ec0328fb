import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

@testable import ArchiverTransport

struct RedirectTests {
  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
    (308, "POST", "POST"), (301, "HEAD", "HEAD"), (303, "HEAD", "HEAD"), (302, "GET", "GET"),
  ])
  func `a redirect changes the method as its status says`(
    status: Int, first: String, second: String
  ) async throws {
    let loopback = try Loopback { request in
      request.path == "/to" ? .text("there") : .redirect("to?q=1", status: status)
    }
    let method = try #require(HTTPRequest.Method(rawValue: first))
    let body: [UInt8]? = method == .post ? [1, 2, 3] : nil
    let response = try await loopback.client().send(
      HTTPRequest(
        method, try loopback.url("/from"), headers: ["Content-Type": "x/y"], body: body,
        timeouts: .brief))
    let requests = loopback.server.requests
    #expect(requests.map(\.method) == [first, second])
    #expect(requests.last?.target == "/to?q=1")
    #expect(requests.last?.body == (second == "POST" ? [1, 2, 3] : []))
    #expect((requests.last?.headers["Content-Type"] == nil) == (first != second))
    #expect(response.url == (try loopback.url("/to?q=1")))
  }

  @Test func `redirects are counted`() async throws {
    let loopback = try Loopback { request in
      let left = Int(request.parameter("left") ?? "") ?? 0
      return left == 0 ? .text("end") : .redirect("/?left=\(left - 1)")
    }
    let client = loopback.client()
    let enough = HTTPRequest(
      .get, try loopback.url("/?left=3"), redirectLimit: 3, timeouts: .brief)
    #expect(try await client.send(enough).body == Array("end".utf8))
    var tooFew = enough
    tooFew.redirectLimit = 2
    let error = await failure { try await client.send(tooFew) }
    #expect(error?.code == .redirectLoop)
    var none = enough
    none.redirectLimit = 0
    let response = try await client.send(none)
    #expect(response.status == 302)
    #expect(response.headers["Location"] == "/?left=2")
  }

  @Test func `cookies are kept within a chain of redirects only`()
    async throws
  {
    let loopback = try Loopback { request in
      let cookie = request.headers["Cookie"] ?? ""
      if request.path == "/picture", cookie.contains("seen=1") { return .text("picture") }
      var response = ServerResponse.redirect(request.path == "/picture" ? "/gate" : "/picture")
      if request.path == "/gate" {
        response.headers.append("Set-Cookie", "seen=1; Path=/; HttpOnly")
        response.headers.append("Set-Cookie", "gate=2; Path=/gate")
        response.headers.append("Set-Cookie", "gone=3; Path=/; Max-Age=0")
        response.headers.append("Set-Cookie", "other=4; Domain=elsewhere.example")
        response.headers.append("Set-Cookie", "safe=5; Path=/; Secure")
      }
      return response
    }
    #expect(try await loopback.get("/picture").body == Array("picture".utf8))
    #expect(try await loopback.get("/picture").body == Array("picture".utf8))
    #expect(
      loopback.server.requests.map { $0.headers["Cookie"] } == [
        nil, nil, "seen=1", nil, nil, "seen=1",
      ])
  }

  @Test(arguments: [
    ("a b", "name=a b"), ("a\tb", nil), ("a\u{1F}b", nil), ("a\u{7F}b", nil),
  ])
  func `a cookie may hold spaces but no control characters`(value: String, field: String?) throws {
    let url = try #require(WebURL("https://a.example/"))
    let head = HTTPResponseHead(status: 302, headers: ["Set-Cookie": "name=\(value)"], url: url)
    var cookies = RedirectCookies()
    cookies.take(HTTPResponse(head: head), from: url)
    #expect(cookies.field(for: url) == field)
  }

  @Test func `cookies stay with their host`() async throws {
    let loopback = try Loopback { request in
      guard request.path == "/from" else { return .text("x") }
      var response = ServerResponse.redirect(request.parameter("to") ?? "")
      response.headers.append("Set-Cookie", "mine=1; Path=/")
      return response
    }
    let other = try loopback.url("/to").absoluteString.replacing("127.0.0.1", with: "localhost")
    let request = HTTPRequest(.get, try loopback.url("/from?to=\(other)"), timeouts: .brief)
    _ = try await loopback.client(allowing: ["localhost"]).send(request)
    #expect(loopback.server.requests.map { $0.headers["Cookie"] } == [nil, nil])
  }

  @Test func `a circle is noticed before the limit`() async throws {
    let loopback = try Loopback { .redirect($0.path == "/a" ? "/b#x" : "/a#y") }
    let error = await failure { try await loopback.get("/a") }
    #expect(error?.code == .redirectLoop)
    #expect(loopback.server.requests.count == 2)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "javascript:alert(1)",
    "data:text/html,x", "http://",
  ])
  func `a redirect to anything but http and https is refused`(location: String) async throws {
    let loopback = try Loopback { _ in .redirect(location) }
    let error = await failure { try await loopback.get("/a") }
    #expect(error?.code == .redirectRefused)
  }

  @Test func `a redirect status without a location is a response`() async throws {
    let loopback = try Loopback { _ in ServerResponse(302) }
    #expect(try await loopback.get("/").status == 302)
  }

  @Test func `the sink gets the last hop only`() async throws {
    let loopback = try Loopback { request in
      guard request.path == "/a" else { return .text("end") }
      return ServerResponse(302, headers: ["Location": "/b"], body: .bytes(Array("moved".utf8)))
    }
    let sink = Collector()
    _ = try await loopback.get("/a", destination: .sink(sink, limit: 100))
    #expect(sink.bytes == Array("end".utf8))
    #expect(sink.heads.map(\.status) == [200])
  }

  @Test(arguments: ["Authorization", "Cookie", "Proxy-Authorization"])
  func `secret fields of the caller stay with their origin`(field: String) async throws {
    let other = try LoopbackServer(handler: { _ in .text("there") })
    defer { other.stop() }
    let target = try #require(other.baseURL.resolving("/x")).absoluteString
    let loopback = try Loopback { request in
      request.path == "/same" ? .redirect(target) : .redirect("/same")
    }
    let request = HTTPRequest(
      .get, try loopback.url("/"), headers: [field: "Bearer caller", "X-Plain": "1"],
      timeouts: .brief)
    _ = try await loopback.client(allowing: ["127.0.0.1"]).send(request)
    #expect(
      loopback.server.requests.map { $0.headers[field] } == ["Bearer caller", "Bearer caller"])
    #expect(other.requests.map { $0.headers[field] } == [nil])
    #expect(other.requests.map { $0.headers["X-Plain"] } == ["1"])
  }

  @Test func `from https to http a credential refuses the hop and its absence does not`() throws {
    let secure = try #require(WebURL("https://a.example/x"))
    let hop = Hop(HTTPRequest(.get, secure))
    let response = HTTPResponse(head: HTTPResponseHead(status: 302, headers: [:], url: secure))
    let refusal = #expect(throws: HTTPError.self) {
      try hop.following(
        "http://a.example/y", response: response, limit: 5, carriedCredential: true)
    }
    #expect(refusal?.code == .redirectRefused)
    let followed = try hop.following(
      "http://a.example/y", response: response, limit: 5, carriedCredential: false)
    #expect(followed.url.absoluteString == "http://a.example/y")
  }
}
