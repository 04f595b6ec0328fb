import ArchiverStorage
import Synchronization

/// The caches of the last update, prefetched for the next one.
///
/// Reading them is a large part of an update of few items, so a run reads them while it waits for
/// the disk. Until `take` is called, nothing else may change the library.
final class LibraryPrefetch: Sendable {
  struct Content {
    let files: SiteFiles
    let store: LibraryStore
  }

  private struct State {
    var isAskedFor = false
    var content: Content?
  }

  private let state = Mutex(State())

  /// Prefetches once. Errors are ignored here; they recur in the update, which reports them.
  func read(root: String, words: Words) {
    state.withLock { state in
      guard !state.isAskedFor else { return }
      state.isAskedFor = true
      state.content = try? LibraryPrefetch.content(root: root, words: words)
    }
  }

  /// Returns the prefetched caches and releases them; `nil` if there are none.
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
    return Content(
      files: files, store: try LibraryStore(root: root, words: words, spare: files.spare))
  }
}
