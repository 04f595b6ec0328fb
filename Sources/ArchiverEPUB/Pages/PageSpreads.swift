/// Which pages wide windows show together, as in a printed book: pages are in pairs, the cover is
/// alone, and so is a page that says so, such as a double page. The next pair begins after it.
struct PageSpreads {
  /// The position of a page in its spread.
  enum Place: Sendable, Hashable {
    /// The next one; the first page of a book is alone.
    case next
    case first
    case second
    case alone
  }

  /// For each page, the index of its spread.
  private let places: [Int]
  /// Spreads of one or two pages each, in reading order.
  let spreads: [Range<Int>]

  /// - Parameter pages: For each page, in reading order, the position that it requires.
  init(_ pages: [Place]) {
    var spreads: [Range<Int>] = []
    var index = 0
    while index < pages.count {
      let isFirst = pages[index] == .first || pages[index] == .next && index > 0
      let isPair =
        isFirst && index + 1 < pages.count && [.next, .second].contains(pages[index + 1])
      spreads.append(index..<index + (isPair ? 2 : 1))
      index += isPair ? 2 : 1
    }
    self.spreads = spreads
    places = spreads.enumerated().flatMap { place, range in range.map { _ in place } }
  }

  /// Returns the pages shown with a page.
  func spread(of page: Int) -> Range<Int> { spreads[places[page]] }

  /// Returns the first page of the spread that is `step` spreads after that of a page.
  func first(_ step: Int, from page: Int) -> Int? {
    let place = places[page] + step
    return spreads.indices.contains(place) ? spreads[place].lowerBound : nil
  }
}
