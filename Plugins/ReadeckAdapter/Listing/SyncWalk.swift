import ArchiverCore

/// Pages made of one answer of the sync API, which names everything at once.
struct SyncWalk: Sendable {
  /// References on a page; a checkpoint is stored after the last one.
  static let pageSize = 1000

  private let updates: [SyncEntry]
  private let deleted: [String]
  private let newest: Timestamp?
  private let isWhole: Bool
  private var position = 0
  private(set) var isFinished = false

  init(
    _ list: consuming LenientArray<SyncEntry>, since: ReadeckCheckpoint?, highlighted: Set<String>?,
    isWhole: Bool
  ) {
    self.isWhole = isWhole && list.faults.isEmpty
    newest = [list.elements.lazy.map(\.time).max(), since?.time].compactMap(\.self).max()
    // In place: an answer may name a hundred thousand bookmarks.
    var latest = SyncWalk.latest(list.takeElements())
    deleted = latest.lazy.filter(\.isDeletion).map(\.id)
    latest.removeAll { entry in
      entry.isDeletion || !(highlighted?.contains(entry.id) ?? true)
    }
    updates = latest
  }

  /// Returns one entry per bookmark, its latest, newest first.
  static func latest(_ entries: consuming [SyncEntry]) -> [SyncEntry] {
    var seen: Set<String> = []
    var entries = consume entries
    entries.sort { $0.time > $1.time }
    entries.removeAll { !seen.insert($0.id).inserted }
    return entries
  }

  mutating func next(settings: String) -> ListingPage {
    let end = min(position + SyncWalk.pageSize, updates.count)
    let references = updates[position..<end].map { entry in
      ItemReference(id: entry.id, revision: entry.time.canonical, date: entry.time.date)
    }
    position = end
    isFinished = end == updates.count
    guard isFinished else { return ListingPage(references: references, total: updates.count) }
    return ListingPage(
      references: references, deleted: deleted,
      checkpoint: newest.map { ReadeckCheckpoint(time: $0, settings: settings).checkpoint },
      total: updates.count, isCompleteEnumeration: isWhole)
  }
}
