import ArchiverCore
import ArchiverStorage

/// A catalog with prepared content, to be read only.
struct ListedCatalog: Catalog {
  var items: [CatalogItem] = []
  var failed: [(key: ItemKey, work: WorkItem)] = []
  var statuses: [SourceStatus] = []

  func failures(source: String?) -> [(key: ItemKey, work: WorkItem)] {
    failed.filter { source == nil || $0.key.source == source }
  }

  func forEachItem(source: String?, _ body: (CatalogItem) throws -> Bool) throws {
    for item in items where source == nil || item.key.source == source {
      guard try body(item) else { return }
    }
  }

  func item(_ key: ItemKey) -> CatalogItem? { items.first { $0.key == key } }
  func itemCount(source: String?) -> Int { items.count }
  func sources() -> [SourceStatus] { statuses }

  func checkpoint(source: String) -> Checkpoint? { nil }
  func work(source: String, _ selection: WorkSelection) -> [WorkItem] { [] }
  func workCount(source: String, _ selection: WorkSelection) -> Int { 0 }
  func asset(url: String) -> CachedAsset? { nil }
  func runs(source: String?, limit: Int) -> [RunRecord] { [] }

  func beginListing(source: String) throws(StorageError) -> ListingID { throw readOnly }
  func enqueue(
    _ page: ListingPage, source: String, listing: ListingID, force: Bool
  ) throws(StorageError) -> PlanSummary { throw readOnly }
  func finishListing(
    _ listing: ListingID, source: String, isCompleteEnumeration: Bool
  ) throws(StorageError) -> Int { throw readOnly }
  func recordFailure(
    _ key: ItemKey, message: String, nextAttempt: Date?, gaveUp: Bool
  ) throws(StorageError) { throw readOnly }
  func putOff(_ key: ItemKey, until: Date?, message: String) throws(StorageError) { throw readOnly }
  func removeWork(_ key: ItemKey) throws(StorageError) { throw readOnly }
  func markUnchanged(_ key: ItemKey, revision: String) throws(StorageError) { throw readOnly }
  func beginRun(_ run: RunRecord) throws(StorageError) -> RunID { throw readOnly }
  func finishRun(_ id: RunID, _ run: RunRecord) throws(StorageError) { throw readOnly }

  private var readOnly: StorageError { StorageError(.notWritable, "prepared for reading") }
}
