import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// How a source's server is asked whether it responds.
struct ReachabilityTests {
  private static let start = Date(timeIntervalSince1970: 1_750_000_000)

  /// A server that fails for a number of requests, and a clock that only delays advance.
  private final class Server: Sendable {
    let now = Mutex(ReachabilityTests.start)
    let delays = Mutex<[Duration]>([])
    private let client: HandlerHTTPClient
    let origin: Origin

    init(failures count: Int) throws {
      let url = try #require(WebURL(ScriptedSource.origin + "/"))
      let failures = Failures(count)
      origin = url.origin
      client = HandlerHTTPClient(handlers: [
        url.origin: { _ in ServerResponse(failures.next() ? 503 : 200) }
      ])
    }

    var requests: [ServerRequest] { client.requests }

    var source: RunSource {
      RunSource(
        name: "scripted", adapter: ScriptedAdapter(source: ScriptedSource()), client: client,
        origin: origin)
    }

    var clock: ArchiverClock {
      ArchiverClock(
        now: { self.now.withLock { $0 } },
        sleep: { delay in
          self.delays.withLock { $0.append(delay) }
          self.now.withLock { $0 += delay / .seconds(1) }
        })
    }
  }

  private final class Failures: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Returns whether this request fails.
    func next() -> Bool {
      left.withLock { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
    }
  }

  @Test(
    arguments: [
      (12, 99, false, [5, 5, 2]), (10, 99, false, [5, 5]), (5, 99, false, [5]), (0, 99, false, []),
      (-1, 0, false, []), (12, 1, true, [5, 5]), (12, 0, true, [5]), (3, 0, true, [3]),
      (12, 2, true, [5, 5, 2]), (12, 3, false, [5, 5, 2]),
    ] as [(Double, Int, Bool, [Int])])
  func `a source is asked every five seconds until it responds or the time is over`(
    patience: Double, failures: Int, isBack: Bool, delays: [Int]
  ) async throws {
    let server = try Server(failures: failures)
    let outage = Outage(
      source: server.source, clock: server.clock, end: Self.start.addingTimeInterval(patience))
    #expect(await outage.isOver() == isBack)
    #expect(server.delays.withLock { $0 } == delays.map { Duration.seconds($0) })
    #expect(server.requests.count == delays.count)
    #expect(server.requests.allSatisfy { $0.method == "HEAD" && $0.path == "/" })
  }

  @Test func `a run that is stopped does not wait`() async throws {
    let server = try Server(failures: 0)
    let clock = ArchiverClock(now: { Self.start }, sleep: { _ in throw CancellationError() })
    let outage = Outage(source: server.source, clock: clock, end: Self.start.addingTimeInterval(60))
    #expect(await !outage.isOver())
    #expect(server.requests.isEmpty)
  }

  @Test func `a source without a server responds, one whose server cannot be reached does not`()
    async throws
  {
    let adapter = ScriptedAdapter(source: ScriptedSource())
    let client = HandlerHTTPClient(handlers: [:])
    let folder = RunSource(name: "scripted", adapter: adapter, client: client, origin: nil)
    #expect(await Outage.answers(folder))
    let origin = try #require(WebURL(ScriptedSource.origin + "/")).origin
    let lost = RunSource(name: "scripted", adapter: adapter, client: client, origin: origin)
    #expect(await !Outage.answers(lost))
  }

  @Test(arguments: [0, 9])
  func `the answer to a probe holds for five seconds, for files of the source's own server`(
    failures: Int
  ) async throws {
    let server = try Server(failures: failures)
    let probe = ServerProbe(clock: server.clock)
    let isDown = failures > 0
    for (seconds, requests) in [(0.0, 1), (4, 1), (5, 2), (9, 2), (-1, 3), (0, 3)] {
      server.now.withLock { $0 = Self.start.addingTimeInterval(seconds) }
      #expect(await probe.isDown(server.source, at: server.origin) == isDown)
      #expect(server.requests.count == requests, "after \(seconds) seconds")
    }
    probe.forget(server.source)
    #expect(await probe.isDown(server.source, at: server.origin) == isDown)
    #expect(server.requests.count == 4)
    let other = try #require(WebURL("http://other.example/")).origin
    #expect(await !probe.isDown(server.source, at: other))
    #expect(server.requests.count == 4)
  }

  @Test(
    arguments: [
      (.connect, true, true), (.resolve, true, true), (.timeout, false, false),
      (.connectionLost, false, false),
    ] as [(HTTPError.Code, Bool, Bool)])
  func `a failure to connect is an outage of its server`(
    code: HTTPError.Code, ofOwn: Bool, ofAny: Bool
  ) throws {
    let own = try #require(WebURL(ScriptedSource.origin + "/")).origin
    let other = try #require(WebURL("http://other.example/")).origin
    func isOutage(at origin: Origin?, of server: Origin?, wasNoticed: Bool) -> Bool {
      AdapterError(.unavailable, "no", underlying: HTTPError(code, "no", origin: origin))
        .isOutage(of: server, wasNoticed: wasNoticed)
    }
    #expect(isOutage(at: own, of: own, wasNoticed: false) == ofOwn)
    #expect(isOutage(at: other, of: own, wasNoticed: true) == ofAny)
    #expect(!isOutage(at: other, of: own, wasNoticed: false))
    #expect(!isOutage(at: nil, of: nil, wasNoticed: false))
    #expect(!AdapterError(.unavailable, "no").isOutage(of: own, wasNoticed: true))
  }
}

/// A run or dry run whose time is over, or whose source refuses.
struct LateListingTests {
  @Test func `only a listing that was stopped because of the time is late`() {
    let limit = TimeLimit(.seconds(1), lateListing: "late")
    let stopped: [any Error] = [CancellationError(), AdapterError(.cancelled, "stopped")]
    for error in stopped { #expect(limit.failure(ofListing: error) == nil) }
    limit.end()
    for error in stopped {
      let failure = limit.failure(ofListing: error)
      #expect(failure?.code == .unavailable && failure?.message == "late")
    }
    #expect(limit.failure(ofListing: AdapterError(.unavailable, "503")) == nil)
    #expect(limit.failure(ofListing: HTTPError(.cancelled, "other")) == nil)
  }

  @Test func `a listing for which there is no time is a failure of its source`() async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      let limit = TimeLimit(.seconds(1), lateListing: "late")
      limit.end()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return (
          try await bench.run { $0.timeLimit = limit },
          await bench.dryRun { $0.timeLimit = limit }
        )
      }
      let (run, trial) = try await task.value
      #expect(run.failure?.message == "late" && run.failure?.code == .unavailable)
      #expect(trial.sources.first?.failure?.message == "late" && !trial.wasCancelled)
      let record = try #require(try bench.archive.catalog.runs(source: "scripted", limit: 1).first)
      #expect(record.outcome == .sourceFailed && record.failure == "late")
    }
  }

  @Test func `a dry run tells that its source refuses`() async throws {
    let source = ScriptedSource(count: 1)
    source.state.withLock { $0.listingError = AdapterError(.unauthorized, "refused") }
    try await Bench.with(source) { bench in
      let trial = await bench.dryRun { _ in }
      #expect(trial.sources.map(\.failure?.message) == ["refused"])
      #expect(!trial.wasCancelled && trial.failure == nil)
    }
  }
}
