/// How an earlier process terminated unexpectedly.
package enum ProcessDeath: Sendable {
  /// By a crash, such as an illegal instruction: items in work probably caused it.
  case crash
  /// By a cause outside: killed, out of memory, a power cut. Items in work rarely caused it.
  case killed

  /// The blame for each item that was in work, summed until the item succeeds. The limits below are
  /// in the same unit.
  package var blame: Int {
    switch self {
    case .crash: 3
    case .killed: 1
    }
  }

  /// From this blame on an item counts as failed and is tried last: two crashes, or six kills.
  package static let failureLimit = 6
  /// From this blame on an item is also postponed, longer each time.
  package static let waitLimit = 15
}
