import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverPipeline

/// The request by which a run finds out whether a source's server responds.
struct ProbeRequestTests {
  /// Keeps the requests that it receives and answers each with 200.
  private final class Recorder: HTTPClient {
    private let sent = Mutex<[HTTPRequest]>([])

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      sent.withLock { $0.append(request) }
      return HTTPResponse(head: HTTPResponseHead(status: 200, headers: [:], url: request.url))
    }
  }

  private static func source(_ client: any HTTPClient) -> RunSource {
    RunSource(
      name: "scripted", adapter: ScriptedAdapter(source: ScriptedSource()), client: client,
      origin: WebURL(ScriptedSource.origin)?.origin)
  }

  @Test func `a probe is one short request without credential, redirects or repetition`()
    async throws
  {
    let recorder = Recorder()
    let source = Self.source(recorder)
    #expect(await Outage.answers(source))
    #expect(recorder.requests.count == 1)
    let request = try #require(recorder.requests.first)
    #expect(request.method == .head && request.url.path == "/")
    #expect(request.url.origin == source.origin)
    #expect(request.redirectLimit == 0)
    #expect(!request.usesCredential && !request.isRepeatable)
    let timeouts = HTTPTimeouts(connect: .seconds(5), stall: .seconds(5), total: .seconds(10))
    #expect(request.timeouts == timeouts)
  }

  @Test(arguments: [0.5, 1, 4.5, 5])
  func `a wait that is not longer than the pause between two probes ends with its only probe`(
    patience: Double
  ) async {
    let start = Date(timeIntervalSince1970: 1_750_000_000)
    let elapsed = Mutex(0.0)
    let delays = Mutex<[Duration]>([])
    let clock = ArchiverClock(
      now: { start.addingTimeInterval(elapsed.withLock { $0 }) },
      sleep: { delay in
        delays.withLock { $0.append(delay) }
        elapsed.withLock { $0 += delay / .seconds(1) }
      })
    let recorder = Recorder()
    let outage = Outage(
      source: Self.source(recorder), clock: clock, end: start.addingTimeInterval(patience))
    #expect(await outage.isOver())
    #expect(delays.withLock { $0 } == [.seconds(patience)])
    #expect(recorder.requests.count == 1)
  }

  @Test func `an outage is there from when it is noticed until it is over`() {
    let now = Date(timeIntervalSince1970: 1_750_000_000)
    #expect(!Outage.State.none.isThere)
    #expect(Outage.State.noticed(now).isThere)
    #expect(Outage.State.waiting(now).isThere)
  }
}
