/// Which pages of a comic wide windows show together: as in a printed book, the cover is alone and
/// then pages are in pairs. A double page is alone too, and the next pair begins after it.
struct ComicSpreads {
  /// For each page, the index of its spread.
  private let places: [Int]
  /// Spreads of one or two pages each, in reading order.
  let spreads: [Range<Int>]

  /// - Parameter isAlone: For each page, whether it must not be paired.
  init(isAlone: [Bool]) {
    var spreads: [Range<Int>] = []
    var index = 0
    while index < isAlone.count {
      let isPair =
        index > 0 && index + 1 < isAlone.count && !isAlone[index] && !isAlone[index + 1]
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
