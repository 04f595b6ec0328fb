import ArchiverCore
import ArchiverStorage

/// Items whose files could not be reached, until it is known whether their server is down: then they are
/// fetched again once it responds, instead of being archived without their files.
struct StrandedItems {
  typealias Item = (work: WorkItem, outcome: ItemProcessor.Outcome)

  private var items: [Item] = []
  /// Whether the server was down during this run and came back.
  private var hasRecovered = false
  /// The ids of items that were fetched again because they may have met the end of an outage.
  private var retried: Set<String> = []

  var isEmpty: Bool { items.isEmpty }

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

  /// Returns all items, to be fetched again as their server is back.
  mutating func recover() -> [Item] {
    hasRecovered = true
    return release()
  }

  /// Returns the items that may have met the end of an outage, once each: an item that began before the
  /// server came back can end after it. The others stay.
  mutating func takeLate() -> [Item] {
    guard hasRecovered else { return [] }
    let late = items.filter { !retried.contains($0.work.reference.id) }
    items.removeAll { !retried.contains($0.work.reference.id) }
    retried.formUnion(late.map(\.work.reference.id))
    return late
  }
}
