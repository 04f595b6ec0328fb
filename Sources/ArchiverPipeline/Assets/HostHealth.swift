import Synchronization

/// Records which hosts were unreachable in this run, so that an article with a hundred images on a
/// dead server waits for it only a few times.
final class HostHealth: Sendable {
  /// The number of consecutive failures after which a host is abandoned for the run.
  static let limit = 3

  private struct Host {
    var failures = 0
    var reason = ""
  }

  private let hosts = Mutex<[String: Host]>([:])

  /// Returns why a host was abandoned; `nil` if it was not.
  func givenUp(_ host: String) -> String? {
    hosts.withLock { hosts in
      guard let state = hosts[host], state.failures >= HostHealth.limit else { return nil }
      return state.reason
    }
  }

  /// Records a response of a host, whatever its status: its files are asked for again.
  func answered(_ host: String) {
    hosts.withLock { $0[host] = nil }
  }

  /// Records that a host was unreachable.
  func failed(_ host: String, reason: String) {
    hosts.withLock { hosts in
      hosts[host, default: Host()].failures += 1
      hosts[host]?.reason = reason
    }
  }
}
