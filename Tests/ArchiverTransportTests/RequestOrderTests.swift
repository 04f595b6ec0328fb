import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// When requests go out, seen from a server and from what takes the bodies.
@Suite struct RequestOrderTests {
  /// Waits on a thread that may block until something is so, at most some seconds; returns whether
  /// it became so.
  private static func becomes(within seconds: Int = 20, _ isSo: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !isSo() {
      guard ContinuousClock.now < end else { return false }
      usleep(1_000)
    }
    return true
  }

  /// Calls a body with each piece, on the engine's thread.
  private struct Tap: BodySink {
    let body: @Sendable () -> Void

    func begin(_ head: HTTPResponseHead) throws {}
    func receive(_ bytes: UnsafeRawBufferPointer) throws { body() }
  }

  private struct Progress {
    var isNextSubmitted = false
    var isGateReached = false
    /// Answers that were read.
    var read = 0
    var wasNextAsked = false
  }

  @Test func `the next request goes out before the answers of others are read`() async throws {
    for _ in 0..<5 {
      if try await nextIsAskedFirst() { return }
    }
    Issue.record("all that was there was read first")
  }

  /// Three downloads are under way and a fourth waits for its turn. The first keeps the engine's
  /// thread until the answers to the other two are there, so that it finds both at once. Returns
  /// whether the fourth was asked for before the last of them was read.
  ///
  /// Where the thread was kept so long that a timer of curl's ran out, the answer may be read because
  /// of that.
  private func nextIsAskedFirst() async throws -> Bool {
    let progress = Mutex(Progress())
    let arrived = Mutex(0)
    let server = try LoopbackServer { request in
      if request.path == "/next" { return .data([1]) }
      arrived.withLock { $0 += 1 }
      if request.path == "/gate" {
        _ = Self.becomes {
          arrived.withLock { $0 } == 3 && progress.withLock { $0.isNextSubmitted }
        }
        return .data([1, 2]).misbehaving(.stallAfter(1, .seconds(60)))
      }
      _ = Self.becomes { progress.withLock { $0.isGateReached } }
      return .data([1])
    }
    let configuration = TransportConfiguration(
      userAgent: "archiver-tests/1", maxDownloads: 3, environment: [:])
    let loop = EngineLoop(configuration, ProxySettings(environment: [:]))
    loop.start()
    defer {
      loop.stop()
      server.stop()
    }
    let gate = Tap {
      progress.withLock { $0.isGateReached = true }
      // The answers are a write each and there a moment later.
      usleep(30_000)
    }
    let answer = Tap {
      let isLast = progress.withLock { progress in
        progress.read += 1
        return progress.read == 2
      }
      guard isLast else { return }
      let wasAsked = Self.becomes(within: 3) {
        server.requests.contains { $0.path == "/next" }
      }
      progress.withLock { $0.wasNextAsked = wasAsked }
    }

    let held = try download("/gate", gate, server, loop)
    let others = try ["/a", "/b"].map { try download($0, answer, server, loop) }
    while arrived.withLock({ $0 }) < 3 { try await Task.sleep(for: .milliseconds(1)) }
    let next = try download("/next", Tap {}, server, loop) {
      progress.withLock { $0.isNextSubmitted = true }
    }
    for task in others + [next] { #expect(try await task.value.get().status == 200) }
    loop.stop()
    _ = await held.value
    return progress.withLock { $0.wasNextAsked }
  }

  /// Hands a download to an engine and tells when it is handed over.
  private func download(
    _ path: String, _ sink: Tap, _ server: LoopbackServer, _ loop: EngineLoop,
    submitted: @escaping @Sendable () -> Void = {}
  ) throws -> Task<Transfer.Outcome, Never> {
    let request = TransferRequest(
      url: try #require(server.baseURL.resolving(path)), method: .get, headers: [:], body: nil,
      destination: .sink(sink, limit: .max), timeouts: .brief, deadline: nil,
      permit: AddressGuard.Permit(isUnrestricted: true), credential: nil, authorities: nil)
    return Task {
      await withCheckedContinuation { continuation in
        loop.submit(Transfer(request, continuation))
        submitted()
      }
    }
  }

  /// Each is handed over while the engine's thread takes leave of the one before it.
  @Test func `a download that comes when there is room again is not left lying`() async throws {
    let loopback = try Loopback(maxDownloads: 1) { _ in .data([1]) }
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<1_000 {
            let response = try await loopback.get("/", destination: .sink(Drain(), limit: .max))
            #expect(response.status == 200)
          }
        }
      }
      try await group.waitForAll()
    }
    // One that was left lying is found when the engine looks for itself, after a second or more.
    #expect(ContinuousClock.now - start < .seconds(40))
    #expect(loopback.server.maxConcurrentRequests == 1)
  }
}
