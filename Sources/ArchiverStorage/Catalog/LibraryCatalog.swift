/// The catalog's queries for the library.
package protocol LibraryCatalog: Sendable {
  /// Returns the entries to fetch now, in order.
  func work(source: String, _ selection: WorkSelection) throws(StorageError) -> [WorkItem]

  /// Returns the entries that failed at least once, most recent failure first.
  func failures(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)]

  /// Returns an archived item.
  func item(_ key: ItemKey) throws(StorageError) -> CatalogItem?

  /// Calls `isWanted` with the fingerprint of each archived item (see `StoredItem`) and a closure
  /// that reads its key, valid only during the call. Then calls `body` with each wanted item. Both
  /// are in no particular order; the records of unwanted items are not read.
  func forEachStoredItem(
    where isWanted: (_ fingerprint: UInt64, _ key: () -> ItemKey) throws -> Bool,
    _ body: (StoredItem) throws -> Void) throws

  /// Counts archived items.
  func itemCount(source: String?) throws(StorageError) -> Int

  /// Returns runs, newest first.
  func runs(source: String?, limit: Int) throws(StorageError) -> [RunRecord]

  /// Returns the queue's state of archived items: newer at the source, or incomplete.
  func statesOfArchived() throws(StorageError) -> [ItemKey: QueueState]

  /// Checkpoints the WAL, unless another connection is reading; the rest is done when the catalog
  /// is closed. Call it while waiting for something else.
  func emptyLog()

  /// Calls `body` with each tracked item that is not archived, newest first, until it returns
  /// false.
  func forEachAbsent(source: String?, _ body: (AbsentItem) throws -> Bool) throws

  /// Returns which archived items link to which others, on their pages or by their own relations.
  /// Each pair occurs once, sorted by the folder of the first, then of the second.
  func linkedItems() throws(StorageError) -> [(from: ItemKey, to: ItemKey)]

  /// Returns the status of each source, sorted by name; sources that were never run are missing.
  func sources() throws(StorageError) -> [SourceStatus]
}
