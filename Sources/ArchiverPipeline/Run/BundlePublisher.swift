import ArchiverCore
import ArchiverStorage

/// Gathers staged bundles into batches that are published together.
///
/// One flush per batch costs a fraction of one per bundle. A batch is sent when it is full, or when
/// nothing else is in progress. If flushes take long, as on a spinning disk or a network share,
/// everything gathered meanwhile is sent with the next one.
struct BundlePublisher {
  struct Entry: Sendable {
    let work: WorkItem
    let item: ItemProcessor.StagedItem
  }

  /// The usual size of a batch.
  static let batchSize = 64

  /// The batch size near the end: while the last batch is flushed and recorded nothing else is left
  /// to do, so it should be small.
  static let lastBatchSize = 16

  /// The maximum number of bundles that wait for a flush. At this number fetching pauses; otherwise
  /// a disk slower than the source would let the whole source pile up in memory.
  static let most = 2 * batchSize

  private var waiting: [Entry] = []

  var isFull: Bool { waiting.count >= BundlePublisher.most }

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ entry: Entry) {
    waiting.append(entry)
  }

  /// Returns the next batch; `nil` if none is due.
  mutating func next(everything: Bool, rest: Int?) -> [Entry]? {
    guard
      let count = BundlePublisher.batch(of: waiting.count, everything: everything, rest: rest)
    else { return nil }
    let batch = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    return batch
  }

  /// Returns how many waiting bundles to send: a full batch, or `everything`; `nil` for none.
  ///
  /// `rest` is how many more will come, `nil` if unknown. The last few join the batch before them
  /// rather than pay for a flush of their own.
  static func batch(of waiting: Int, everything: Bool, rest: Int?) -> Int? {
    guard waiting > 0 else { return nil }
    if !everything {
      let size = rest.map { $0 <= batchSize } ?? false ? lastBatchSize : batchSize
      guard waiting >= size else { return nil }
      if let rest, rest > 0, rest <= lastBatchSize / 2 { return nil }
    }
    return waiting <= batchSize * 3 / 2 || waiting >= most ? waiting : batchSize
  }
}

extension BundlePublisher {
  struct Outcome: Sendable {
    var archived: [Entry] = []
    /// Bundles that exceed the storage budget, now that their size is known.
    var refused: [Entry] = []
    /// Evicted items.
    var left: [CatalogItem] = []
    var error: StorageError?
  }

  /// Publishes a batch. Within a storage budget, publishes the bundles one by one, each after the
  /// evictions for it.
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
