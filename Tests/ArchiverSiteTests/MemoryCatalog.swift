import ArchiverCore
import ArchiverStorage
import Synchronization

/// A catalog of given items.
final class MemoryCatalog: LibraryCatalog {
  private let state: Mutex<State>

  struct State {
    var items: [ItemKey: CatalogItem] = [:]
    var sources: [SourceStatus] = []
    var runs: [RunRecord] = []
    var work: [String: [WorkItem]] = [:]
    var states: [ItemKey: QueueState] = [:]
    var absent: [AbsentItem] = []
    var failures: [(key: ItemKey, work: WorkItem)] = []
    /// Pairs of items; the first links to the second.
    var links: [(from: ItemKey, to: ItemKey)] = []
    /// Items whose records cannot be read.
    var damaged: Set<ItemKey> = []
  }

  init(_ items: [CatalogItem] = []) {
    var state = State()
    for item in items { state.items[item.key] = item }
    self.state = Mutex(state)
  }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  func put(_ item: CatalogItem) { state.withLock { $0.items[item.key] = item } }

  func remove(_ key: ItemKey) { state.withLock { $0.items[key] = nil } }

  func item(_ key: ItemKey) throws(StorageError) -> CatalogItem? {
    state.withLock { $0.items[key] }
  }

  func forEachItem(source: String?, _ body: (CatalogItem) throws -> Bool) throws {
    let items = state.withLock { Array($0.items.values) }
      .filter { source == nil || $0.key.source == source }
      .sorted {
        $0.lastArchived != $1.lastArchived
          ? $0.lastArchived > $1.lastArchived : $0.folder < $1.folder
      }
    for item in items where try !body(item) { return }
  }

  func forEachStoredItem(
    where isWanted: (_ fingerprint: UInt64, _ key: () -> ItemKey) throws -> Bool,
    _ body: (StoredItem) throws -> Void
  ) throws {
    let damaged = state.withLock { $0.damaged }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try forEachItem(source: nil) { item in
      let fingerprint = WordHash.of(try encoder.encode(item))
      guard try isWanted(fingerprint, { item.key }) else { return true }
      let record = StoredItem.Record { () throws(StorageError) in
        guard !damaged.contains(item.key) else {
          throw StorageError(.damaged, "a record of the catalog cannot be read")
        }
        return item
      }
      try body(StoredItem(fingerprint: fingerprint, key: item.key, record: record))
      return true
    }
  }

  func itemCount(source: String?) throws(StorageError) -> Int {
    state.withLock { state in
      state.items.keys.count { source == nil || $0.source == source }
    }
  }

  func sources() throws(StorageError) -> [SourceStatus] { state.withLock { $0.sources } }

  func runs(source: String?, limit: Int) throws(StorageError) -> [RunRecord] {
    state.withLock { state in
      Array(state.runs.filter { source == nil || $0.source == source }.prefix(limit))
    }
  }

  func failures(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)] {
    state.withLock { $0.failures }
  }

  func statesOfArchived() throws(StorageError) -> [ItemKey: QueueState] {
    state.withLock { $0.states }
  }

  func forEachAbsent(source: String?, _ body: (AbsentItem) throws -> Bool) throws {
    let absent = state.withLock { $0.absent }
    for item in absent where source == nil || item.key.source == source {
      guard try body(item) else { return }
    }
  }

  func linkedItems() throws(StorageError) -> [(from: ItemKey, to: ItemKey)] {
    state.withLock { $0.links }
  }

  func work(source: String, _ selection: WorkSelection) throws(StorageError) -> [WorkItem] {
    state.withLock { $0.work[source] ?? [] }
  }

  /// There is no WAL.
  func emptyLog() {}
}
