/// How a long list is cut into pages: counted from its old end, so that a page once full stays as it
/// is when newer items come.
enum PageParts {
  /// A page's part of a list that is sorted newest first.
  struct Part: Hashable {
    let range: Range<Int>
    /// Counts full pages from the oldest, from 1; `nil` on the page that grows, which has the newest.
    let number: Int?
  }

  /// Cuts `count` rows into full pages of `size` and a newest one of less than twice that, which
  /// comes first.
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
