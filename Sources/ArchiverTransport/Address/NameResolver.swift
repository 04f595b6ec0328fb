import ArchiverCore
import Synchronization

/// Resolves names off Swift's cooperative threads, and caches results for a minute.
///
/// Concurrent look-ups of one name share a thread; at most `threadLimit` run at the same time.
final class NameResolver: Sendable {
  private struct Answer {
    let addresses: [IPAddress]
    let expires: ContinuousClock.Instant
  }

  private typealias Waiter = CheckedContinuation<[IPAddress]?, Never>

  private struct State {
    var answers: [String: Answer] = [:]
    var waiters: [String: [Int: Waiter]] = [:]
    var queue: [String] = []
    var running = 0
    var nextWaiter = 0

    /// Returns the addresses of a name from an answer that has not expired.
    func known(_ name: String) -> [IPAddress]? {
      answers[name].flatMap { $0.expires > .now ? $0.addresses : nil }
    }
  }

  private static let threadLimit = 16
  private static let lifetime = Duration.seconds(60)
  private static let answerLimit = 4096

  private let replacement: (@Sendable (String) -> [String]?)?
  private let lookUp: @Sendable (String) -> [IPAddress]
  private let state = Mutex(State())

  init(
    replacement: (@Sendable (String) -> [String]?)?,
    lookUp: @escaping @Sendable (String) -> [IPAddress] = NameLookup.addresses(of:)
  ) {
    self.replacement = replacement
    self.lookUp = lookUp
  }

  /// Returns the addresses that the test's resolver returns for this host; `nil` if it returns
  /// none.
  func replaced(_ host: String) -> [IPAddress]? {
    replacement?(host)?.compactMap { IPAddress($0) }
  }

  /// Returns the addresses of a name, empty if there are none. Returns `nil` if the timeout passed
  /// or the task was cancelled first.
  func addresses(of name: String, timeout: Duration) async -> [IPAddress]? {
    let (known, number) = state.withLock { state in
      state.nextWaiter += 1
      return (state.known(name), state.nextWaiter)
    }
    if let known { return known }
    let alarm = Task { [self] in
      try await Task.sleep(for: timeout)
      giveUp(number, on: name)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wait(for: name, number, $0) }
    } onCancel: {
      giveUp(number, on: name)
    }
  }

  private func wait(for name: String, _ number: Int, _ waiter: Waiter) {
    let (isWaiting, answer) = state.withLock { state -> (Bool, [IPAddress]?) in
      // A cancellation or the end of a look-up before this point found no waiter to resume.
      if Task.isCancelled { return (false, nil) }
      if let known = state.known(name) { return (false, known) }
      let isFirst = state.waiters[name] == nil
      state.waiters[name, default: [:]][number] = waiter
      if isFirst { state.queue.append(name) }
      return (true, nil)
    }
    if isWaiting { startNext() } else { waiter.resume(returning: answer) }
  }

  private func giveUp(_ number: Int, on name: String) {
    let waiter = state.withLock { $0.waiters[name]?.removeValue(forKey: number) }
    waiter?.resume(returning: nil)
  }

  private func startNext() {
    let name = state.withLock { state -> String? in
      guard state.running < NameResolver.threadLimit, !state.queue.isEmpty else { return nil }
      state.running += 1
      return state.queue.removeFirst()
    }
    guard let name else { return }
    let isStarted = Thread.start { [self] in finish(name, lookUp(name)) }
    if !isStarted { finish(name, []) }
  }

  private func finish(_ name: String, _ addresses: [IPAddress]) {
    let waiters = state.withLock { state in
      state.running -= 1
      if state.answers.count >= NameResolver.answerLimit { state.answers.removeAll() }
      if !addresses.isEmpty {
        state.answers[name] = Answer(addresses: addresses, expires: .now + NameResolver.lifetime)
      }
      return state.waiters.removeValue(forKey: name) ?? [:]
    }
    for waiter in waiters.values { waiter.resume(returning: addresses) }
    startNext()
  }
}
