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
