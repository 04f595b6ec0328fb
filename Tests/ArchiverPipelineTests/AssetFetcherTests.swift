import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// How often a file is requested, and what the outcome says.
@Suite struct AssetFetcherTests {
  @Test func `a file that is being prepared is requested five times, each after a longer delay`()
    async throws
  {
    try await FetchBench.with { bench in
      bench.source.picture("/f.gif", ServerResponse(202))
      let failure = try FetchBench.failure(try await bench.fetch("/f.gif"))
      #expect(failure.reason == "the server is still preparing the file")
      #expect(failure.isTransient)
      #expect(bench.requests == 5)
      let expected = [500, 1_000, 2_000, 4_000, 8_000].map { Duration.milliseconds($0) }
      #expect(bench.record.delays == expected)
    }
  }

  @Test func `the outcomes of the last 2048 files are remembered`() async throws {
    try await FetchBench.with { bench in
      for number in 0..<2_049 {
        bench.source.picture("/\(number)", ServerResponse(404))
        _ = try await bench.fetch("/\(number)")
      }
      #expect(bench.requests == 2_049)
      _ = try await bench.fetch("/1")
      #expect(bench.requests == 2_049)
      _ = try await bench.fetch("/0")
      #expect(bench.requests == 2_050)
    }
  }

  @Test func `when a server is back, only the failures of its source are forgotten`() async throws {
    try await FetchBench.with { bench in
      bench.source.picture("/gone.gif", ServerResponse(404))
      for name in ["scripted", "other"] {
        for _ in 0..<2 {
          for path in ["/gone.gif", "/found.gif"] { _ = try await bench.fetch(path, of: name) }
        }
      }
      #expect(bench.requests == 4)
      bench.fetcher.recovered(bench.run())
      for path in ["/gone.gif", "/found.gif"] { _ = try await bench.fetch(path) }
      #expect(bench.requests == 5)
      #expect(bench.client.requests.last?.path == "/gone.gif")
      for path in ["/gone.gif", "/found.gif"] { _ = try await bench.fetch(path, of: "other") }
      #expect(bench.requests == 5)
    }
  }

  @Test func `a server that is back is probed again`() async throws {
    try await FetchBench.with { bench in
      bench.source.picture("/a.gif", ServerResponse(503))
      bench.source.answersHead.withLock { $0 = false }
      let first = try FetchBench.failure(try await bench.fetch("/a.gif"))
      #expect(first.reason == "source.example is out of order (status 503)")
      #expect(first.cause == .unreached && first.isTransient)
      bench.source.answersHead.withLock { $0 = true }
      bench.fetcher.recovered(bench.run())
      let second = try FetchBench.failure(try await bench.fetch("/a.gif"))
      #expect(second.reason == "the server answered 503 Service Unavailable")
      #expect(second.cause == .other && second.isTransient)
    }
  }

  @Test func `three files in a row that cannot be reached give a host up until it is back`()
    async throws
  {
    try await FetchBench.with { bench in
      for number in 0..<4 { bench.source.picture("/\(number)", ScriptedSource.silence) }
      for number in 0..<3 {
        let failure = try FetchBench.failure(try await bench.fetch("/\(number)"))
        #expect(failure.cause == .unreached && failure.isTransient)
      }
      #expect(bench.requests == 3)
      let last = try FetchBench.failure(try await bench.fetch("/3"))
      #expect(last.reason == "source.example cannot be reached")
      #expect(last.cause == .unreached && last.isTransient)
      #expect(bench.requests == 3)
      bench.fetcher.recovered(bench.run())
      _ = try await bench.fetch("/3")
      #expect(bench.requests == 4)
    }
  }

  @Test func `an answer in between ends the row of failures`() async throws {
    try await FetchBench.with { bench in
      for number in [0, 1, 3, 4] { bench.source.picture("/\(number)", ScriptedSource.silence) }
      for number in 0..<6 { _ = try await bench.fetch("/\(number)") }
      #expect(bench.requests == 6)
      guard case .stored = try await bench.fetch("/5") else {
        Issue.record("the last file is missing")
        return
      }
    }
  }

  @Test(
    arguments: [
      (ServerResponse(503), "source.example is out of order (status 503)"),
      (
        ServerResponse(200).misbehaving(.closeSilently), "source.example cannot be reached"
      ),
    ])
  func `a server that is down for every file is given up after three`(
    response: ServerResponse, reason: String
  ) async throws {
    try await FetchBench.with { bench in
      bench.source.answersHead.withLock { $0 = false }
      for number in 0..<4 { bench.source.picture("/\(number)", response) }
      for number in 0..<4 {
        let failure = try FetchBench.failure(try await bench.fetch("/\(number)"))
        #expect(failure.reason == reason)
        #expect(failure.cause == .unreached && failure.isTransient)
      }
      #expect(bench.requests == 3)
    }
  }

  @Test func `a file whose turn does not come before the run is stopped may come later`()
    async throws
  {
    try await FetchBench.with { bench in
      let isHeld = await bench.limiter.acquire("source.example")
      #expect(isHeld)
      let request = try bench.request("/a.gif")
      let task = Task { await bench.fetcher.fetch(request, for: bench.run()) }
      task.cancel()
      let failure = try FetchBench.failure(await task.value)
      #expect(failure.reason == "the run was interrupted" && failure.isTransient)
      #expect(bench.requests == 0)
    }
  }

  @Test func `a file of the archive counts no received bytes`() async throws {
    try await FetchBench.with { bench in
      let request = try bench.request("/a.gif")
      #expect(bench.fetcher.archived(request) == nil)
      try bench.keep(request)
      guard case .stored(let asset, bytes: 0)? = bench.fetcher.archived(request) else {
        Issue.record("it has no file, or bytes were received")
        return
      }
      #expect(asset.url == request.cacheKey)
      #expect(bench.requests == 0)
    }
  }

  @Test(arguments: [(404, false), (404, true), (500, false)])
  func `an archived file serves if it is no longer available, and no bytes count`(
    status: Int, revalidates: Bool
  ) async throws {
    try await FetchBench.with { bench in
      let request = try bench.request("/a.gif", revalidates: revalidates)
      try bench.keep(request)
      bench.source.picture("/a.gif", ServerResponse(status))
      guard case .stored(_, bytes: 0) = await bench.fetcher.fetch(request, for: bench.run()) else {
        Issue.record("the file of the archive does not serve")
        return
      }
      #expect(bench.requests == 1)
    }
  }

  @Test func `an archived file that may have changed serves with the reason`() async throws {
    try await FetchBench.with { bench in
      let request = try bench.request("/a.gif", revalidates: true)
      try bench.keep(request)
      bench.source.picture("/a.gif", ServerResponse(500))
      let outcome = await bench.fetcher.fetch(request, for: bench.run())
      guard case .kept(let asset, let failure) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(asset.url == request.cacheKey)
      #expect(failure.reason == "the server answered 500 Internal Server Error")
    }
  }

  @Test func `an earlier copy of the file that is the item does not serve`() async throws {
    try await FetchBench.with { bench in
      let request = try bench.request("/a.gif", isMain: true)
      try bench.keep(request)
      bench.source.picture("/a.gif", ServerResponse(404))
      let failure = try await bench.failure(of: request)
      #expect(failure.cause == .gone)
    }
  }
}
