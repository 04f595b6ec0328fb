import ArchiverStorage
import Dispatch
import Synchronization

/// The caches of the last update, prefetched for the next one.
///
/// Reading them is a large part of an update of few items, so a run reads them on another thread while it
/// publishes the last items. Until `take` is called, nothing else may change the library.
final class LibraryPrefetch: Sendable {
  struct Content {
    let files: SiteFiles
    let store: LibraryStore
    let keys: PageKeys
    let rows: RowUpdate

    init(_ files: SiteFiles, _ store: LibraryStore) throws(StorageError) {
      files.list()
      (self.files, self.store) = (files, store)
      keys = try PageKeys(store)
      rows = try RowUpdate(store)
    }
  }

  private struct State {
    var isAskedFor = false
    var content: Content?
  }

  private let state = Mutex(State())
  private let reading = DispatchGroup()

  /// Starts to prefetch, once. Errors are ignored here; they recur in the update, which reports them.
  func read(root: String, words: Words) {
    let isFirst = state.withLock { state in
      defer { state.isAskedFor = true }
      return !state.isAskedFor
    }
    guard isFirst else { return }
    DispatchQueue.global().async(group: reading) {
      self.state.withLock { state in
        state.content = try? LibraryPrefetch.content(root: root, words: words)
      }
    }
  }

  /// Waits for the prefetched caches, returns and releases them; `nil` if there are none.
  func take() -> Content? {
    reading.wait()
    return state.withLock { state in
      let content = state.content
      state = State()
      return content
    }
  }

  private static func content(root: String, words: Words) throws(StorageError) -> sending Content {
    let files = try SiteFiles(root: root)
    return try Content(files, LibraryStore(root: root, words: words, spare: files.spare))
  }
}
