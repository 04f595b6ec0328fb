import ArchiverCore

/// Finds titles of bookmarks, which the sync API omits, in the first pages of the list.
struct TitleLookup: Sendable {
  let api: ReadeckAPI
  /// The maximum number of pages to request.
  private static let pageLimit = 10

  /// Returns the titles of those ids that are among the newest bookmarks.
  ///
  /// Errors are ignored: these titles are displayed only.
  func titles(of ids: [String]) async -> [String: String] {
    var missing = Set(ids)
    var titles: [String: String] = [:]
    for page in 0..<TitleLookup.pageLimit where !missing.isEmpty {
      let query = [
        ("limit", "\(PageWalk.pageSize)"), ("offset", "\(page * PageWalk.pageSize)"),
      ]
      guard let list = await bookmarks(query) else { break }
      for bookmark in list.elements where missing.remove(bookmark.id) != nil {
        titles[bookmark.id] = bookmark.title
      }
      if list.elements.count + list.faults.count < PageWalk.pageSize { break }
    }
    return titles
  }

  private func bookmarks(_ query: [ReadeckAPI.Field]) async -> LenientArray<Bookmark>? {
    do throws(AdapterError) {
      return try await api.list("bookmarks", query)
    } catch {
      return nil
    }
  }
}
