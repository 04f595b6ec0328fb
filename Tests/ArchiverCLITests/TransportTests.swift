import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Notes what it is sent.
private final class EventLog: EventSink {
  let events = Mutex<[Event]>([])
  func send(_ event: Event) { events.withLock { $0.append(event) } }
}

@Suite struct TransportTests {
  @Test func `a source's client repeats and brings the credential and the name`()
    async throws
  {
    let count = Mutex(0)
    let server = try LoopbackServer { _ in
      let attempt = count.withLock {
        $0 += 1
        return $0
      }
      var response = ServerResponse.text("body")
      if attempt == 1 {
        response.status = 503
        response.headers["Retry-After"] = "7"
      }
      return response
    }
    defer { server.stop() }
    let waits = Mutex<[Duration]>([])
    let log = EventLog()
    // Sleeping moves the time on; what waits for a time to come would wait for ever otherwise.
    let clock = ArchiverClock(
      now: { waits.withLock { $0.reduce(Desk.now) { $0.addingTimeInterval($1 / .seconds(1)) } } },
      sleep: { wait in waits.withLock { $0.append(wait) } })
    let access = SourceAccess(
      baseURL: server.baseURL, credential: .bearer(Secret("t0ken")), requestsPerSecond: 2)
    let client = Transport(userAgent: "archiver/test").client(
      Services.ClientRequest(
        access: access, policy: AddressPolicy(), jobs: 4, events: log, clock: clock))
    let response = try await client.send(HTTPRequest(.get, server.baseURL))

    #expect(response.status == 200)
    #expect(server.requests.count == 2)
    #expect(server.requests[0].headers["Authorization"] == "Bearer t0ken")
    #expect(server.requests[0].headers["User-Agent"] == "archiver/test")
    let slept = waits.withLock { $0 }
    #expect(slept.contains(.seconds(7)), "Retry-After is obeyed")
    let isRetry = log.events.withLock { events in
      events.contains { if case .retrying = $0 { true } else { false } }
    }
    #expect(isRetry)
  }

  @Test func `a private address other than the source's is refused unless it is allowed`()
    async throws
  {
    let server = try LoopbackServer { _ in .text("picture") }
    defer { server.stop() }
    let elsewhere = try #require(WebURL("https://read.example.org"))
    let transport = Transport(userAgent: "archiver/test")
    let request = HTTPRequest(.get, server.baseURL)
    func client(_ hosts: Set<AddressPolicy.AllowedHost>) -> any HTTPClient {
      transport.client(
        Services.ClientRequest(
          access: SourceAccess(baseURL: elsewhere), policy: AddressPolicy(hosts: hosts), jobs: 4,
          events: EventLog(), clock: .system))
    }
    await #expect(throws: HTTPError.self) { try await client([]).send(request) }
    let host = try #require(AddressPolicy.AllowedHost("127.0.0.1:\(server.port)"))
    #expect(try await client([host]).send(request).status == 200)
  }
}
