package import ArchiverCore

/// What the archive holds and what it still has to fetch.
///
/// Contract, each sentence checked by the conformance suite:
/// 1. Every method is one transaction: after a crash it has happened whole or not at all.
/// 2. Methods may be called from any thread; calls are serialised.
/// 3. `enqueue` compares each reference with the archived revision: unknown ids become `.new`,
///    differing revisions `.changed`, equal ones leave the queue unless they are `.incomplete`.
/// 4. A reference delivered again replaces its queue entry; attempts start over when the revision
///    differs from the queued one, and stay otherwise.
/// 5. `work` gives entries newest first by the reference's date, those without date last, then by id.
/// 6. Reads see every write that returned before.
package protocol Catalog: Sendable {
  /// Returns the checkpoint to list from; `nil` when the source was never listed.
  func checkpoint(source: String) throws(StorageError) -> Checkpoint?

  /// Starts a pass over a source's listing.
  func beginListing(source: String) throws(StorageError) -> ListingID

  /// Takes a page of a listing into the queue and notes that its ids were seen in `listing`.
  ///
  /// A page's checkpoint is stored with it. Ids in `page.deleted` are marked by `finishListing`'s rules at once.
  /// With `force` references whose revision is archived already are queued as `.changed`.
  func enqueue(
    _ page: ListingPage, source: String, listing: ListingID, force: Bool
  ) throws(StorageError) -> PlanSummary

  /// Ends a listing. When it was a complete enumeration, archived items that it did not name
  /// become `.deleted` and queue entries that it did not name go. Returns how many became deleted.
  func finishListing(
    _ listing: ListingID, source: String, isCompleteEnumeration: Bool
  ) throws(StorageError) -> Int

  /// Returns archived items, neither deleted nor withheld, that a listing has not named so far, by id
  /// from the one after `last`; at most `limit`.
  func unnamed(
    _ listing: ListingID, source: String, after last: String?, limit: Int
  ) throws(StorageError) -> [String]

  /// Marks items as gone or withheld; those said to be available stay as they are. Returns how many
  /// became `.deleted` and `.withheld`. Their queue entries go.
  func note(
    _ standings: [String: ItemStanding], source: String
  ) throws(StorageError) -> PlanSummary

  /// Returns the entries to fetch now, in order.
  func work(source: String, _ selection: WorkSelection) throws(StorageError) -> [WorkItem]

  /// Counts queue entries that `work` would return without a limit.
  func workCount(source: String, _ selection: WorkSelection) throws(StorageError) -> Int

  /// Notes a failed attempt: the entry stays, with one attempt more, until `nextAttempt`.
  func recordFailure(
    _ key: ItemKey, message: String, nextAttempt: Date?, gaveUp: Bool
  ) throws(StorageError)

  /// Puts an entry off without counting an attempt, such as an item still loading at the source.
  func putOff(_ key: ItemKey, until: Date?, message: String) throws(StorageError)

  /// Removes an entry, such as that of an item that is taken out of the archive.
  func removeWork(_ key: ItemKey) throws(StorageError)

  /// Entries that failed at least once, most recent failure first.
  func failures(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)]

  /// Returns an archived item.
  func item(_ key: ItemKey) throws(StorageError) -> CatalogItem?

  /// Calls `body` with each archived item, newest `lastArchived` first then by folder, until it
  /// returns false. The whole list is never in memory.
  func forEachItem(
    source: String?, _ body: (CatalogItem) throws -> Bool
  ) throws

  /// Calls `body` with each archived item, in no order, until it returns false.
  func forEachStoredItem(_ body: (StoredItem) throws -> Bool) throws

  /// Counts archived items.
  func itemCount(source: String?) throws(StorageError) -> Int

  /// Notes that an item's revision moved on although its content is the archived one, and takes
  /// it out of the queue.
  func markUnchanged(_ key: ItemKey, revision: String) throws(StorageError)

  /// Returns what an address gave last time, when the object is still in the pool.
  func asset(url: String) throws(StorageError) -> CachedAsset?

  /// Returns those of the addresses that gave something last time, whether or not it is still in the pool.
  func knownAssets(_ urls: [String]) throws(StorageError) -> Set<String>

  /// Starts a run of a source; a run of the source that never finished becomes `.died`.
  func beginRun(_ run: RunRecord) throws(StorageError) -> RunID

  /// Stores how a run ended.
  func finishRun(_ id: RunID, _ run: RunRecord) throws(StorageError)

  /// Returns runs, newest first.
  func runs(source: String?, limit: Int) throws(StorageError) -> [RunRecord]

  /// Returns what the queue knows of an item; `nil` when it has no entry.
  func queueState(_ key: ItemKey) throws(StorageError) -> QueueState?

  /// Returns what the queue knows of items that are archived all the same: newer at the source, or
  /// something of them missing.
  func statesOfArchived() throws(StorageError) -> [ItemKey: QueueState]

  /// Frees caches that only make later calls faster.
  func releaseMemory()

  /// Checkpoints the WAL, unless another connection is reading; the rest is done when the catalog
  /// is closed. Call it while waiting for something else.
  func emptyLog()

  /// Calls `body` with each item that is known and not archived, newest first, until it returns
  /// false.
  func forEachAbsent(source: String?, _ body: (AbsentItem) throws -> Bool) throws

  /// Returns which archived items lead to which others, by a link that their pages show or by what they
  /// name themselves; each pair once, by the folder of the first then of the second.
  func linkedItems() throws(StorageError) -> [(from: ItemKey, to: ItemKey)]

  /// Returns how each source stands, by name; sources that were never run are not known here.
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

/// Identifies one pass over a source's listing.
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
