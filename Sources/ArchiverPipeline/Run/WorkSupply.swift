import ArchiverCore
import ArchiverStorage

/// Reads a source's work queue in batches, up to a budget: pinned entries first, then the others in
/// order.
struct WorkSupply {
  private static let pageSize = 256

  private let catalog: SQLiteCatalog
  private let source: String
  private var selection: WorkSelection
  private var buffer: ArraySlice<WorkItem> = []
  private var isExhausted = false
  /// How many more entries may be returned; `nil` for no limit.
  private var budget: Int?

  /// The ids that are returned first, and then skipped.
  private let pinned: Set<String>
  private var hasTakenPinned = false
  private var hasBegun = false

  init(
    catalog: SQLiteCatalog, source: String, budget: Int?, selection: WorkSelection,
    pinned: Set<String> = []
  ) {
    self.catalog = catalog
    self.pinned = pinned
    self.source = source
    self.budget = budget
    self.selection = selection
  }

  /// Returns at most `count` entries; empty if the queue or the budget is used up.
  ///
  /// If more than `count` are known to wait, the first call returns a quarter of it, so that their
  /// files are in flight while the source delivers the next batch.
  mutating func next(_ count: Int) throws(StorageError) -> [WorkItem] {
    if buffer.isEmpty, budget != 0 { try refill() }
    let isMore = min(buffer.count, budget ?? .max) > count
    let wanted = hasBegun || !isMore ? min(count, budget ?? count) : max(1, count / 4)
    hasBegun = true
    var taken: [WorkItem] = []
    while taken.count < wanted {
      if buffer.isEmpty {
        try refill()
        if buffer.isEmpty { break }
      }
      taken.append(buffer.removeFirst())
    }
    if let left = budget { budget = left - taken.count }
    return taken
  }

  /// Whether no more entries will be returned, unless some are refunded or requeued.
  var isUsedUp: Bool { buffer.isEmpty && isExhausted || budget == 0 }

  /// Refunds one entry's share of the budget, as it turned out unchanged.
  mutating func refundBudget() {
    if let left = budget { budget = left + 1 }
  }

  /// Requeues entries before all others.
  mutating func putBack(_ works: [WorkItem]) {
    buffer = works + buffer
    if let left = budget { budget = left + works.count }
  }

  private mutating func refill() throws(StorageError) {
    if !hasTakenPinned {
      hasTakenPinned = true
      var first = selection
      first.only = selection.only.isEmpty ? Array(pinned) : selection.only.filter(pinned.contains)
      if !first.only.isEmpty { buffer = try catalog.work(source: source, first)[...] }
      if !buffer.isEmpty { return }
    }
    while buffer.isEmpty, !isExhausted {
      try turnPage()
    }
  }

  private mutating func turnPage() throws(StorageError) {
    selection.limit = WorkSupply.pageSize
    let page = try catalog.work(source: source, selection)
    isExhausted = page.count < WorkSupply.pageSize
    selection.after = page.last?.reference
    buffer = page.filter { !pinned.contains($0.reference.id) }[...]
  }
}
