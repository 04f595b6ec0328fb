import ArchiverCore
import ArchiverStorage

/// Items whose files could not be reached, until it is known whether their server is down: then they are
/// fetched again once it responds, instead of being archived without their files.
struct StrandedItems {
  typealias Item = (work: WorkItem, outcome: ItemProcessor.Outcome)

  /// The number of items after which they are not kept until the end of the run.
  private static let most = 64

  private var items: [Item] = []
  /// The ids of items that were fetched again because their server may have been down for a moment.
  private var retried: Set<String> = []

  var isEmpty: Bool { items.isEmpty }
  var isFull: Bool { items.count >= StrandedItems.most }

  /// Takes the outcome of an item if its files could not be reached; returns whether it did.
  mutating func take(_ work: WorkItem, _ outcome: ItemProcessor.Outcome) -> Bool {
    switch outcome {
    case .staged(let item) where item.isUnreached: break
    case .unreached: break
    default: return false
    }
    items.append((work, outcome))
    return true
  }

  /// Returns all items, in the order in which they were taken, and forgets them.
  mutating func release() -> [Item] {
    defer { items = [] }
    return items
  }

  /// Returns the items that were not fetched again yet, once each: their server may have been down for less
  /// time than a probe takes to notice. The others stay.
  mutating func takeFirst() -> [Item] {
    var first = items.filter { !retried.contains($0.work.reference.id) }
    for index in first.indices { first[index].work.isAgain = true }
    items.removeAll { !retried.contains($0.work.reference.id) }
    retried.formUnion(first.map(\.work.reference.id))
    return first
  }
}
