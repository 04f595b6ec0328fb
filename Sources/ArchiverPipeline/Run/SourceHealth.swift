import ArchiverCore
import ArchiverStorage

extension AdapterError {
  /// Whether a server that was down explains the failure: no connection was made to the source's own
  /// server, or to any server while an outage was noticed.
  func isOutage(of server: Origin?, wasNoticed: Bool) -> Bool {
    guard let error = underlying as? HTTPError, [.connect, .resolve].contains(error.code) else {
      return false
    }
    return wasNoticed || server != nil && error.origin == server
  }
}

/// Whether a source responds during a run, and the failures that are not attributed yet to it or to
/// an item.
struct SourceHealth {
  /// The number of consecutive failed batches after which the source counts as unavailable, and of
  /// consecutive items without their files after which its server is probed.
  private static let limit = 3

  private(set) var suspects: [(WorkItem, AdapterError)] = []
  /// The number of suspects after which a batch succeeded.
  private var proven = 0
  private var outage = Outage.State.none
  /// How much longer the run may wait for the source.
  private var patience: Duration
  private var failedBatches = 0
  private var unreached = 0
  private var isProbing = false
  /// Why the source counts as unavailable.
  private var reason: AdapterError?

  init(patience: Duration) { self.patience = patience }

  var isOut: Bool { outage.isThere }

  /// Records a failure that may be the source's.
  mutating func suspect(_ work: WorkItem, _ error: AdapterError) { suspects.append((work, error)) }

  /// Records a batch; returns an error if the source counts as unavailable now.
  mutating func fetched(wasUnavailable: Bool) -> AdapterError? {
    failedBatches = wasUnavailable ? failedBatches + 1 : 0
    if !wasUnavailable { proven = suspects.count }
    return failedBatches >= SourceHealth.limit ? suspects.last?.1 : nil
  }

  /// Records an item, and whether its files could not be reached.
  mutating func staged(isUnreached: Bool) { unreached = isUnreached ? unreached + 1 : 0 }

  /// Returns true if the server is to be probed now; `isDue` is whether items wait for the result.
  mutating func beginProbe(isDue: Bool) -> Bool {
    guard isDue || unreached >= SourceHealth.limit, !isProbing, !isOut else { return false }
    isProbing = true
    return true
  }

  /// Records whether the server responded to the probe; returns an error if not.
  mutating func probed(responds: Bool, _ origin: Origin?) -> AdapterError? {
    isProbing = false
    unreached = 0
    if responds { return nil }
    let server = origin.map { "\($0)" } ?? "the server"
    return AdapterError(.unavailable, "\(server) does not respond any more")
  }

  /// Records an outage; returns false if the run may not wait for its end.
  mutating func begin(_ error: AdapterError, at now: Date) -> Bool {
    guard patience > .zero else { return false }
    reason = error
    outage = .noticed(now)
    return true
  }

  /// Returns when to give up waiting, once for each outage.
  mutating func beginWaiting() -> Date? {
    guard case .noticed(let start) = outage else { return nil }
    outage = .waiting(start)
    return start.addingTimeInterval(patience / .seconds(1))
  }

  /// Ends the outage; returns its reason if the source did not respond.
  mutating func waited(isBack: Bool, at now: Date) -> AdapterError? {
    guard case .waiting(let start) = outage else { return nil }
    outage = .none
    patience -= .seconds(max(0, now.timeIntervalSince(start)))
    failedBatches = 0
    unreached = 0
    return isBack ? nil : suspects.last?.1 ?? reason
  }

  /// Returns the suspected failures and forgets them; with `onlyProven`, only those after which the
  /// source delivered other items.
  mutating func takeSuspects(onlyProven: Bool = false) -> [(WorkItem, AdapterError)] {
    defer { (suspects, proven) = ([], 0) }
    return onlyProven ? Array(suspects.prefix(proven)) : suspects
  }
}
