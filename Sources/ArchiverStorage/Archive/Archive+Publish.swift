import ArchiverCore
import Synchronization

// Publishing: how staged bundles become visible so that no crash leaves anything half.
//
// Steps of a batch:
//   a. announce   the catalog stores an intent for each bundle, with all that will be recorded but
//                 what its files' addresses gave, which the bundle's own record has
//   b. synchronise  one flush of the file system: staged files, objects and the catalog's log
//   c. install    each bundle gets its name by one rename or exchange; the parents are flushed
//   d. record     one transaction: items, assets, objects, queue; the intents go
//   e. discard    what was replaced is removed from staging
//
// Invariants, at every moment and after every crash:
//   1. A folder under a source is a whole bundle, the old or the new: only (c) touches it, in one
//      step, and never before (b) made the new one's bytes durable.
//   2. A folder whose content the catalog does not record yet has a durable intent, because the
//      intent was written before (b) and the renames come after.
//   3. A record names only bundles whose renames are durable, because (d) follows the flush in (c).
//   4. What an intent announced is decided by the visible SHA256SUMS alone: if it is the announced
//      one the bundle is recorded, otherwise the intent is abandoned and the item stays queued.
//   5. Where folders cannot be exchanged the replaced bundle waits in staging under its intent's
//      name; when the visible folder is missing it is put back, and only then decided (4).
//   6. Staging is emptied only when no intent is left, so (5) always finds what it needs.
//   7. An object is vouched for only by (d): after (b) made it durable.
// `settle` brings an archive from any of these moments to one without intents. It can itself be
// cut short anywhere and repeated.
extension Archive {
  /// Makes staged bundles visible and records them in the catalog, durably.
  ///
  /// When it throws, each bundle is either published and recorded or as it was before; what was
  /// not published stays in the queue. Only when the catalog itself cannot be written, as on a disk
  /// that is full to the last byte, a visible bundle is recorded by the next call or start. Call it
  /// from one task at a time.
  package func publish(_ staged: [StagedBundle]) throws(StorageError) {
    if settling.isNeeded { try settle() }
    guard Set(staged.map(\.item.key)).count == staged.count else {
      // The same item twice: the later one replaces the earlier, which must be recorded before.
      for bundle in staged { try publish([bundle]) }
      return
    }
    guard !staged.isEmpty else { return }
    let intents = staged.map { Intent.publish($0.publication) }
    // Whatever the outcome, what is in staging afterwards is of no use; unless the outcome could
    // not be settled, in which case it is needed to do so.
    defer { if !settling.isNeeded { for bundle in staged { bundles.discard(bundle) } } }
    try carryOut(intents) { () throws(StorageError) in
      try bundles.synchronise(staged)
      try bundles.install(staged)
    }
    for bundle in staged {
      objects.vouched(for: bundle.publication.objects.lazy.map(\.sha256))
      objects.vouched(for: bundle.publication.assets.lazy.map(\.object.sha256))
    }
  }

  /// Removes an item's bundle and all that the catalog knows of it. Harmless when it is not there.
  package func remove(_ key: ItemKey) throws(StorageError) {
    if settling.isNeeded { try settle() }
    guard let item = try catalog.item(key) else { return try catalog.removeWork(key) }
    let name = staging.uniqueName()
    let files = try ownFiles(item.folder)
    try carryOut([.remove(key, folder: item.folder)]) { () throws(StorageError) in
      try bundles.synchronise([])
      try bundles.takeAway(item.folder, as: name)
    }
    staging.discard(name)
    // What nothing uses any more need not stay in the pool because an address once gave it.
    var unused: [String] = []
    for digest in files where Digest.isSHA256(digest) {
      if try objects.linkCount(of: digest) <= 1 { unused.append(digest) }
    }
    if !unused.isEmpty { try catalog.forgetAddresses(of: unused) }
  }

  /// The objects that a bundle's record names; none where it has no readable record.
  private func ownFiles(_ folder: String) throws(StorageError) -> [String] {
    guard let json = try bundles.read(ItemRecord.fileName, of: folder) else { return [] }
    do throws(StorageError) {
      return try ItemRecord(json: json, path: folder).assets.map(\.sha256)
    } catch {
      if error.code == .damaged || error.code == .tooNew { return [] }
      throw error
    }
  }

  func carryOut(
    _ intents: [Intent], _ change: () throws(StorageError) -> Void
  ) throws(StorageError) {
    do throws(StorageError) {
      settling.isNeeded = true
      try catalog.announce(intents)
      try change()
      try catalog.record(intents)
      settling.isNeeded = false
    } catch {
      // The cause is what to report; when settling fails too, the next call or start repeats it.
      try? settle()
      throw error
    }
  }

  /// Decides every intent by what is visible.
  func settle() throws(StorageError) {
    var finished: [Intent] = []
    var abandoned: [ItemKey] = []
    for intent in try catalog.intents() {
      if try bundles.hasHappened(intent) {
        finished.append(try completed(intent))
      } else {
        abandoned.append(intent.key)
      }
    }
    if !finished.isEmpty { try catalog.record(finished) }
    if !abandoned.isEmpty { try catalog.abandon(abandoned) }
    settling.isNeeded = false
  }
}

extension Archive {
  /// Returns an intent that took place with what the visible bundle's record says of its assets.
  ///
  /// Validators are not among it: the addresses are asked without a condition when they are next.
  private func completed(_ intent: Intent) throws(StorageError) -> Intent {
    guard case .publish(var publication) = intent else { return intent }
    let folder = publication.item.folder
    guard let json = try bundles.read(ItemRecord.fileName, of: folder) else { return intent }
    do throws(StorageError) {
      publication.assets = try ItemRecord(json: json, path: folder).cachedAssets
    } catch {
      guard error.code == .damaged else { throw error }
    }
    return .publish(publication)
  }
}

/// Whether intents may be left from a change that failed.
final class Settling: Sendable {
  private let state = Mutex(false)

  var isNeeded: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
