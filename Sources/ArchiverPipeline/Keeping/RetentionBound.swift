import ArchiverCore
import ArchiverStorage
import Synchronization

/// Tells which new items a run need not download, as the source's retention would take them out of
/// the archive again when the run ends: those that came to their source before all that are kept.
///
/// Only what the adapter delivered tells: a list does not know favourites and highlights, which stay
/// however old they are.
final class RetentionBound: Sendable {
  private struct Standing {
    /// When the oldest of those that are kept came to its source; `nil` as long as there is room.
    let oldestKept: Date?
    let pins: Set<ItemKey>
  }

  private let policy: RetentionPolicy
  private let source: String
  private let catalog: SQLiteCatalog
  /// Looked up once, when the first new item asks for it.
  private let standing = Mutex<Standing?>(nil)

  /// Returns `nil` without a number of items to keep, where everything may come.
  init?(_ policy: RetentionPolicy?, source: String, catalog: SQLiteCatalog) {
    guard let policy, policy.keep != nil else { return nil }
    self.policy = policy
    self.source = source
    self.catalog = catalog
  }

  /// Whether an item that was delivered is older than all that are kept and nothing else keeps it.
  func leavesOut(_ work: WorkItem, _ item: SourceItem) throws(StorageError) -> Bool {
    guard work.reason == .new, let arrival = item.metadata.arrival, !item.metadata.isFavourite,
      !item.metadata.isLabelledPinned, item.annotations.isEmpty
    else { return false }
    let standing = try known()
    guard let oldestKept = standing.oldestKept else { return false }
    return arrival < oldestKept
      && !standing.pins.contains(ItemKey(source: source, id: work.reference.id))
  }

  private func known() throws(StorageError) -> Standing {
    if let known = standing.withLock({ $0 }) { return known }
    let found: Standing
    do {
      found = Standing(
        oldestKept: try Retention(policy).plan(catalog).oldestKept,
        pins: try catalog.pins(source: source))
    } catch {
      throw StorageError(other: error)
    }
    standing.withLock { $0 = found }
    return found
  }
}
