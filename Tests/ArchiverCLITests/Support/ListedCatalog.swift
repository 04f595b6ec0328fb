import ArchiverCLI
import ArchiverStorage

/// A catalog with prepared content.
struct ListedCatalog: CatalogReading {
  var items: [CatalogItem] = []
  var failed: [(key: ItemKey, work: WorkItem)] = []
  var statuses: [SourceStatus] = []
  var queue: [ItemKey: QueueState] = [:]
  var absent: [AbsentItem] = []
  var pinned: Set<ItemKey> = []

  func failures(source: String?) -> [(key: ItemKey, work: WorkItem)] {
    failed.filter { source == nil || $0.key.source == source }
  }

  var unfinished: [(key: ItemKey, work: WorkItem)] = []

  func incomplete(source: String?) -> [(key: ItemKey, work: WorkItem)] {
    unfinished.filter { source == nil || $0.key.source == source }
  }

  func item(_ key: ItemKey) -> CatalogItem? { items.first { $0.key == key } }

  func keys(named name: String, source: String?) -> [ItemKey] {
    let keys = items.filter { [$0.key.id, $0.folder].contains(name) }.map(\.key)
    return (keys + absent.map(\.key).filter { $0.id == name }).filter {
      source == nil || $0.source == source
    }
  }

  func forEachItem(source: String?, _ body: (CatalogItem) throws -> Bool) throws {
    for item in items where source == nil || item.key.source == source {
      guard try body(item) else { return }
    }
  }

  var records: [RunRecord] = []

  func runs(source: String?, limit: Int) -> [RunRecord] {
    Array(records.filter { source == nil || $0.source == source }.prefix(limit))
  }

  func heldBackCount(source: String) -> Int {
    items.count { $0.key.source == source && $0.heldBack != nil }
  }

  func sources() -> [SourceStatus] { statuses }

  func queueState(_ key: ItemKey) -> QueueState? { queue[key] }

  func forEachAbsent(source: String?, _ body: (AbsentItem) throws -> Bool) throws {
    for item in absent where source == nil || item.key.source == source {
      guard try body(item) else { return }
    }
  }

  func pins(source: String?) -> Set<ItemKey> {
    pinned.filter { source == nil || $0.source == source }
  }
}
