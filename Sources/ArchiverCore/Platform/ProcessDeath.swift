/// How an earlier process ended that did not end by itself.
package enum ProcessDeath: Sendable {
  /// By a fault of its own, such as an illegal instruction: what was in work is likely to blame.
  case crash
  /// From outside: killed, out of memory, a power cut. What was in work is rarely to blame.
  case killed

  /// How much the death speaks against each item that was in work, in points that are summed until the
  /// item succeeds. The limits below are in the same unit.
  package var blame: Int {
    switch self {
    case .crash: 3
    case .killed: 1
    }
  }

  /// From here on an item counts as failed and is tried last: two crashes, or six kills.
  package static let failureLimit = 6
  /// From here on an item also waits, longer each time.
  package static let waitLimit = 15
}
