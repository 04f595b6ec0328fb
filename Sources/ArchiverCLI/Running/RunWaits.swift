import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// The waits before and during a run: for the network, for another run's lock, for the time limit.
struct RunWaits: Sendable {
  let clock: ArchiverClock
  /// The interval between two attempts.
  private static let pause = Duration.seconds(5)

  /// Waits until one of the origins responds with any status; throws if none does in time. Calls
  /// `onWait` when the wait begins.
  func waitOnline(
    _ origins: [Origin], for limit: Duration, client: any HTTPClient, onWait: () -> Void = {}
  ) async throws {
    let urls = origins.compactMap { WebURL("\($0)/") }
    if urls.isEmpty { return }
    let deadline = clock.now().addingTimeInterval(limit / .seconds(1))
    let most = min(limit, .seconds(5))
    let timeouts = HTTPTimeouts(connect: most, stall: most, total: min(limit, .seconds(10)))
    var isFirst = true
    while true {
      var refusals = 0
      for url in urls {
        try Task.checkCancellation()
        let request = HTTPRequest(
          .head, url, redirectLimit: 0, usesCredential: false, timeouts: timeouts)
        do throws(HTTPError) {
          _ = try await client.send(request)
          return
        } catch {
          // curl's words for ECONNREFUSED, which proves that the machine is reachable.
          if error.code == .connect, error.message.contains("refused") { refusals += 1 }
        }
      }
      let left = deadline.timeIntervalSince(clock.now())
      guard left > 0 else {
        let names = urls.map(\.host).joined(separator: ", ")
        let time = Quantity.time(limit)
        throw AdapterError(
          .unavailable,
          refusals == urls.count
            ? "\(names) refused connections for \(time)"
            : "no network: \(names) did not answer within \(time)")
      }
      if isFirst { onWait() }
      isFirst = false
      try await clock.sleep(min(RunWaits.pause, .seconds(left)))
    }
  }

  /// Repeats `work` while another run holds the lock, up to `limit`.
  func retryingLock<T>(for limit: Duration, _ work: () async throws -> T) async throws -> T {
    let deadline = clock.now().addingTimeInterval(limit / .seconds(1))
    while true {
      do {
        return try await work()
      } catch let error as StorageError where error.code == .locked && clock.now() < deadline {
        try await clock.sleep(RunWaits.pause)
      }
    }
  }

  /// Cancels `work` after `limit`; the report then says that the time limit stopped it.
  func stopping(
    after limit: TimeLimit?, _ work: @escaping @Sendable () async throws -> RunReport
  ) async throws -> RunReport {
    guard let limit else { return try await work() }
    return try await withThrowingTaskGroup(of: RunReport?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        // The sleep ends early only if the run ends.
        try? await clock.sleep(limit.duration)
        return nil
      }
      while let outcome = try await group.next() {
        guard var report = outcome else {
          if !Task.isCancelled { limit.end() }
          group.cancelAll()
          continue
        }
        group.cancelAll()
        if limit.isOver { report.forgetInterruption() }
        return report
      }
      throw CancellationError()
    }
  }
}

extension RunReport {
  /// A run stopped by its time limit does not count as interrupted.
  fileprivate mutating func forgetInterruption() {
    wasCancelled = false
    isTimeUp = true
    for index in sources.indices where sources[index].failure?.code == .cancelled {
      sources[index].failure = nil
    }
  }
}
