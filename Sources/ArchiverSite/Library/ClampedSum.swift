extension Int {
  /// Adds a number of a source's, or a sum of them; stays the least or largest `Int` where the sum would
  /// be beyond it.
  func adding(clamped other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    guard overflows else { return sum }
    return other < 0 ? .min : .max
  }

  mutating func add(clamped other: Int) { self = adding(clamped: other) }
}

extension Sequence<Int> {
  /// Adds all up, see `Int.adding`.
  var clampedSum: Int { reduce(0) { $0.adding(clamped: $1) } }
}
