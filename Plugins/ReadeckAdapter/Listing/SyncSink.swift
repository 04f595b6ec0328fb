import ArchiverCore
import Synchronization

/// Decodes an answer of `GET /api/bookmarks/sync` while it comes, so that neither its text nor its decoded
/// form is ever in memory whole.
final class SyncSink: BodySink {
  private struct State {
    var entries = SyncEntries()
    var reader = ElementReader<SyncEntry>()
    /// What is wrong with the answer; nothing more is read.
    var failure: (any Error)?
    var byteCount = 0
    var url: WebURL?
  }

  private let state = Mutex(State())
  private let limit: Int

  /// Throws `.tooLarge` for an answer of more than `limit` bytes.
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
        state.entries.add(try state.reader.take(bytes))
      } catch {
        state.failure = error
      }
    }
  }

  /// Returns the entries of an answer that came whole; throws what is wrong with its JSON.
  func finish() throws -> SyncEntries {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      state.entries.add(try state.reader.finish())
      state.entries.faults = state.reader.faults
      defer { state = State() }
      return state.entries
    }
  }

  private func tooLarge(_ url: WebURL?) -> AdapterError {
    let name = url?.withoutQuery.absoluteString ?? "The answer"
    return AdapterError(.tooLarge, "\(name) is too large \(Limit.fixed(bytes: limit))")
  }
}

extension SyncEntries {
  fileprivate mutating func add(_ entries: [SyncEntry]) {
    for entry in entries { append(entry) }
  }
}
