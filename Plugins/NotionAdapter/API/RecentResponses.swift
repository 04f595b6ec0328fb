import ArchiverCore
import Synchronization

/// Caches responses of discovery that the fetch of a page needs again soon.
///
/// Discovery reads the blocks of pages to find child pages; without this cache a first run would
/// fetch every block twice. The size is limited; the oldest responses are evicted first.
final class RecentResponses: Sendable {
  fileprivate struct Entry {
    let bytes: [UInt8]
    let fetched: Date
    let serial: Int
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    var order: [(key: String, serial: Int)] = []
    var oldest = 0
    var byteCount = 0
    var serial = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int = 64 << 20) {
    self.limit = limit
  }

  func keep(_ bytes: [UInt8], _ key: String, now: Date) {
    guard bytes.count < limit / 8 else { return }
    state.withLock { state in
      state.remove(key)
      state.serial += 1
      state.entries[key] = Entry(bytes: bytes, fetched: now, serial: state.serial)
      state.order.append((key, state.serial))
      state.byteCount += bytes.count
      while state.byteCount > limit, state.oldest < state.order.count {
        state.removeOldest()
      }
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

extension RecentResponses.State {
  @discardableResult
  fileprivate mutating func remove(_ key: String) -> RecentResponses.Entry? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    byteCount -= entry.bytes.count
    return entry
  }

  fileprivate mutating func removeOldest() {
    let candidate = order[oldest]
    oldest += 1
    if entries[candidate.key]?.serial == candidate.serial { remove(candidate.key) }
    if oldest > 4096 {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
