import ArchiverCore
import ArchiverStorage

/// Gathers staged bundles so that a whole batch is made durable and visible at once.
///
/// One flush to disk for a batch costs a fraction of one per file. A batch goes out when it is
/// full or when nothing else is left to wait for.
struct BundlePublisher {
  struct Entry: Sendable {
    let work: WorkItem
    let item: ItemProcessor.StagedItem
  }

  /// Bundles that are worth a flush of their own.
  static let batchSize = 64

  /// Bytes that are worth a flush ahead of their batch: a hundredth of a second or more of most disks'
  /// time.
  static let writeOutSize = 16 << 20

  private var waiting: [Entry] = []
  /// Those of them that are on their way to the disk already.
  private var writtenOut = 0

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ entry: Entry) {
    waiting.append(entry)
  }

  /// Whether it is time to write out what waits; then it counts as written out.
  mutating func beginsWritingOut(rest: Int?) -> Bool {
    let others = waiting.dropFirst(writtenOut)
    let byteCount = others.reduce(0) { $0 + $1.item.bundle.item.byteCount }
    guard BundlePublisher.isWorthWritingOut(others.count, byteCount: byteCount, rest: rest) else {
      return false
    }
    writtenOut = waiting.count
    return true
  }

  /// Whether so many that wait, of so many bytes, are to be written out before their batch goes: near the
  /// end, as nobody has anything else to do while the last batch is flushed.
  ///
  /// `rest` is how many more will come at all, `nil` when nobody knows.
  static func isWorthWritingOut(_ waiting: Int, byteCount: Int, rest: Int?) -> Bool {
    guard let rest, rest <= batchSize else { return false }
    return waiting >= batchSize || byteCount >= writeOutSize
  }

  /// Returns the next batch; `nil` when it is not time for one.
  mutating func next(everything: Bool, rest: Int?) -> [Entry]? {
    guard
      let count = BundlePublisher.batch(of: waiting.count, everything: everything, rest: rest)
    else { return nil }
    let batch = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    writtenOut = max(0, writtenOut - count)
    return batch
  }

  /// Returns how many of those that wait go now: a full batch or `everything`; `nil` for none.
  ///
  /// `rest` is how many more will come at all, `nil` when nobody knows: the last few go with the
  /// batch before them instead of paying for a flush.
  static func batch(of waiting: Int, everything: Bool, rest: Int?) -> Int? {
    guard waiting > 0 else { return nil }
    if !everything {
      guard waiting >= batchSize else { return nil }
      if let rest, rest > 0, rest <= batchSize / 2 { return nil }
    }
    return waiting <= batchSize * 3 / 2 ? waiting : batchSize
  }
}

extension BundlePublisher {
  struct Outcome: Sendable {
    var archived: [Entry] = []
    /// Those that the storage budget has no room for now that their size is known.
    var refused: [Entry] = []
    /// Items that left to make room.
    var left: [CatalogItem] = []
    var error: StorageError?
  }

  /// Publishes a batch; within a budget one after the other, each after what leaves for it.
  static func publish(
    _ batch: [Entry], in archive: Archive, within budget: StorageBudget?
  ) -> Outcome {
    var outcome = Outcome()
    do throws(StorageError) {
      if let budget {
        for entry in batch { try publish(entry, in: archive, within: budget, &outcome) }
      } else {
        try archive.publish(batch.map(\.item.bundle))
        outcome.archived = batch
      }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  private static func publish(
    _ entry: Entry, in archive: Archive, within budget: StorageBudget, _ outcome: inout Outcome
  ) throws(StorageError) {
    let bundle = entry.item.bundle
    if let claim = entry.item.claim {
      guard let leaving = try budget.leaving(for: claim, bundle.item.byteCount) else {
        archive.bundles.discard(bundle)
        budget.settled(bundle.item, isArchived: false)
        outcome.refused.append(entry)
        return
      }
      for item in leaving {
        try budget.leave(item)
        outcome.left.append(item.item)
      }
    }
    try archive.publish([bundle])
    budget.settled(bundle.item, isArchived: true)
    outcome.archived.append(entry)
  }
}
