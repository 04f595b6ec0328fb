extension [String] {
  /// Adds a sentence about a number of things: `one` about one, `many` about several.
  mutating func add(_ count: Int, _ one: String, _ many: String) {
    if count > 0 { append(count == 1 ? one : many) }
  }
}
