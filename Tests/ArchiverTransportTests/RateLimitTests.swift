import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

struct RateLimitTests {
  private let time = FakeClock()
  private let order = Order()

  /// Records the time of each request.
  final class Order: HTTPClient {
    private let passed = Mutex<[String]>([])
    var paths: [String] { passed.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      passed.withLock { $0.append(request.url.path) }
      return HTTPResponse(head: HTTPResponseHead(status: 200, headers: [:], url: request.url))
    }
  }

  private func client(rate: Double, clock: ArchiverClock? = nil) throws -> RateLimitedHTTPClient {
    let origin = try #require(WebURL("https://a.example/")).origin
    return RateLimitedHTTPClient(
      order, origin: origin, requestsPerSecond: rate, clock: clock ?? time.clock)
  }

  private func request(_ path: String) throws -> HTTPRequest {
    HTTPRequest(.get, try #require(WebURL("https://a.example\(path)")))
  }

  @Test func `requests keep the rate after the first`() async throws {
    let client = try client(rate: 4)
    let start = time.now
    for index in 0..<5 { _ = try await client.send(try request("/\(index)")) }
    #expect(abs(time.now.timeIntervalSince(start) - 1) < 0.001)
    #expect(time.sleeps.count == 4)
  }

  @Test func `an idle time saves no more than one request`() async throws {
    let client = try client(rate: 1)
    _ = try await client.send(try request("/"))
    time.pass(100)
    for _ in 0..<3 { _ = try await client.send(try request("/")) }
    #expect(time.sleeps.count == 2)
  }

  @Test func `a rate of zero is no limit`() async throws {
    let client = try client(rate: 0)
    for _ in 0..<5 { _ = try await client.send(try request("/")) }
    #expect(time.sleeps.isEmpty)
  }

  @Test func `a clock that is set back delays no request for longer`() async throws {
    let client = try client(rate: 1)
    _ = try await client.send(try request("/"))
    time.pass(-3_600)
    _ = try await client.send(try request("/"))
    #expect(time.sleeps.count == 1 && abs(time.sleeps[0] - 1) < 0.001)
  }

  @Test func `another origin is not delayed`() async throws {
    let client = try client(rate: 0.001)
    let other = try #require(WebURL("https://b.example/"))
    for _ in 0..<5 { _ = try await client.send(HTTPRequest(.get, other)) }
    #expect(time.sleeps.isEmpty)
  }

  @Test func `copies share the limit`() async throws {
    let client = try client(rate: 1)
    let copy = client
    _ = try await client.send(try request("/"))
    _ = try await copy.send(try request("/"))
    #expect(time.sleeps.count == 1)
  }

  @Test func `tokens go in the order in which they were requested`() async throws {
    let clock = HeldClock()
    let bucket = TokenBucket(rate: 1, clock: clock.clock)
    try await bucket.take()
    let tasks = try await takers(8, of: bucket)
    for task in tasks {
      clock.pass(1)
      try await task.value
    }
    #expect(order.paths == (0..<8).map { "/\($0)" })
  }

  @Test func `the token of a cancelled waiter is given to the next`() async throws {
    let clock = HeldClock()
    let bucket = TokenBucket(rate: 1, clock: clock.clock)
    try await bucket.take()
    let tasks = try await takers(6, of: bucket)
    for index in [0, 2, 3] { tasks[index].cancel() }
    for index in [0, 2, 3] {
      await #expect(throws: CancellationError.self) { try await tasks[index].value }
    }
    for index in [1, 4, 5] {
      clock.pass(1)
      try await tasks[index].value
    }
    #expect(order.paths == ["/1", "/4", "/5"])
  }

  @Test func `only the waiter that is cancelled leaves the queue`() async throws {
    let clock = HeldClock()
    let bucket = TokenBucket(rate: 1, clock: clock.clock)
    try await bucket.take()
    let tasks = try await takers(4, of: bucket)
    tasks[2].cancel()
    while await bucket.standing > 3 { await Task.yield() }
    var served: [Int] = []
    for (index, task) in tasks.enumerated() {
      clock.pass(1)
      if case .success = await task.result { served.append(index) }
    }
    #expect(served == [0, 1, 3])
  }

  @Test func `a request cancelled while it waits throws that`() async throws {
    let clock = HeldClock()
    let client = try client(rate: 1, clock: clock.clock)
    _ = try await client.send(try request("/first"))
    let request = try request("/second")
    let task = Task { await failure { try await client.send(request) } }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(order.paths == ["/first"])
  }

  /// Starts tasks that wait in the queue in this order.
  private func takers(
    _ count: Int, of bucket: TokenBucket
  ) async throws -> [Task<Void, any Error>] {
    var tasks: [Task<Void, any Error>] = []
    for index in 0..<count {
      let request = try request("/\(index)")
      tasks.append(
        Task {
          try await bucket.take()
          _ = try await order.send(request)
        })
      while await bucket.standing < index + 1 { await Task.yield() }
    }
    return tasks
  }
}

/// A clock that stops until it is advanced.
final class HeldClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

  var clock: ArchiverClock {
    ArchiverClock(
      now: { self.time.withLock { $0 } },
      sleep: { duration in
        let end = self.time.withLock { $0 } + duration / .seconds(1)
        while self.time.withLock({ $0 < end }) {
          try Task.checkCancellation()
          await Task.yield()
        }
      })
  }
}
