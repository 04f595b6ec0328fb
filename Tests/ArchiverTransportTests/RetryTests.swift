import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

/// A clock whose sleeps return immediately and are recorded.
final class FakeClock: EventSink {
  private struct State {
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var sleeps: [Double] = []
    var events: [String] = []
  }

  private let state = Mutex(State())

  var sleeps: [Double] { state.withLock { $0.sleeps } }
  var events: [String] { state.withLock { $0.events } }
  var now: Date { state.withLock { $0.now } }

  func pass(_ seconds: Double) { state.withLock { $0.now += seconds } }

  var clock: ArchiverClock {
    ArchiverClock(
      now: { self.now },
      sleep: { duration in
        try Task.checkCancellation()
        let length = duration / .seconds(1)
        self.state.withLock {
          $0.sleeps.append(length)
          $0.now += length
        }
        await Task.yield()
      })
  }

  func send(_ event: Event) {
    guard case .retrying(let url, let attempt, _, let reason) = event else { return }
    state.withLock { $0.events.append("\(attempt) \(url) \(reason)") }
  }
}

/// Returns the outcomes in order, then repeats the last.
final class Script: HTTPClient {
  private let outcomes: [Result<ServerResponse, HTTPError>]
  private let count = Mutex(0)

  init(_ outcomes: Result<ServerResponse, HTTPError>...) { self.outcomes = outcomes }

  var attempts: Int { count.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let index = count.withLock { count in
      count += 1
      return min(count, outcomes.count) - 1
    }
    let answer = try outcomes[index].get()
    return HTTPResponse(
      head: HTTPResponseHead(status: answer.status, headers: answer.headers, url: request.url))
  }
}

struct RetryTests {
  private let time = FakeClock()

  private func send(
    _ script: Script, _ method: HTTPRequest.Method = .get, policy: RetryPolicy = RetryPolicy(),
    jitter: Double = 1
  ) async throws -> HTTPResponse {
    let url = try #require(WebURL("https://a.example/x?signature=hidden"))
    return try await RetryingHTTPClient(
      script, policy: policy, clock: time.clock, events: time, jitter: { jitter }
    ).send(HTTPRequest(method, url))
  }

  private func answer(
    _ status: Int, _ headers: HTTPHeaders = [:]
  ) -> Result<ServerResponse, HTTPError> {
    .success(ServerResponse(status, headers: headers))
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504, 529])
  func `a status that may pass is retried`(status: Int) async throws {
    let script = Script(answer(status), answer(200))
    #expect(try await send(script).status == 200)
    #expect(script.attempts == 2)
    #expect(time.events == ["2 https://a.example/x status \(status)"])
  }

  @Test(arguments: [200, 206, 304, 400, 401, 403, 404, 410, 501, 505])
  func `a status that stays is not`(status: Int) async throws {
    let script = Script(answer(status))
    #expect(try await send(script).status == status)
    #expect(script.attempts == 1)
  }

  @Test(arguments: HTTPError.Code.allCases)
  func `an error is retried when it is retryable`(code: HTTPError.Code) async throws {
    let error = HTTPError(code, "no")
    let script = Script(.failure(error))
    #expect(await failure { try await send(script) }?.code == code)
    #expect(script.attempts == (error.isRetryable ? 4 : 1))
  }

  @Test func `a request that is not repeatable is sent once`() async throws {
    let script = Script(answer(503))
    #expect(try await send(script, .post).status == 503)
    #expect(script.attempts == 1)
  }

  @Test func `the backoff doubles up to its bound and jitter takes a part of it`() async throws {
    let policy = RetryPolicy(
      attempts: 6, firstDelay: .seconds(1), longestDelay: .seconds(5))
    _ = try await send(Script(answer(503)), policy: policy)
    #expect(time.sleeps == [1, 2, 4, 5, 5])
    _ = try await send(Script(answer(503), answer(200)), policy: policy, jitter: 0.25)
    #expect(time.sleeps.last == 0.25)
  }

  @Test func `Retry-After is obeyed in seconds and as a date`() async throws {
    let date = "Fri, 15 Jan 2027 08:00:40 GMT"
    let script = Script(
      answer(429, ["Retry-After": "7"]), answer(503, ["Retry-After": date]), answer(200))
    #expect(try await send(script).status == 200)
    #expect(time.sleeps == [7, 33])
  }

  @Test func `a Retry-After beyond the bound returns the response as it is`() async throws {
    let script = Script(answer(429, ["Retry-After": "3600"]))
    #expect(try await send(script).status == 429)
    #expect(script.attempts == 1)
    #expect(time.sleeps.isEmpty)
  }

  @Test func `the total time bounds the attempts`() async throws {
    let policy = RetryPolicy(attempts: 100, totalTime: .seconds(10), firstDelay: .seconds(4))
    _ = try await send(Script(answer(503)), policy: policy)
    #expect(time.sleeps == [4])
  }

  @Test func `cancelling ends the wait`() async throws {
    let script = Script(answer(503))
    let url = try #require(WebURL("https://a.example/"))
    let client = RetryingHTTPClient(
      script, policy: RetryPolicy(firstDelay: .seconds(60), longestDelay: .seconds(60)),
      jitter: { 1 })
    let task = Task { await failure { try await client.send(HTTPRequest(.get, url)) } }
    while script.attempts == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }
}
