import Synchronization

/// Remembers which hosts could not be reached in this run, so that an article with a hundred
/// pictures on a server that is gone waits for it a few times and not a hundred.
final class HostHealth: Sendable {
  /// Failures in a row after which a host is given up for the run.
  static let limit = 3

  private struct Host {
    var failures = 0
    var reason = ""
  }

  private let hosts = Mutex<[String: Host]>([:])

  /// Returns why a host was given up; `nil` when it is worth asking.
  func givenUp(_ host: String) -> String? {
    hosts.withLock { hosts in
      guard let state = hosts[host], state.failures >= HostHealth.limit else { return nil }
      return state.reason
    }
  }

  /// Notes that a host answered, whatever it said.
  func answered(_ host: String) {
    hosts.withLock { $0[host] = nil }
  }

  /// Notes that a host could not be reached at all.
  func failed(_ host: String, reason: String) {
    hosts.withLock { hosts in
      hosts[host, default: Host()].failures += 1
      hosts[host]?.reason = reason
    }
  }
}
