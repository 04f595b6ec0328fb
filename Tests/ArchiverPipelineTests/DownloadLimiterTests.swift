import Synchronization
import Testing

@testable import ArchiverPipeline

@Suite struct DownloadLimiterTests {
  /// Counts how many bodies run at once, in all and by host.
  private final class Gauge: Sendable {
    private struct Counts {
      var now: [String: Int] = [:]
      var most: [String: Int] = [:]
      var mostTotal = 0
    }
    private let counts = Mutex(Counts())

    func enter(_ host: String) {
      counts.withLock {
        $0.now[host, default: 0] += 1
        $0.most[host] = max($0.most[host] ?? 0, $0.now[host] ?? 0)
        $0.mostTotal = max($0.mostTotal, $0.now.values.reduce(0, +))
      }
    }

    func leave(_ host: String) { counts.withLock { $0.now[host, default: 0] -= 1 } }
    func most(_ host: String) -> Int { counts.withLock { $0.most[host] ?? 0 } }
    var mostTotal: Int { counts.withLock { $0.mostTotal } }
  }

  private func load(_ limiter: DownloadLimiter, _ hosts: [String]) async -> Gauge {
    let gauge = Gauge()
    await withTaskGroup(of: Void.self) { group in
      for host in hosts {
        group.addTask {
          _ = await limiter.withPlace(host: host) {
            gauge.enter(host)
            for _ in 0..<20 { await Task.yield() }
            gauge.leave(host)
          }
        }
      }
    }
    return gauge
  }

  @Test func `keeps to the limits in all and for one host`() async {
    let limiter = DownloadLimiter(total: 5, perHost: 2, exemptHosts: [])
    let gauge = await load(limiter, (0..<300).map { "host\($0 % 7)" })
    #expect(gauge.mostTotal <= 5)
    #expect(gauge.mostTotal >= 3)
    for host in 0..<7 { #expect(gauge.most("host\(host)") <= 2) }
  }

  @Test func `a source's own host is bound by the total only`() async {
    let limiter = DownloadLimiter(total: 6, perHost: 1, exemptHosts: ["own"])
    let gauge = await load(limiter, Array(repeating: "own", count: 100))
    #expect(gauge.most("own") > 1)
    #expect(gauge.most("own") <= 6)
  }

  @Test func `a host at its limit does not delay others`() async {
    let limiter = DownloadLimiter(total: 3, perHost: 1, exemptHosts: [])
    let (stream, release) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await limiter.withPlace(host: "slow") {
          for await _ in stream {}
          return true
        } ?? false
      }
      while await limiter.withPlace(host: "probe", { true }) != true {}
      group.addTask { await limiter.withPlace(host: "slow") { true } ?? false }
      #expect(await limiter.withPlace(host: "quick") { true } == true)
      release.finish()
      for await ran in group { #expect(ran) }
    }
  }

  @Test func `a cancelled waiter gives up its turn`() async {
    let limiter = DownloadLimiter(total: 1, perHost: 1, exemptHosts: [])
    let (stream, release) = AsyncStream.makeStream(of: Void.self)
    let (started, didStart) = AsyncStream.makeStream(of: Void.self)
    let holder = Task {
      await limiter.withPlace(host: "a") {
        didStart.finish()
        for await _ in stream {}
      }
    }
    for await _ in started {}
    let waiter = Task { await limiter.withPlace(host: "a") { true } }
    waiter.cancel()
    #expect(await waiter.value == nil)
    release.finish()
    _ = await holder.value
    #expect(await limiter.withPlace(host: "a") { true } == true)
  }

  @Test func `downloads per host are at least one and at most all`() {
    #expect(RunOptions(jobs: 16, jobsPerHost: 6).jobsPerHost == 6)
    #expect(RunOptions(jobs: 4, jobsPerHost: 6).jobsPerHost == 4)
    #expect(RunOptions(jobs: 4, jobsPerHost: 0).jobsPerHost == 1)
  }
}

extension DownloadLimiter {
  /// Runs `body` as soon as a slot is free; `nil` if the task is cancelled before.
  fileprivate func withPlace<T: Sendable>(host: String, _ body: () async -> T) async -> T? {
    guard await acquire(host) else { return nil }
    defer { release(host) }
    return await body()
  }
}
