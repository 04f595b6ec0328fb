import ArchiverCore
import Synchronization

/// Limits concurrent downloads, in total and per host, first come, first served.
///
/// A waiter whose host is at its limit is skipped, so that a slow host does not block others.
final class DownloadLimiter: Sendable {
  private struct Waiter {
    let number: Int
    let host: String
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var running = 0
    var runningByHost: [String: Int] = [:]
    /// In order of arrival.
    var waiters: [Waiter] = []
    var nextNumber = 0
    /// The numbers of tasks cancelled before their waiter was stored.
    var cancelledEarly: Set<Int> = []
  }

  private let total: Int
  private let perHost: Int
  private let exemptHosts: Set<String>
  private let state = Mutex(State())

  /// `exemptHosts`, the sources' own, are only subject to the total.
  init(total: Int, perHost: Int, exemptHosts: Set<String>) {
    precondition(total >= 1 && perHost >= 1)
    self.total = total
    self.perHost = perHost
    self.exemptHosts = exemptHosts
  }

  /// Waits for a slot; returns false if the task is cancelled first. After true, call `release`.
  func acquire(_ host: String) async -> Bool {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelledEarly.remove(number) != nil { return false }
          if mayRun(host, state) {
            start(host, &state)
            return true
          }
          state.waiters.append(Waiter(number: number, host: host, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Releases a slot.
  func release(_ host: String) {
    let next: Waiter? = state.withLock { state in
      state.running -= 1
      state.runningByHost[host, default: 1] -= 1
      if state.runningByHost[host] == 0 { state.runningByHost[host] = nil }
      guard let index = nextIndex(state) else { return nil }
      let waiter = state.waiters.remove(at: index)
      start(waiter.host, &state)
      return waiter
    }
    next?.continuation.resume(returning: true)
  }

  private func cancel(_ number: Int) {
    let waiter: Waiter? = state.withLock { state in
      if let index = state.waiters.firstIndex(where: { $0.number == number }) {
        return state.waiters.remove(at: index)
      }
      // Either it holds a slot already, or its waiter is about to be stored.
      state.cancelledEarly.insert(number)
      return nil
    }
    waiter?.continuation.resume(returning: false)
  }

  /// Returns the index of the first waiter whose host is below its limit.
  private func nextIndex(_ state: State) -> Int? {
    state.waiters.firstIndex { mayRun($0.host, state) }
  }

  private func mayRun(_ host: String, _ state: State) -> Bool {
    state.running < total
      && (exemptHosts.contains(host) || state.runningByHost[host, default: 0] < perHost)
  }

  private func start(_ host: String, _ state: inout State) {
    state.running += 1
    state.runningByHost[host, default: 0] += 1
  }
}
