import ArchiverCore

// The end of a listing: databases, deletions and the checkpoint.
extension Discovery {
  /// The minimum number of pages per run that are listed again because originals of their synced
  /// blocks changed; otherwise one in a hundred.
  static let fewestCopies = 20

  mutating func end() async throws(AdapterError) -> ListingPage {
    phase = .over
    let outside = try await leaveOut()
    carryOver()
    gaps += unreadable.gaps
    try await meetCopies()
    var page = deliver(found.keys)
    page.gaps = gaps
    let most = max(Discovery.fewestCopies, found.count / 100)
    let outdated = Set(shown.outdated(rows)).union(elsewhere.outdated(most: most, stamp))
    shown.settle()
    for id in outdated.sorted() where !trashed.contains(id) {
      if let item = found[id] { page.references.append(reference(id, item)) }
    }
    page.deleted = trashed.map(\.hex).sorted()
    let began = honest(started ?? client.context.clock.now())
    page.checkpoint =
      NotionCheckpoint(
        started: began, scope: settings.scope, rows: rows,
        shown: shown.checkpoint,
        unwalked: unwalked.isEmpty ? nil : unwalked.map(\.hex).sorted(), known: known(outside),
        place: place, searched: hasSearchedEnough ? began : previous?.searched,
        elsewhere: elsewhere.record(
          place: remarkPlace ?? elsewhere.place, started: began, isFirst: isFirst,
          isKnown: { [trashed, forgotten] in !trashed.contains($0) && !forgotten.contains($0) },
          stamp)
      ).checkpoint
    page.total = delivered.count
    // Never a complete enumeration: a page that is no longer shared answers 404 and is missing from
    // every list, yet it is not deleted. Only what is in Notion's trash counts as deleted.
    return page
  }

  /// Removes objects outside the scope and returns them.
  private mutating func leaveOut() async throws(AdapterError) -> [NotionID: Found] {
    guard !settings.takesEverything else { return [:] }
    var outside: [NotionID: Found] = [:]
    var hasGivenUp = false
    for id in found.keys.sorted() {
      if givesUp("what remains") { hasGivenUp = true }
      guard !hasGivenUp else {
        found[id] = nil
        continue
      }
      do throws(AdapterError) {
        if try await !isInScope(id) { outside[id] = found[id] }
      } catch {
        try pass(error, "page \(id) may be missing from the listing", isEssential: true)
        found[id] = nil
      }
    }
    for id in outside.keys { found[id] = nil }
    tellUnknownParents(outside)
    return outside
  }

  /// Reports objects that are left out although they may be below a root, because the kind of their
  /// parent is unknown.
  private mutating func tellUnknownParents(_ outside: [NotionID: Found]) {
    guard !settings.roots.isEmpty else { return }
    var counts: [String: Int] = [:]
    for item in outside.values {
      if case .unknown(let type) = item.parent { counts[type, default: 0] += 1 }
    }
    for (type, count) in counts.sorted(by: { $0.key < $1.key }) {
      gaps.append(
        ListingGap(
          "\(count) of the items left out are inside a parent of the unknown type "
            + "\u{201C}\(type)\u{201D}; add them to the roots to keep them", isEssential: false))
    }
  }

  /// Keeps the records of tables that were not queried this time.
  private mutating func carryOver() {
    var kept: Set<String> = []
    for (source, last) in previous?.rows ?? [:] where rows[source] == nil {
      guard let id = NotionID(source), !asked.contains(id) else { continue }
      let database = last.database.flatMap { NotionID($0) } ?? id
      guard !trashed.contains(database), !forgotten.contains(database) else { continue }
      var carried = last
      carried.asked = last.asked ?? previous?.started
      rows[source] = carried
      kept.insert(source)
    }
    shown.keep(kept)
  }

  /// Returns the known items, for the next listing.
  private func known(_ outside: [NotionID: Found]) -> KnownItems {
    var known = remembered
    // A full listing has examined what is outside.
    if previous == nil { known.removeOutside() }
    for (items, isOutside) in [(found, false), (outside, true)] {
      for (id, item) in items {
        if let table = item.parent.table, rows[table.hex] != nil {
          known[id] = nil
        } else {
          known[id] = KnownItems.Entry(
            isDatabase: item.isDatabase, isOutside: isOutside,
            minute: KnownItems.minute(item.edited))
        }
      }
    }
    for id in trashed.union(forgotten) { known[id] = nil }
    return known
  }

  /// Returns a local time in the server's terms, if the local clock is ahead.
  func honest(_ time: Date) -> Date {
    guard let answered = client.activity.answered else { return time }
    let ahead = client.context.clock.now().timeIntervalSince(answered)
    return ahead > 60 ? time.addingTimeInterval(-ahead) : time
  }
}
