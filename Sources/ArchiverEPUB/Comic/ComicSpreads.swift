/// Which pages of a comic wide windows show side by side: as in a printed one the cover is alone, then two
/// and two; a picture of two pages is alone too, and the next pair begins behind it.
struct ComicSpreads {
  /// The place in `spreads` of each page.
  private let places: [Int]
  /// One page or two each, in the order in which they are read.
  let spreads: [Range<Int>]

  /// - Parameter isAlone: for each page, whether it has no page beside it.
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

  /// The pages that are shown with a page.
  func spread(of page: Int) -> Range<Int> { spreads[places[page]] }

  /// The first page of the spread that is so many spreads behind that of a page.
  func first(_ step: Int, from page: Int) -> Int? {
    let place = places[page] + step
    return spreads.indices.contains(place) ? spreads[place].lowerBound : nil
  }
}
