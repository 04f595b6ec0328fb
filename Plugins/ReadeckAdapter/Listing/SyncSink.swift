import ArchiverCore
import Synchronization

/// Decodes a response of `GET /api/bookmarks/sync` while it arrives, so that neither its text nor
/// its decoded form is in memory as a whole.
final class SyncSink: BodySink {
  private struct State {
    var entries = SyncEntries()
    var reader = ElementReader<SyncEntry>()
    /// The error of the response; the rest is not decoded.
    var failure: (any Error)?
    var byteCount = 0
    var url: WebURL?
  }

  private let state = Mutex(State())
  private let limit: Int

  /// Throws `.tooLarge` for a response of more than `limit` bytes.
  init(limit: Int = 64_000_000) {
    self.limit = limit
  }

  func begin(_ head: HTTPResponseHead) {
    state.withLock { state in
      state = State()
      state.url = head.url
      state.entries.answered = head.headers.date
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      state.byteCount += bytes.count
      guard state.byteCount <= limit else { throw tooLarge(state.url) }
      guard state.failure == nil else { return }
      do {
        for entry in try state.reader.take(bytes) { state.entries.append(entry) }
      } catch {
        state.failure = error
      }
    }
  }

  /// Returns the entries of a complete response; throws an error of its JSON.
  func finish() throws -> SyncEntries {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      for entry in try state.reader.finish() { state.entries.append(entry) }
      state.entries.faults = state.reader.faults
      defer { state = State() }
      return state.entries
    }
  }

  private func tooLarge(_ url: WebURL?) -> AdapterError {
    let name = url?.withoutQuery.absoluteString ?? "the response"
    return AdapterError(.tooLarge, "\(name) is too large \(Limit.fixed(bytes: limit))")
  }
}
