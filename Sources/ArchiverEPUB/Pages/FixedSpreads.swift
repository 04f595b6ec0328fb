import ArchiverMarkup

/// The spreads of a book's pages of fixed layout.
///
/// Both pages of a spread have a file, and each shows the other one in a frame: their styles and ids
/// may be the same. Narrow windows, and browsers that cannot fit two pages into a window, show one
/// page.
struct FixedSpreads {
  /// The page beside another one.
  struct Mate {
    let file: String
    let title: String
    let size: PageSize
    /// Whether it is before the other page in reading order.
    let isFirst: Bool
    let turnsLeft: Bool
    let mode: SpreadRules.Mode
  }

  /// The id of the body of pages in spreads. With this fragment, a page shows itself only, without
  /// navigation, and fills the frame.
  static let aloneID = "alone"

  private let spreads: PageSpreads
  /// Indexes in the plan, in the linear reading order.
  private let linear: [Int]
  /// For each page of the plan, its index in `linear`.
  private let places: [Int: Int]
  private let sizes: [Int: PageSize]
  private let plan: [PlannedPage]
  private let turnsLeft: Bool

  /// - Parameter size: Returns the size of a page; `nil` without one.
  init(_ plan: [PlannedPage], turnsLeft: Bool, size: (PlannedPage) -> PageSize?) {
    self.plan = plan
    self.turnsLeft = turnsLeft
    linear = plan.indices.filter { plan[$0].isLinear }
    places = Dictionary(linear.enumerated().map { ($1, $0) }) { first, _ in first }
    var sizes: [Int: PageSize] = [:]
    for index in linear where plan[index].isFixedLayout && plan[index].spread?.mode != .never {
      sizes[index] = size(plan[index])
    }
    self.sizes = sizes
    spreads = PageSpreads(
      linear.map { index in
        guard let size = sizes[index], let rules = plan[index].spread else { return .alone }
        return rules.place(of: size, turnsLeft: turnsLeft)
      })
  }

  /// Returns the page beside a page; `nil` for one that is alone.
  func mate(of index: Int, title: (Int) -> String) -> Mate? {
    guard let place = places[index], spreads.spread(of: place).count == 2,
      let other = spreads.spread(of: place).first(where: { $0 != place }),
      let size = sizes[linear[other]], let mode = plan[index].spread?.mode,
      let otherMode = plan[linear[other]].spread?.mode
    else { return nil }
    let page = linear[other]
    return Mate(
      file: plan[page].file, title: title(page), size: size, isFirst: other < place,
      turnsLeft: turnsLeft,
      mode: mode == .always && otherMode == .always ? .always : .landscape)
  }

  /// Returns the first page of the next spread in a direction; `nil` if there is none.
  func neighbour(of index: Int, _ step: Int) -> Int? {
    places[index].flatMap { spreads.first(step, from: $0) }.map { linear[$0] }
  }
}

extension SpreadRules {
  /// Returns the position in a spread of a page with a size.
  func place(of size: PageSize, turnsLeft: Bool) -> PageSpreads.Place {
    switch side {
    case .center: return .alone
    case _ where mode == .never: return .alone
    case .left: return turnsLeft ? .second : .first
    case .right: return turnsLeft ? .first : .second
    case nil: return mode == .auto && size.width > size.height ? .alone : .next
    }
  }
}
