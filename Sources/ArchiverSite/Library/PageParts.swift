/// The division of a long list into pages, counted from its oldest item, so that a full page stays
/// unchanged when new items arrive.
enum PageParts {
  /// The part of a list, sorted newest first, that is on one page.
  struct Part: Hashable {
    let range: Range<Int>
    /// The number of a full page, counted from the oldest, from 1; `nil` on the growing page with
    /// the newest items.
    let number: Int?
  }

  /// Divides `count` rows into full pages of `size` and a newest page of less than twice that,
  /// which comes first.
  static func of(_ count: Int, size: Int) -> [Part] {
    let full = max(0, count / size - 1)
    let newest = count - full * size
    return [Part(range: 0..<newest, number: nil)]
      + (0..<full).map { index in
        let start = newest + index * size
        return Part(range: start..<start + size, number: full - index)
      }
  }
}

extension RowList {
  /// Splits the rows at each change of a value.
  func runs<Value: Equatable>(by value: (RowEntry) -> Value) -> [(value: Value, rows: RowList)] {
    var runs: [(value: Value, rows: RowList)] = []
    var rest = self
    while let first = rest.first {
      let shared = value(first)
      let rows = rest.prefix { value($0) == shared }
      runs.append((value: shared, rows: rows))
      rest = rest.dropFirst(rows.count)
    }
    return runs
  }
}
