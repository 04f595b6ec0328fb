import ArchiverCore
import Synchronization

/// Tells a server that refuses one file from a server that is out of order: a reverse proxy answers
/// 502 or 503 for everything while the application behind it is down.
final class ServerProbe: Sendable {
  /// How long a result holds, in seconds.
  private static let lifetime = 5.0

  private struct Probe {
    let started: Date
    let result: Task<Bool, Never>
  }

  private let clock: ArchiverClock
  private let probes = Mutex<[String: Probe]>([:])

  init(clock: ArchiverClock) { self.clock = clock }

  /// Forgets the result for a source, which responds again.
  func forget(_ source: RunSource) { probes.withLock { $0[source.name] = nil } }

  /// Returns whether the failure of a file at `origin` is the whole server's: the file is the
  /// source's own, and the server's root fails as well. Concurrent callers share a probe.
  func isDown(_ source: RunSource, at origin: Origin) async -> Bool {
    guard origin == source.origin else { return false }
    let now = clock.now()
    let probe = probes.withLock { probes in
      if let old = probes[source.name],
        (0..<ServerProbe.lifetime).contains(now.timeIntervalSince(old.started))
      {
        return old
      }
      let probe = Probe(started: now, result: Task { await !Outage.answers(source) })
      probes[source.name] = probe
      return probe
    }
    return await probe.result.value
  }
}
