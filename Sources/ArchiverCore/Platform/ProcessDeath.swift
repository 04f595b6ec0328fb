/// The way in which an earlier process terminated unexpectedly.
package enum ProcessDeath: Sendable {
  /// A crash, such as by an illegal instruction: an item in work probably caused it.
  case crash
  /// An external cause: killed, out of memory, a power cut. An item in work rarely caused it.
  case killed

  /// The amount that one such death adds to the blame of each item in work. An item's blame is
  /// summed until the item succeeds; the limits below are in the same unit.
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
