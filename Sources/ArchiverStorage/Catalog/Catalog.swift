package import ArchiverCore

/// The database of what is archived and what remains to be fetched.
///
/// Contract, each sentence checked by the conformance suite:
/// 1. Every method is one transaction: after a crash it has happened completely or not at all.
/// 2. Methods may be called from any thread; calls are serialised.
/// 3. `enqueue` compares each reference with the archived revision: unknown ids become `.new`,
///    differing revisions `.changed`, equal ones leave the queue unless they are `.incomplete`.
/// 4. A reference delivered again replaces its queue entry; attempts start over if the revision
///    differs from the queued one, and stay otherwise.
/// 5. `work` returns entries newest first by the reference's date, those without date last, then by id.
/// 6. Reads see every write that returned before.
package protocol Catalog: Sendable {
  /// Returns the checkpoint to list from; `nil` if the source was never listed.
  func checkpoint(source: String) throws(StorageError) -> Checkpoint?

  /// Begins a listing of a source.
  func beginListing(source: String) throws(StorageError) -> ListingID

  /// Stores a page of a listing in the queue and records that `listing` returned its ids.
  ///
  /// The page's checkpoint is stored in the same transaction. Ids in `page.deleted` are marked at
  /// once, as `finishListing` would. With `force`, references whose revision is archived are queued
  /// as `.changed`.
  func enqueue(
    _ page: ListingPage, source: String, listing: ListingID, force: Bool
  ) throws(StorageError) -> PlanSummary

  /// Ends a listing. If it was a complete enumeration, archived items that it did not return become
  /// `.deleted`, and queue entries that it did not return are removed. Returns how many became
  /// deleted.
  func finishListing(
    _ listing: ListingID, source: String, isCompleteEnumeration: Bool
  ) throws(StorageError) -> Int

  /// Returns the ids of archived items, neither deleted nor withheld, that the listing has not
  /// returned so far: at most `limit`, sorted, after `last`.
  func unnamed(
    _ listing: ListingID, source: String, after last: String?, limit: Int
  ) throws(StorageError) -> [String]

  /// Marks items as deleted or withheld and removes their queue entries; available ones stay
  /// unchanged. Returns how many became `.deleted` and `.withheld`.
  func note(
    _ standings: [String: ItemStanding], source: String
  ) throws(StorageError) -> PlanSummary

  /// Returns the entries to fetch now, in order.
  func work(source: String, _ selection: WorkSelection) throws(StorageError) -> [WorkItem]

  /// Returns how many entries `work` would return without a limit.
  func workCount(source: String, _ selection: WorkSelection) throws(StorageError) -> Int

  /// Records a failed attempt: the entry stays until `nextAttempt`, with one more attempt.
  func recordFailure(
    _ key: ItemKey, message: String, nextAttempt: Date?, gaveUp: Bool
  ) throws(StorageError)

  /// Postpones an entry without counting an attempt, such as an item that is still loading at the
  /// source.
  func putOff(_ key: ItemKey, until: Date?, message: String) throws(StorageError)

  /// Removes an entry, such as that of an item that was removed from the archive.
  func removeWork(_ key: ItemKey) throws(StorageError)

  /// Returns the entries that failed at least once, most recent failure first.
  func failures(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)]

  /// Returns an archived item.
  func item(_ key: ItemKey) throws(StorageError) -> CatalogItem?

  /// Calls `body` with each archived item, newest `lastArchived` first, then by folder, until it
  /// returns false. Never holds the whole list in memory.
  func forEachItem(
    source: String?, _ body: (CatalogItem) throws -> Bool
  ) throws

  /// Calls `body` with each archived item, in no order, until it returns false.
  func forEachStoredItem(_ body: (StoredItem) throws -> Bool) throws

  /// Counts archived items.
  func itemCount(source: String?) throws(StorageError) -> Int

  /// Records a new revision of an item whose content did not change, and removes it from the queue.
  func markUnchanged(_ key: ItemKey, revision: String) throws(StorageError)

  /// Returns the asset that a URL returned last, if its object is still in the pool.
  func asset(url: String) throws(StorageError) -> CachedAsset?

  /// Returns those of the URLs that returned an asset last time, whether or not it is still in the
  /// pool.
  func knownAssets(_ urls: [String]) throws(StorageError) -> Set<String>

  /// Starts a run of a source; a run of the source that never finished becomes `.died`.
  func beginRun(_ run: RunRecord) throws(StorageError) -> RunID

  /// Stores how a run ended.
  func finishRun(_ id: RunID, _ run: RunRecord) throws(StorageError)

  /// Returns runs, newest first.
  func runs(source: String?, limit: Int) throws(StorageError) -> [RunRecord]

  /// Returns the queue's state of an item; `nil` if it has no entry.
  func queueState(_ key: ItemKey) throws(StorageError) -> QueueState?

  /// Returns the queue's state of archived items: newer at the source, or incomplete.
  func statesOfArchived() throws(StorageError) -> [ItemKey: QueueState]

  /// Frees caches that only make later calls faster.
  func releaseMemory()

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

extension Catalog {
  package func knownAssets(_ urls: [String]) throws(StorageError) -> Set<String> {
    var known: Set<String> = []
    for url in urls where try asset(url: url) != nil { known.insert(url) }
    return known
  }
  package func releaseMemory() {}
  package func emptyLog() {}

  package func unnamed(
    _ listing: ListingID, source: String, after last: String?, limit: Int
  ) throws(StorageError) -> [String] { [] }
  package func note(
    _ standings: [String: ItemStanding], source: String
  ) throws(StorageError) -> PlanSummary { PlanSummary() }
  package func queueState(_ key: ItemKey) throws(StorageError) -> QueueState? { nil }
  package func statesOfArchived() throws(StorageError) -> [ItemKey: QueueState] { [:] }
  package func forEachAbsent(source: String?, _ body: (AbsentItem) throws -> Bool) throws {}
}

/// Identifies one listing of a source.
package struct ListingID: Sendable, Hashable {
  package let value: Int

  package init(_ value: Int) {
    self.value = value
  }
}

/// Identifies one source's part in one run.
package struct RunID: Sendable, Hashable {
  package let value: Int

  package init(_ value: Int) {
    self.value = value
  }
}
