import ArchiverCore

/// Divides one response of the sync API, which lists everything at once, into pages.
struct SyncWalk: Sendable {
  /// The number of references per page; a checkpoint is stored after the last page.
  static let pageSize = 1000

  private let updates: SyncEntries
  private let deleted: [String]
  private let newest: Timestamp?
  private let isWhole: Bool
  private let gaps: [ListingGap]
  private var position = 0
  private(set) var isFinished = false

  /// Lists each bookmark once, by its latest entry, newest first.
  init(
    _ entries: consuming SyncEntries, since: ReadeckCheckpoint?,
    highlighted: ReadeckListing.Highlighted?, isWhole: Bool, now: Date
  ) {
    gaps = ListingGap.entries(entries.faults + (highlighted?.faults ?? []))
    self.isWhole = isWhole && gaps.isEmpty
    // A checkpoint past an invalid entry would hide it from the next listing.
    newest =
      !gaps.isEmpty
      ? nil
      : ReadeckCheckpoint.time(
        entries.newest(until: ReadeckCheckpoint.limit(answered: entries.answered, now: now)),
        since: since)
    entries.keepLatest()
    deleted = entries.takeDeletions()
    if let highlighted { entries.keep(highlighted.ids) }
    updates = entries
  }

  mutating func next(settings: String) -> ListingPage {
    let end = min(position + SyncWalk.pageSize, updates.count)
    let references = (position..<end).map { index in
      let (id, time) = updates[index]
      return ItemReference(id: id, revision: time.canonical, date: time.date)
    }
    position = end
    isFinished = end == updates.count
    guard isFinished else { return ListingPage(references: references, total: updates.count) }
    return ListingPage(
      references: references, deleted: deleted,
      checkpoint: newest.map { ReadeckCheckpoint(time: $0, settings: settings).checkpoint },
      total: updates.count, isCompleteEnumeration: isWhole, gaps: gaps)
  }
}

extension ListingGap {
  /// Returns gaps for invalid entries of a list, each with a sentence; beyond the first few, only
  /// their number.
  static func entries(_ faults: [String]) -> [ListingGap] {
    let most = 5
    var gaps = faults.prefix(most).map {
      ListingGap("an entry of the list was left out: \($0)", isEssential: true)
    }
    if faults.count > most {
      gaps.append(
        ListingGap("\(faults.count - most) more entries were left out", isEssential: true))
    }
    return gaps
  }
}
