import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Limits at their bounds, against a server.
struct TransportLimitTests {
  @Test(arguments: [true, false])
  func `a body that just fits its sink is taken`(isAnnounced: Bool) async throws {
    let loopback = try Loopback { _ in
      let bytes = [UInt8](repeating: 7, count: 1_000)
      return ServerResponse(body: isAnnounced ? .bytes(bytes) : .stream([bytes]))
    }
    let sink = Collector()
    _ = try await loopback.get("/", destination: .sink(sink, limit: 1_000))
    #expect(sink.bytes.count == 1_000)
    let error = await failure {
      try await loopback.get("/", destination: .sink(Collector(), limit: 999))
    }
    #expect(error?.code == .tooLarge)
  }

  /// Eight MiB and sixteen MiB of zeros, compressed twice.
  @Test(arguments: [
    (
      "H4sIAAAAAAACA+3XsQ2CQACF4TsuJhdGsCEm7sAEzsEqJJQ2DuAOLGDDCrSsQBhBPMbAfF/11697zTOHQ5XWKcYS/es7"
        + "brkOAAAAwJ/rlyFVR9z2rr3bAwAAAE7gfXl85mu59eEH2xnUp+8fAAA=", false
    ),
    (
      "H4sIAAAAAAACA+3arQ3CYBSG0f4gGgTgEXQMDIKQIFCYasIQOEQTJIYVSKhmBZiCsANBoAmlH0MgmnPUq698ckf7LAqS9HGN"
        + "42aUh8/5mXUjAAAAoOXK+y4NMSDK69t8WQAAAABtt+73Or8o8F4Np84BAAAArVdNxnloAYNXvZklHiUAAADgDy7F4rg9NSP+"
        + "Ag5zyLbIPwAA", true
    ),
  ])
  func `a body of eight MiB may expand as it does, a larger one at most a hundredfold`(
    body: String, isRefused: Bool
  ) async throws {
    let bytes = Array(try #require(Data(base64Encoded: body)))
    let loopback = try Loopback { _ in
      .data(bytes, headers: ["Content-Encoding": "gzip, gzip"])
    }
    let sink = Collector()
    let error = await failure {
      try await loopback.get("/", destination: .sink(sink, limit: 1 << 30))
    }
    #expect(error?.code == (isRefused ? .tooLarge : nil))
    #expect(isRefused || sink.bytes.count == 8 << 20)
  }

  @Test(arguments: ["", "a b", "a:b", "a\tb", "a\u{7F}", "é", " a"])
  func `a field whose name is no token is refused`(name: String) async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    var headers = HTTPHeaders()
    headers.append(name, "1")
    let request = HTTPRequest(.get, try loopback.url("/"), headers: headers, timeouts: .brief)
    #expect(await failure { try await loopback.client().send(request) }?.code == .badURL)
    #expect(loopback.server.requests.isEmpty)
  }

  @Test func `a field name may hold every other character`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let request = HTTPRequest(
      .get, try loopback.url("/"), headers: ["!x~": "a\tb"], timeouts: .brief)
    #expect(try await loopback.client().send(request).status == 200)
  }

  @Test func `a single redirect is followed if one is allowed`() async throws {
    let loopback = try Loopback { $0.path == "/end" ? .text("end") : .redirect("/end") }
    let request = HTTPRequest(.get, try loopback.url("/"), redirectLimit: 1, timeouts: .brief)
    #expect(try await loopback.client().send(request).body == Array("end".utf8))
  }

  @Test func `a request whose time is up before its turn ends, and a stop ends all`() async throws {
    let loopback = try Loopback(maxConnections: 1) { _ in
      ServerResponse(misbehaviour: .delay(.seconds(20)))
    }
    let client = loopback.client()
    let url = try loopback.url("/")
    async let first = failure { try await client.send(HTTPRequest(.get, url)) }
    try await Condition.wait { !loopback.server.requests.isEmpty }
    let hasty = HTTPTimeouts(total: .milliseconds(50))
    let late = await failure {
      try await client.send(HTTPRequest(.get, url, timeouts: hasty))
    }
    #expect(late?.code == .timeout)
    async let second = failure { try await client.send(HTTPRequest(.get, url)) }
    loopback.engine.shutdown()
    #expect(await second?.code == .cancelled)
    #expect(await first?.code == .cancelled)
    #expect(loopback.server.requests.count == 1)
  }
}
