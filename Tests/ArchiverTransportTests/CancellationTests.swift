import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Synchronization
import Testing

struct CancellationTests {
  @Test(arguments: [Fault.delay(.seconds(20)), .stallAfter(1, .seconds(20)), .endless])
  func `cancelling ends a request at once`(fault: Fault) async throws {
    let loopback = try Loopback { _ in
      .data([UInt8](repeating: 1, count: 60_000)).misbehaving(fault)
    }
    let client = loopback.client()
    let url = try loopback.url("/")
    let task = Task {
      await failure {
        try await client.send(HTTPRequest(.get, url, destination: .sink(Drain(), limit: .max)))
      }
    }
    try await Condition.wait { !loopback.server.requests.isEmpty }
    let start = ContinuousClock.now
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test func `a task cancelled before it starts sends nothing`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let client = loopback.client()
    let url = try loopback.url("/")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await failure { try await client.send(HTTPRequest(.get, url)) }
    }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(loopback.server.requests.isEmpty)
  }

  @Test func `a request that waits for its turn can be cancelled and lets the next pass`()
    async throws
  {
    let isReleased = Mutex(false)
    let loopback = try Loopback(maxConnections: 1) { request in
      while request.path == "/slow" && !isReleased.withLock({ $0 }) { usleep(2000) }
      return ServerResponse()
    }
    let client = loopback.client()
    let (slow, queued, last) = (
      try loopback.url("/slow"), try loopback.url("/queued"), try loopback.url("/last")
    )
    async let first = client.send(HTTPRequest(.get, slow))
    try await Condition.wait { !loopback.server.requests.isEmpty }
    let task = Task { await failure { try await client.send(HTTPRequest(.get, queued)) } }
    async let third = client.send(HTTPRequest(.get, last))
    try await Task.sleep(for: .milliseconds(50))
    let start = ContinuousClock.now
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(2))
    isReleased.withLock { $0 = true }
    #expect(try await first.status == 200)
    #expect(try await third.status == 200)
    #expect(loopback.server.requests.map(\.path) == ["/slow", "/last"])
  }

  @Test func `a crowd of requests cancelled at random leaves the engine working`() async throws {
    let loopback = try Loopback { _ in
      .data([UInt8](repeating: 1, count: 3000)).misbehaving(.drip(1000, every: .milliseconds(2)))
    }
    let client = loopback.client()
    let url = try loopback.url("/")
    let tasks = (0..<200).map { _ in
      Task { await failure { try await client.send(HTTPRequest(.get, url, timeouts: .brief)) } }
    }
    for (number, task) in tasks.enumerated() where number % 3 == 0 {
      try await Task.sleep(for: .microseconds(300))
      task.cancel()
    }
    for task in tasks {
      let code = await task.value?.code
      #expect(code == nil || code == .cancelled)
    }
    #expect(try await loopback.get("/").body.count == 3000)
  }
}

/// Takes everything and keeps nothing.
struct Drain: BodySink {
  func begin(_ head: HTTPResponseHead) throws {}
  func receive(_ bytes: UnsafeRawBufferPointer) throws {}
}
