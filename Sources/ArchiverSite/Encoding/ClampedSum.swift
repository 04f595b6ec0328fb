extension Int {
  /// Adds a number from a source, or a sum of such numbers, and clamps the result to the range of
  /// `Int`.
  func adding(clamped other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    guard overflows else { return sum }
    return other < 0 ? .min : .max
  }

  mutating func add(clamped other: Int) { self = adding(clamped: other) }
}

extension Sequence<Int> {
  /// Returns the clamped sum of all numbers; see `Int.adding`.
  var clampedSum: Int { reduce(0) { $0.adding(clamped: $1) } }
}
