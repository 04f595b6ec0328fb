import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

/// The order in which the engine's loop starts what waits.
@Suite struct DownloadQueueTests {
  private func loop() -> EngineLoop {
    EngineLoop(
      TransportConfiguration(userAgent: "archiver-tests/1", maxDownloads: 1, environment: [:]),
      ProxySettings(environment: [:]))
  }

  private func request(
    _ path: String, of server: LoopbackServer, isDownload: Bool
  ) throws -> TransferRequest {
    TransferRequest(
      url: try #require(server.baseURL.resolving(path)), method: .get, headers: [:],
      destination: isDownload ? .sink(Drain(), limit: 1_000) : .memory(), timeouts: .brief,
      deadline: ContinuousClock.now + .seconds(10),
      permit: AddressGuard.Permit(isUnrestricted: true))
  }

  /// Submits a request and returns once the loop has it.
  private func submit(
    _ request: TransferRequest, to loop: EngineLoop
  ) async -> Task<Transfer.Outcome, Never> {
    let isSubmitted = Mutex(false)
    let task = Task {
      let outcome: Transfer.Outcome = await withCheckedContinuation { continuation in
        loop.submit(Transfer(request, continuation))
        isSubmitted.withLock { $0 = true }
      }
      return outcome
    }
    while !isSubmitted.withLock({ $0 }) { await Task.yield() }
    return task
  }

  @Test(arguments: [0, 3])
  func `short requests pass a download that waits for another, whatever ended before`(
    earlier: Int
  ) async throws {
    let isReleased = Mutex(false)
    let server = try LoopbackServer { request in
      while request.path == "/held" && !isReleased.withLock({ $0 }) { usleep(1_000) }
      return .data([1])
    }
    let loop = loop()
    loop.start()
    defer {
      isReleased.withLock { $0 = true }
      loop.stop()
      server.stop()
    }
    for _ in 0..<earlier {
      let task = await submit(try request("/earlier", of: server, isDownload: true), to: loop)
      #expect(try await task.value.get().status == 200)
    }
    let held = await submit(try request("/held", of: server, isDownload: true), to: loop)
    try await Condition.wait { server.requests.last?.path == "/held" }
    let next = await submit(try request("/next", of: server, isDownload: true), to: loop)
    for _ in 0..<5 {
      let short = await submit(try request("/short", of: server, isDownload: false), to: loop)
      #expect(try await short.value.get().status == 200)
    }
    #expect(!server.requests.map(\.path).contains("/next"))
    isReleased.withLock { $0 = true }
    for task in [held, next] { #expect(try await task.value.get().status == 200) }
  }

  @Test func `a loop that was not started refuses requests`() async throws {
    let server = try LoopbackServer { _ in .data([1]) }
    defer { server.stop() }
    let loop = loop()
    let task = await submit(try request("/", of: server, isDownload: false), to: loop)
    let code = Mutex<HTTPError.Code?>(nil)
    Task {
      let outcome = await task.value
      if case .failure(let error) = outcome { code.withLock { $0 = error.code } }
    }
    try await Condition.wait(limit: .seconds(5)) { code.withLock { $0 != nil } }
    #expect(code.withLock { $0 } == .cancelled)
  }
}
