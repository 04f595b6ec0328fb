import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

/// The timing of requests, observed by a server and by body sinks.
///
/// Where the engine's thread is kept so long that a timer of curl's runs out, what is there may be
/// read because of that. So each scene is tried some times; what never goes out in time fails them all.
@Suite struct RequestOrderTests {
  @Test func `the next request is sent before other responses are read`() async throws {
    try await expectOnce {
      let scene = try Scene(answerToB: .data([1]))
      let wasAsked = Mutex(false)
      let read = Mutex(0)
      let sink = Tap {
        guard
          read.withLock({
            $0 += 1; return $0
          }) == 2
        else { return }
        let isAsked = Scene.becomes(within: 3) { scene.asked != nil }
        wasAsked.withLock { $0 = isAsked }
      }
      let others = try await scene.start(a: sink, b: sink)
      let next = try scene.download("/next", Tap {}, submitted: { scene.open() })
      for task in others + [next] { #expect(try await task.value.get().status == 200) }
      await scene.end()
      return wasAsked.withLock { $0 }
    }
  }

  /// The engine is not woken for a download submitted while all slots are taken. Here a slot became
  /// free just before, and nothing else happens for a second.
  @Test func `a download submitted when a slot became free is started`() async throws {
    try await expectOnce {
      let scene = try Scene(answerToB: .data([1, 2]).misbehaving(.stallAfter(1, .seconds(60))))
      let isReached = Mutex(false)
      let isSubmitted = Mutex(false)
      let released = Mutex<ContinuousClock.Instant?>(nil)
      let sink = Tap {
        guard !isReached.withLock({ $0 }) else { return }
        isReached.withLock { $0 = true }
        _ = Scene.becomes { isSubmitted.withLock { $0 } }
        released.withLock { $0 = .now }
      }
      let others = try await scene.start(a: Tap {}, b: sink)
      // curl's timers, which wake the engine, expire 200 ms after a connection.
      try await Task.sleep(for: .milliseconds(300))
      scene.open()
      try await Condition.wait { isReached.withLock { $0 } }
      let next = try scene.download(
        "/next", Tap {}, submitted: { isSubmitted.withLock { $0 = true } })
      for task in [others[0], next] { #expect(try await task.value.get().status == 200) }
      await scene.end()
      let (from, to) = (try #require(released.withLock { $0 }), try #require(scene.asked))
      return to - from < .milliseconds(500)
    }
  }

  private func expectOnce(_ isSo: () async throws -> Bool) async throws {
    for _ in 0..<5 where try await isSo() { return }
    Issue.record("it never was")
  }
}

/// Calls a body with each piece, on the engine's thread.
private struct Tap: BodySink {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func begin(_ head: HTTPResponseHead) throws {}
  func receive(_ bytes: UnsafeRawBufferPointer) throws { body() }
}

/// Three downloads that take all the room there is. The first, `/gate`, keeps the engine's thread
/// until the answers to `/a` and `/b` are there, so that it finds both at once, in this order.
private final class Scene: Sendable {
  private struct State {
    var arrived = 0
    var isOpen = false
    var isGateReached = false
    var asked: ContinuousClock.Instant?
    var held: Task<Transfer.Outcome, Never>?
  }

  private let server: LoopbackServer
  private let loop: EngineLoop
  private let state: SharedState

  private final class SharedState: Sendable {
    let state = Mutex(State())
  }

  init(answerToB: ServerResponse) throws {
    let state = SharedState()
    self.state = state
    server = try LoopbackServer { request in
      if request.path == "/next" {
        state.state.withLock { $0.asked = .now }
        return .data([1])
      }
      state.state.withLock { $0.arrived += 1 }
      if request.path == "/gate" {
        _ = Scene.becomes { state.state.withLock { $0.isOpen } }
        return .data([1, 2]).misbehaving(.stallAfter(1, .seconds(60)))
      }
      _ = Scene.becomes { state.state.withLock { $0.isGateReached } }
      return request.path == "/b" ? answerToB : .data([1])
    }
    let configuration = TransportConfiguration(
      userAgent: "archiver-tests/1", maxDownloads: 3, environment: [:])
    loop = EngineLoop(configuration, ProxySettings(environment: [:]))
    loop.start()
  }

  /// Blocks the thread until a condition is true; returns whether it became true.
  static func becomes(within seconds: Int = 20, _ isSo: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !isSo() {
      guard ContinuousClock.now < end else { return false }
      usleep(500)
    }
    return true
  }

  /// The time of the server's request for `/next`.
  var asked: ContinuousClock.Instant? { state.state.withLock { $0.asked } }

  /// Starts the three, each after the server received the previous request.
  func start(a: Tap, b: Tap) async throws -> [Task<Transfer.Outcome, Never>] {
    let state = state
    let gate = Tap {
      state.state.withLock { $0.isGateReached = true }
      // The responses are a write or two each and arrive shortly after.
      usleep(30_000)
    }
    var tasks: [Task<Transfer.Outcome, Never>] = []
    for (path, sink) in [("/gate", gate), ("/a", a), ("/b", b)] {
      tasks.append(try download(path, sink))
      while state.state.withLock({ $0.arrived }) < tasks.count {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    let held = tasks.removeFirst()
    state.state.withLock { $0.held = held }
    return tasks
  }

  /// Lets the server respond to the first, and so to the others.
  func open() { state.state.withLock { $0.isOpen = true } }

  /// Submits a download to the engine and reports when it was submitted.
  func download(
    _ path: String, _ sink: Tap, submitted: @escaping @Sendable () -> Void = {}
  ) throws -> Task<Transfer.Outcome, Never> {
    let request = TransferRequest(
      url: try #require(server.baseURL.resolving(path)), method: .get, headers: [:], body: nil,
      destination: .sink(sink, limit: .max), timeouts: .brief, deadline: nil,
      permit: AddressGuard.Permit(isUnrestricted: true), credential: nil, authorities: nil)
    let loop = loop
    return Task {
      await withCheckedContinuation { continuation in
        loop.submit(Transfer(request, continuation))
        submitted()
      }
    }
  }

  func end() async {
    loop.stop()
    server.stop()
    _ = await state.state.withLock { $0.held }?.value
  }
}
