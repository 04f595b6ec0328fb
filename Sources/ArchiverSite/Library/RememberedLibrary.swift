import ArchiverStorage
import Synchronization

/// The caches of the last update, read ahead for the next one.
///
/// Reading it takes a large part of an update of few items, so a run has it read while it waits for
/// the disk. Until it is taken nothing else may change the library.
final class RememberedLibrary: Sendable {
  struct Content {
    let files: SiteFiles
    var log: RowLog
  }

  private struct State {
    var isAskedFor = false
    var content: Content?
  }

  private let state = Mutex(State())

  /// Reads ahead, once. Errors are ignored here; they recur in the update, which reports them.
  func read(root: String, words: Words) {
    state.withLock { state in
      guard !state.isAskedFor else { return }
      state.isAskedFor = true
      state.content = try? RememberedLibrary.content(root: root, words: words)
    }
  }

  /// Returns what was read ahead and releases it; `nil` if nothing was.
  func take() -> Content? {
    state.withLock { state in
      let content = state.content
      state = State()
      return content
    }
  }

  private static func content(root: String, words: Words) throws(StorageError) -> sending Content {
    let files = try SiteFiles(root: root)
    files.list()
    return Content(files: files, log: try RowLog(root: root, words: words, spare: files.spare))
  }
}
