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

  /// Most bundles made durable together.
  static let batchSize = 64

  private var waiting: [Entry] = []

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ entry: Entry) {
    waiting.append(entry)
  }

  /// Returns the next batch, when it is full or `everything` is to go; `nil` otherwise.
  mutating func next(everything: Bool) -> [Entry]? {
    guard !waiting.isEmpty, everything || waiting.count >= BundlePublisher.batchSize else {
      return nil
    }
    let batch = Array(waiting.prefix(BundlePublisher.batchSize))
    waiting.removeFirst(batch.count)
    return batch
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
