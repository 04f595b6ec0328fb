import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Synchronization
import Testing

struct ContractTests {
  @Test(arguments: [200, 204, 304, 400, 401, 404, 418, 500, 503])
  func `a response of any status is a value`(status: Int) async throws {
    let loopback = try Loopback { _ in
      ServerResponse(status, headers: ["X-Note": "kept"], body: .bytes(Array("body".utf8)))
    }
    let response = try await loopback.get("/thing")
    #expect(response.status == status)
    #expect(response.headers["x-note"] == "kept")
    #expect(response.url == (try loopback.url("/thing")))
    if status != 204 && status != 304 { #expect(response.body == Array("body".utf8)) }
  }

  @Test func `a request without a server throws`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let url = try loopback.url("/secret-free?token=hidden")
    loopback.server.stop()
    let client = loopback.client()
    let error = await failure {
      while true { _ = try await client.send(HTTPRequest(.get, url, timeouts: .brief)) }
    }
    #expect(error?.code == .connect)
    #expect(error?.isRetryable == true)
    #expect(error?.message.contains("/secret-free") == true)
    #expect(error?.message.contains("hidden") == false)
  }

  @Test func `the sink gets bodies of successes, not of errors`() async throws {
    let loopback = try Loopback { request in
      .text(request.path == "/good" ? "fine" : "sorry", status: request.path == "/good" ? 200 : 500)
    }
    let sink = Collector()
    let good = try await loopback.get("/good", destination: .sink(sink, limit: 10))
    #expect(good.body.isEmpty)
    #expect(good.byteCount == 4)
    #expect(sink.bytes == Array("fine".utf8))
    #expect(sink.heads.map(\.status) == [200])
    let bad = try await loopback.get("/bad", destination: .sink(sink, limit: 10))
    #expect(bad.body == Array("sorry".utf8))
    #expect(sink.heads.count == 1)
  }

  @Test func `a sink is begun for an empty body`() async throws {
    let loopback = try Loopback { _ in ServerResponse(200) }
    let sink = Collector()
    _ = try await loopback.get("/", destination: .sink(sink, limit: 10))
    #expect(sink.heads.map(\.status) == [200])
    #expect(sink.bytes.isEmpty)
  }

  @Test func `a sink's headers go with the request and ask for no encoding`() async throws {
    let loopback = try Loopback { request in
      ServerResponse(206, headers: ["Content-Range": "bytes 2-3/4"], body: .bytes([3, 4]))
    }
    let sink = Collector(attempt: ["Range": "bytes=2-", "If-Range": "\"v1\""])
    _ = try await loopback.get("/", destination: .sink(sink, limit: 10))
    let request = try #require(loopback.server.requests.first)
    #expect(request.headers["Range"] == "bytes=2-")
    #expect(request.headers["If-Range"] == "\"v1\"")
    #expect(request.headers["Accept-Encoding"] == "identity")
  }

  @Test func `what a sink throws is the cause of the error`() async throws {
    let loopback = try Loopback { _ in .data([1, 2, 3, 4]) }
    let sink = Collector(capacity: 2)
    let error = await failure { try await loopback.get("/", destination: .sink(sink, limit: 10)) }
    #expect(error?.code == .sink)
    #expect(error?.underlying is Collector.Refusal)
  }

  @Test func `the client's own fields and the caller's are sent`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    var request = HTTPRequest(
      .post, try loopback.url("/a%20b/../c?x=1%202&y"), headers: ["X-A": "1", "X-Empty": ""],
      body: Array("{}".utf8), timeouts: .brief)
    request.headers["Content-Type"] = "application/json"
    _ = try await loopback.client().send(request)
    let received = try #require(loopback.server.requests.first)
    #expect(received.method == "POST")
    #expect(received.query.map(\.name) == ["x", "y"])
    #expect(received.parameter("x") == "1 2")
    #expect(received.text == "{}")
    #expect(received.headers["Content-Type"] == "application/json")
    #expect(received.headers["User-Agent"] == "archiver-tests/1")
    #expect(received.headers["X-A"] == "1")
    #expect(received.headers["X-Empty"] == "")
    #expect(received.headers["Accept-Encoding"]?.contains("gzip") == true)
    #expect(received.headers["Expect"] == nil)
    #expect(received.headers["Cookie"] == nil)
    #expect(received.headers["Authorization"] == nil)
  }

  @Test func `a reused handle sends no earlier body or login`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let login = loopback.client(.basic(user: "u", password: Secret("p")))
    _ = try await login.send(
      HTTPRequest(.post, try loopback.url("/1"), body: [1, 2], timeouts: .brief))
    _ = try await login.send(HTTPRequest(.head, try loopback.url("/2"), timeouts: .brief))
    _ = try await loopback.get("/3")
    let requests = loopback.server.requests
    #expect(requests.map(\.method) == ["POST", "HEAD", "GET"])
    #expect(requests.map(\.body.count) == [2, 0, 0])
    #expect(requests.map { $0.headers["Authorization"] != nil } == [true, true, false])
    #expect(requests.last?.headers["Content-Type"] == nil)
  }

  @Test func `an empty POST has a length of zero`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    _ = try await loopback.client().send(
      HTTPRequest(.post, try loopback.url("/"), timeouts: .brief))
    #expect(loopback.server.requests.first?.headers["Content-Length"] == "0")
  }

  @Test func `a HEAD has no body and keeps the announced length`() async throws {
    let loopback = try Loopback { _ in .data([UInt8](repeating: 1, count: 100)) }
    let response = try await loopback.client().send(
      HTTPRequest(
        .head, try loopback.url("/"), destination: .memory(limit: 10), timeouts: .brief))
    #expect(response.body.isEmpty)
    #expect(response.headers["Content-Length"] == "100")
  }

  @Test func `header fields that repeat keep their order and bytes outside UTF-8 are Latin-1`()
    async throws
  {
    let loopback = try Loopback { _ in
      ServerResponse(
        misbehaviour: .raw(
          Array("HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-A: one\r\n".utf8)
            + Array("x-a: two\r\nX-B: caf".utf8) + [0xE9]
            + Array("\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nz\r\n0\r\nX-Late: 1\r\n\r\n".utf8)))
    }
    let response = try await loopback.get("/")
    #expect(response.status == 200)
    #expect(response.headers.values("X-A") == ["one", "two"])
    #expect(response.headers["X-B"] == "café")
    #expect(response.headers["X-Early"] == nil)
    #expect(response.headers["X-Late"] == nil)
    #expect(response.body == Array("z".utf8))
  }

  @Test(arguments: ["a\r\nX-Injected: 1", "a\nb", "a\0b"])
  func `a field that could break its line is refused`(value: String) async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let url = try loopback.url("/")
    let error = await failure {
      try await loopback.client().send(HTTPRequest(.get, url, headers: ["X-A": value]))
    }
    #expect(error?.code == .badURL)
    #expect(loopback.server.requests.isEmpty)
  }

  @Test func `twice as many connections are kept as there may be`() async throws {
    let servers = try (0..<3).map { _ in try LoopbackServer(handler: { _ in .text("x") }) }
    defer { for server in servers { server.stop() } }
    let loopback = try Loopback(maxConnections: 1) { _ in .text("x") }
    let client = loopback.client(allowing: ["127.0.0.1"])
    func visit(_ number: Int) async throws -> Int {
      let url = try loopback.url("/", on: servers[number])
      _ = try await client.send(HTTPRequest(.get, url, timeouts: .brief))
      // libcurl compares times of last use in milliseconds: no two visits may fall into the same.
      usleep(3_000)
      return servers[number].connectionCount
    }
    for number in [0, 1, 0, 1] { #expect(try await visit(number) == 1) }
    // The third replaces the one that was not used for longest.
    #expect(try await visit(2) == 1)
    #expect(try await visit(0) == 2)
  }

  @Test func `connections are reused and limited`() async throws {
    let answering = Mutex((now: 0, most: 0))
    let loopback = try Loopback(maxConnections: 4) { _ in
      answering.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      // The first of them wait for each other, on machines of any speed.
      while answering.withLock({ $0.most < 4 }) { usleep(1_000) }
      usleep(5_000)
      answering.withLock { $0.now -= 1 }
      return ServerResponse()
    }
    let client = loopback.client()
    let url = try loopback.url("/")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<60 {
        group.addTask { try await client.send(HTTPRequest(.get, url, timeouts: .brief)).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(loopback.server.requests.count == 60)
    #expect(loopback.server.maxConcurrentRequests == 4)
    #expect(loopback.server.connectionCount <= 8)
  }

  @Test func `downloads are limited and leave room for what is short`() async throws {
    let isReleased = Mutex(false)
    let loopback = try Loopback(maxDownloads: 3) { request in
      while request.path == "/file" && !isReleased.withLock({ $0 }) { usleep(2_000) }
      return .init()
    }
    let client = loopback.client()
    let (file, list) = (try loopback.url("/file"), try loopback.url("/list"))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<30 {
        group.addTask {
          try await client.send(
            HTTPRequest(
              .get, file, destination: .sink(Collector(), limit: 1_000), timeouts: .brief)
          ).status
        }
      }
      try await Condition.wait { loopback.server.requests.count >= 3 }
      // No download completes before this.
      _ = try await client.send(HTTPRequest(.get, list, timeouts: .brief))
      #expect(
        loopback.server.requests.map(\.path).sorted() == ["/file", "/file", "/file", "/list"])
      isReleased.withLock { $0 = true }
      for try await status in group { #expect(status == 200) }
    }
    #expect(loopback.server.requests.count == 31)
    #expect(loopback.server.maxConcurrentRequests <= 4)
  }

  @Test func `an engine that was shut down refuses and ends requests`() async throws {
    let loopback = try Loopback { _ in ServerResponse(misbehaviour: .delay(.seconds(20))) }
    let client = loopback.client()
    let url = try loopback.url("/")
    async let pending = failure { try await client.send(HTTPRequest(.get, url)) }
    try await Condition.wait { !loopback.server.requests.isEmpty }
    loopback.engine.shutdown()
    #expect(await pending?.code == .cancelled)
    #expect(await failure { try await client.send(HTTPRequest(.get, url)) }?.code == .cancelled)
  }
}
