import ArchiverCore
import Synchronization

// Publishing: makes staged bundles visible so that no crash leaves a partial state.
//
// Steps of a batch:
//   a. announce     the catalog stores an intent for each bundle, with all that will be recorded
//                   except the assets of its URLs, which the bundle's own record has
//   b. synchronise  one flush of the file system: staged files, objects and the catalog's WAL
//   c. install      each bundle gets its name by one rename or exchange; its parent is fsynced
//   d. record       one transaction: items, assets, objects, queue; deletes the intents
//   e. discard      removes what was replaced from staging
//
// Invariants, at every moment and after every crash:
//   1. A directory under a source is a complete bundle, the old or the new one: only (c) changes it,
//      in one step, and never before (b) made the new one's bytes durable.
//   2. A directory whose content the catalog does not record yet has a durable intent: the intent is
//      written before (b), and the renames come after.
//   3. A record names only bundles whose renames are durable: (d) follows the fsync in (c).
//   4. The visible SHA256SUMS alone decides an intent: if it is the intended one, the bundle is
//      recorded; otherwise the intent is abandoned and the item stays queued.
//   5. If directories cannot be exchanged, the replaced bundle is moved to staging under its intent's
//      name. If the visible directory is missing, it is moved back before (4) decides.
//   6. Staging is emptied only when no intent is left, so (5) always finds what it needs.
//   7. Only (d) commits references to objects: after (b) made them durable.
// `settle` resolves all intents, from any of these states. It may itself be interrupted and repeated.
extension Archive {
  /// Publishes staged bundles durably and records them in the catalog.
  ///
  /// If it throws, each bundle is either published and recorded or unchanged; what was not
  /// published stays queued. Only if the catalog cannot be written, as on a disk full to the last
  /// byte, may a visible bundle remain unrecorded until the next call or start. Not concurrent:
  /// call it from one task at a time.
  package func publish(_ staged: [StagedBundle]) throws(StorageError) {
    if settling.isNeeded { try settle() }
    guard Set(staged.map(\.item.key)).count == staged.count else {
      // If an item occurs twice, the later bundle replaces the earlier, which must be recorded
      // first.
      for bundle in staged { try publish([bundle]) }
      return
    }
    guard !staged.isEmpty else { return }
    try install(staged, staged.map { .publish($0.publication) })
  }

  /// Carries out the intents of staged bundles.
  func install(_ staged: [StagedBundle], _ intents: [Intent]) throws(StorageError) {
    // Staged files are useless afterwards, whatever the outcome, unless unresolved intents still
    // need them.
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

  /// Removes an item's bundle and all that the catalog records of it. A no-op for an unknown item.
  package func remove(_ key: ItemKey) throws(StorageError) {
    if settling.isNeeded { try settle() }
    guard let item = try catalog.item(key) else { return try catalog.removeWork(key) }
    let name = staging.uniqueName()
    let files = try bundles.record(of: item.folder)?.assets.map(\.sha256) ?? []
    try carryOut([.remove(key, folder: item.folder)]) { () throws(StorageError) in
      try bundles.synchronise([])
      try bundles.takeAway(item.folder, as: name)
    }
    staging.discard(name)
    // Objects without other uses need not stay because a URL once returned them.
    var unused: [String] = []
    for digest in files where Digest.isSHA256(digest) {
      if try objects.linkCount(of: digest) <= 1 { unused.append(digest) }
    }
    if !unused.isEmpty { try catalog.forgetAddresses(of: unused) }
  }

  private func carryOut(
    _ intents: [Intent], _ change: () throws(StorageError) -> Void
  ) throws(StorageError) {
    do throws(StorageError) {
      settling.isNeeded = true
      try catalog.announce(intents)
      try change()
      try catalog.record(intents)
      settling.isNeeded = false
    } catch {
      // Report the original error; if resolving fails too, the next call or start repeats it.
      try? settle()
      throw error
    }
  }

  /// Resolves all intents by the directories visible on disk.
  func settle() throws(StorageError) {
    var finished: [Intent] = []
    var abandoned: [ItemKey] = []
    for intent in try catalog.intents() {
      if try bundles.wasApplied(intent) {
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
  /// Returns an applied intent completed with the assets from the visible bundle's record.
  ///
  /// Cache validators are lost: the next requests for these URLs are unconditional.
  private func completed(_ intent: Intent) throws(StorageError) -> Intent {
    guard case .publish(var publication) = intent else { return intent }
    publication.assets = try bundles.record(of: publication.item.folder)?.cachedAssets ?? []
    return .publish(publication)
  }
}

/// Whether a failed change may have left intents.
final class RecoveryFlag: Sendable {
  private let state = Mutex(false)

  var isNeeded: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
