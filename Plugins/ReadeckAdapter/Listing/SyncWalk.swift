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
    _ list: LenientArray<SyncEntry>, since: ReadeckCheckpoint?, highlighted: Set<String>?,
    isWhole: Bool
  ) {
    let latest = SyncWalk.latest(list.elements)
    updates = latest.filter { entry in
      !entry.isDeletion && highlighted?.contains(entry.id) ?? true
    }
    deleted = latest.filter(\.isDeletion).map(\.id)
    newest = (list.elements.map(\.time) + [since?.time].compactMap(\.self)).max()
    self.isWhole = isWhole && list.faults.isEmpty
  }

  /// Returns one entry per bookmark, its latest, newest first.
  static func latest(_ entries: [SyncEntry]) -> [SyncEntry] {
    var seen: Set<String> = []
    return entries.sorted { $0.time > $1.time }.filter { seen.insert($0.id).inserted }
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
