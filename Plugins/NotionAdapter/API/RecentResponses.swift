import ArchiverCore
import Synchronization

/// Caches responses of discovery that the fetch of a page needs again soon.
///
/// Discovery reads the blocks of pages to find child pages; without this cache a first run would
/// fetch every block twice. The size is limited; the oldest responses are evicted first.
final class RecentResponses: Sendable {
  private struct State {
    var entries: [String: (bytes: [UInt8], fetched: Date)] = [:]
    /// The keys of the entries, oldest first.
    var order: [String] = []
    var byteCount = 0

    mutating func remove(_ key: String) -> (bytes: [UInt8], fetched: Date)? {
      guard let entry = entries.removeValue(forKey: key) else { return nil }
      order.removeAll { $0 == key }
      byteCount -= entry.bytes.count
      return entry
    }
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int = 64 << 20) {
    self.limit = limit
  }

  func keep(_ bytes: [UInt8], _ key: String, now: Date) {
    guard bytes.count < limit / 8 else { return }
    state.withLock { state in
      _ = state.remove(key)
      state.entries[key] = (bytes, now)
      state.order.append(key)
      state.byteCount += bytes.count
      while state.byteCount > limit, let oldest = state.order.first { _ = state.remove(oldest) }
    }
  }

  /// Removes and returns a response; `nil` if there is none or it is older than `since`.
  func take(_ key: String, since: Date) -> [UInt8]? {
    state.withLock { state in
      guard let entry = state.remove(key), entry.fetched >= since else { return nil }
      return entry.bytes
    }
  }
}
