import ArchiverCore

// Absent feeds and their effect on the detection of removed books.
extension CatalogCrawl {
  /// Records a feed that answered 404 or 410. An absent later page of a feed is a gap.
  func noteAbsent(
    _ error: AdapterError, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) {
    if stop.start != nil { return state.miss("A feed was left out: \(error.message)") }
    let key = FeedMemory.key(stop.url)
    state.absent[key] = error.message
    if !state.memory.named.contains(key) {
      log(.warning, "A feed was taken for empty: \(error.message)")
    }
  }

  /// Evaluates the absent feeds at the end of the crawl and records them for the next one.
  ///
  /// Returns whether any of them may still have books that no other feed listed.
  func settleAbsent(_ state: inout CatalogCrawlState) -> Bool {
    let now = clock.now()
    state.memory.learn(
      read: state.productive, gone: Set(state.absent.keys), isWhole: !state.hasGaps, at: now)
    var isHiding = false
    for (key, message) in state.absent.sorted(by: { $0.key < $1.key }) {
      let isKnown = state.memory.named.contains(key)
      let mayReturn = state.memory.mayReturn(key, at: now)
      isHiding = isHiding || mayReturn
      if mayReturn, isKnown {
        state.gaps.append(
          ListingGap(
            "\(message), and named books before: nothing counts as removed until it is back or was "
              + "absent for \(FeedMemory.days) days or \(FeedMemory.crawls) complete listings",
            isEssential: true))
      } else if !mayReturn, isKnown {
        state.gaps.append(
          ListingGap(
            "\(message) and was not in earlier listings either: what only it named counts as removed",
            isEssential: false))
      }
    }
    return isHiding
  }
}
