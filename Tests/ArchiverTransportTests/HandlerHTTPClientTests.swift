import ArchiverCore
import ArchiverTestKit
import Testing

/// The in-process client keeps the same contract as the one with sockets.
struct HandlerHTTPClientTests {
  private func base() throws -> WebURL { try #require(WebURL("https://reader.example/")) }

  private func request(_ path: String, _ method: HTTPRequest.Method = .get) throws -> HTTPRequest {
    HTTPRequest(method, try #require(try base().resolving(path)))
  }

  @Test func `a request reaches the handler whole and is recorded`() async throws {
    let client = HandlerHTTPClient(baseURL: try base(), bearer: Secret("t")) { request in
      .json("{\"q\": \"\(request.parameter("q") ?? "")\"}", status: 202)
    }
    var request = try request("/api/a%2Fb?q=x+y%26z", .post)
    request.body = [1, 2]
    request.headers = ["X-A": "1"]
    let response = try await client.send(request)
    #expect(response.status == 202)
    #expect(response.mediaType == "application/json")
    #expect(String(decoding: response.body, as: UTF8.self) == "{\"q\": \"x y&z\"}")
    let received = try #require(client.requests.first)
    #expect(received.method == "POST")
    #expect(received.segments == ["api", "a/b"])
    #expect(received.body == [1, 2])
    #expect(received.headers["Authorization"] == "Bearer t")
    #expect(received.headers["X-A"] == "1")
    #expect(received.headers["Host"] == "reader.example")
  }

  @Test func `an unexpected origin fails loudly and is recorded`() async throws {
    let client = HandlerHTTPClient(baseURL: try base()) { _ in ServerResponse() }
    let url = try #require(WebURL("https://other.example/x?signature=hidden"))
    let error = await failure { try await client.send(HTTPRequest(.get, url)) }
    #expect(error?.code == .badURL)
    #expect(client.unexpected == ["https://other.example/x"])
    #expect(client.requests.isEmpty)
  }

  @Test func `the credential stays with its origin, redirects included`() async throws {
    let other = try #require(WebURL("https://other.example/"))
    let client = HandlerHTTPClient(
      handlers: [
        try base().origin: { _ in .redirect("https://other.example/x") },
        other.origin: { _ in .text("there") },
      ],
      access: SourceAccess(
        baseURL: try base(), credential: .bearer(Secret("t")), headers: ["X-Key": "k"]))
    #expect(try await client.send(try request("/")).url.absoluteString == "\(other)x")
    #expect(client.requests.map { $0.headers["Authorization"] } == ["Bearer t", nil])
    #expect(client.requests.map { $0.headers["X-Key"] } == ["k", nil])
    var plain = try request("/")
    plain.usesCredential = false
    _ = try await client.send(plain)
    #expect(client.requests.last?.headers["Authorization"] == nil)
  }

  @Test func `redirects are limited, and a circle is noticed`() async throws {
    let client = HandlerHTTPClient(baseURL: try base()) { request in
      let left = Int(request.parameter("left") ?? "")
      return left.map { $0 == 0 ? .text("end") : .redirect("/?left=\($0 - 1)") } ?? .redirect("/a")
    }
    var request = try request("/?left=3")
    request.redirectLimit = 3
    #expect(try await client.send(request).status == 200)
    request.redirectLimit = 2
    let short = request
    #expect(await failure { try await client.send(short) }?.code == .redirectLoop)
    request.redirectLimit = 0
    #expect(try await client.send(request).status == 302)
    let circle = try self.request("/a")
    #expect(await failure { try await client.send(circle) }?.code == .redirectLoop)
  }

  @Test func `a body goes to its sink and obeys its limit`() async throws {
    let client = HandlerHTTPClient(baseURL: try base()) { request in
      request.path == "/bad" ? .text("sorry", status: 500) : .data([1, 2, 3, 4])
    }
    let sink = Collector(attempt: ["Range": "bytes=1-"])
    var request = try request("/")
    request.destination = .sink(sink, limit: 4)
    #expect(try await client.send(request).byteCount == 4)
    #expect(sink.bytes == [1, 2, 3, 4])
    #expect(client.requests.last?.headers["Range"] == "bytes=1-")
    for destination in [BodyDestination.memory(limit: 3), .sink(sink, limit: 3)] {
      request.destination = destination
      let tooSmall = request
      #expect(await failure { try await client.send(tooSmall) }?.code == .tooLarge)
    }
    #expect(try await client.send(try self.request("/bad")).body == Array("sorry".utf8))
  }

  @Test(arguments: [
    (Fault.resetAfter(1), HTTPError.Code.connectionLost), (.truncateAfter(1), .truncated),
    (.wrongLength(9), .truncated), (.stallAfter(1, .seconds(9)), .timeout), (.endless, .tooLarge),
    (.invalidChunking, .protocolError), (.closeSilently, .connectionLost),
  ])
  func `a fault becomes the error that it causes`(fault: Fault, code: HTTPError.Code) async throws {
    let client = HandlerHTTPClient(baseURL: try base()) { _ in .data([1, 2]).misbehaving(fault) }
    let request = try request("/")
    #expect(await failure { try await client.send(request) }?.code == code)
  }
}
