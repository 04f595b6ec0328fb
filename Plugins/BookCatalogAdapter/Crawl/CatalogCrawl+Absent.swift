import ArchiverCore

// Absent feeds and their effect on the detection of removed books.
extension CatalogCrawl {
  /// Records a feed that answered 404 or 410. An absent later page of a feed is a gap.
  func noteAbsent(
    _ error: AdapterError, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) {
    if stop.start != nil { return state.miss("a feed was left out: \(error.message)") }
    let key = FeedMemory.key(stop.url)
    state.absent[key] = error.message
    if !state.memory.named.contains(key) {
      log(.warning, "a feed was treated as empty: \(error.message)")
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
            "\(message); it had books before: no book counts as removed until it is back or was "
              + "absent for \(FeedMemory.days) days or \(FeedMemory.crawls) complete listings",
            isEssential: true))
      } else if !mayReturn, isKnown {
        state.gaps.append(
          ListingGap(
            "\(message) and was missing from earlier listings too: books that only it listed "
              + "count as removed",
            isEssential: false))
      }
    }
    return isHiding
  }
}
