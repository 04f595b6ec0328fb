import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverTransport

struct FaultTests {
  private static let size = 200_000

  private func error(
    _ fault: Fault, destination: BodyDestination = .memory(),
    timeouts: HTTPTimeouts = .brief
  ) async throws -> HTTPError? {
    let loopback = try Loopback { _ in
      .data([UInt8](repeating: 7, count: FaultTests.size)).misbehaving(fault)
    }
    return await failure {
      try await loopback.get("/x?signature=hidden", destination: destination, timeouts: timeouts)
    }
  }

  @Test(arguments: [
    (Fault.resetAfter(1000), HTTPError.Code.connectionLost), (.resetAfter(0), .connectionLost),
    (.truncateAfter(1000), .truncated), (.truncateAfter(0), .truncated),
    (.wrongLength(300_000), .truncated), (.invalidChunking, .protocolError),
    (.invalidStatusLine, .protocolError), (.closeSilently, .connectionLost),
    (.raw(Array("what is this\r\n\r\n".utf8)), .protocolError),
    (.raw(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab".utf8)), .truncated),
  ])
  func `each fault has its error`(fault: Fault, code: HTTPError.Code) async throws {
    let error = try #require(try await error(fault))
    #expect(error.code == code, "\(error.message)")
    #expect(!error.message.contains("hidden"))
    #expect(error.message.contains("/x"))
  }

  @Test func `a body longer than announced ends where it was announced`() async throws {
    let loopback = try Loopback { _ in
      .data([UInt8](repeating: 7, count: 100)).misbehaving(.wrongLength(40))
    }
    #expect(try await loopback.get("/").body.count == 40)
  }

  @Test func `a stall ends with a timeout and does not wait for more`() async throws {
    let start = ContinuousClock.now
    let timeouts = HTTPTimeouts(stall: .milliseconds(300))
    let error = try await error(.stallAfter(1000, .seconds(20)), timeouts: timeouts)
    #expect(error?.code == .timeout)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `a server that says nothing at all stalls too`() async throws {
    let timeouts = HTTPTimeouts(stall: .milliseconds(300))
    #expect(try await error(.delay(.seconds(20)), timeouts: timeouts)?.code == .timeout)
  }

  @Test func `a request cannot stall before it is sent on a connection`() async throws {
    let request = TransferRequest(
      url: try #require(WebURL("http://a.example/")), method: .get, headers: [:],
      destination: .memory(), timeouts: .brief, permit: AddressGuard.Permit(isUnrestricted: true))
    let now = ContinuousClock.now
    var seen: [ContinuousClock.Instant?] = []
    _ = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
      let transfer = Transfer(request, continuation)
      seen.append(transfer.activity(at: now))
      _ = transfer.begin(connectedTo: "192.0.2.1")
      seen.append(transfer.activity(at: now + .seconds(1)))
      seen.append(transfer.activity(at: now + .seconds(2)))
      transfer.resume(.failure(HTTPError(.cancelled, "not sent")))
    }
    #expect(seen == [nil, now + .seconds(1), now + .seconds(1)])
  }

  @Test func `a slow body is no stall but meets the total limit`() async throws {
    let slow = Fault.drip(20_000, every: .milliseconds(200))
    let patient = HTTPTimeouts(stall: .milliseconds(1500))
    #expect(try await error(slow, timeouts: patient) == nil)
    let start = ContinuousClock.now
    let hasty = HTTPTimeouts(total: .milliseconds(250))
    #expect(try await error(slow, timeouts: hasty)?.code == .timeout)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `the total limit covers redirects together`() async throws {
    let loopback = try Loopback { request in
      let hop = Int(request.parameter("hop") ?? "") ?? 0
      return .redirect("/?hop=\(hop + 1)").misbehaving(.delay(.milliseconds(80)))
    }
    let error = await failure {
      try await loopback.get("/", timeouts: HTTPTimeouts(total: .milliseconds(300)))
    }
    #expect(error?.code == .timeout)
  }

  @Test(arguments: [true, false])
  func `a body over the limit is refused`(isAnnounced: Bool) async throws {
    let loopback = try Loopback { _ in
      let bytes = [UInt8](repeating: 7, count: 100_000)
      return ServerResponse(body: isAnnounced ? .bytes(bytes) : .stream([bytes]))
    }
    let sink = Collector()
    for destination in [BodyDestination.memory(limit: 99_999), .sink(sink, limit: 99_999)] {
      let error = await failure { try await loopback.get("/", destination: destination) }
      #expect(error?.code == .tooLarge)
      // The limit of a sink is that of its caller, who names it.
      let isFixed = if case .memory = destination { true } else { false }
      #expect(error?.message.hasSuffix(Limit.fixed(bytes: 99_999)) == isFixed)
    }
    #expect(sink.bytes.count <= 99_999)
    #expect(sink.heads.isEmpty == isAnnounced)
    let exact = try await loopback.get("/", destination: .memory(limit: 100_000))
    #expect(exact.body.count == 100_000)
  }

  @Test func `an endless body is cut at the limit`() async throws {
    #expect(try await error(.endless, destination: .memory(limit: 1 << 20))?.code == .tooLarge)
  }

  @Test func `an endless error page is kept in part`() async throws {
    let loopback = try Loopback { _ in
      ServerResponse(500, body: .bytes([65, 66]), misbehaviour: .endless)
    }
    let response = try await loopback.get("/")
    #expect(response.status == 500)
    #expect(response.body.count == 64 << 10)
  }

  @Test func `an error page of just the limit is whole and keeps its connection`() async throws {
    let page = [UInt8](repeating: 65, count: 64 << 10)
    let loopback = try Loopback { _ in ServerResponse(500, body: .bytes(page)) }
    for _ in 0..<2 {
      let response = try await loopback.get("/")
      #expect(response.status == 500)
      #expect(response.body == page)
    }
    #expect(loopback.server.connectionCount == 1)
  }

  @Test func `a head that never ends is refused`() async throws {
    let head = "HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: aaaaaaaaaaaaaaa\r\n", count: 60_000)
    let error = try await error(.raw(Array(head.utf8)))
    #expect(error != nil)
  }

  @Test func `a connection that closed while idle costs nothing`() async throws {
    let loopback = try Loopback { request in
      request.path == "/last"
        ? .text("still here") : ServerResponse(misbehaviour: .raw(Self.farewell))
    }
    #expect(try await loopback.get("/first").status == 200)
    #expect(try await loopback.get("/last").body == Array("still here".utf8))
  }

  private static let farewell = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
}
