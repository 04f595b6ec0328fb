import ArchiverCore

extension ReadeckAPI {
  /// The maximum number of pages of the list in which titles are looked for.
  private static let mostTitlePages = 10

  /// Returns the titles, which the sync API omits, of those bookmarks that are among the newest.
  ///
  /// Errors are ignored: these titles are displayed only.
  func titles(of ids: [String]) async -> [String: String] {
    var missing = Set(ids)
    var titles: [String: String] = [:]
    for page in 0..<ReadeckAPI.mostTitlePages where !missing.isEmpty {
      let list: LenientArray<Bookmark>
      do throws(AdapterError) {
        list = try await value(
          "bookmarks",
          [("limit", "\(PageWalk.pageSize)"), ("offset", "\(page * PageWalk.pageSize)")])
      } catch {
        break
      }
      for bookmark in list.elements where missing.remove(bookmark.id) != nil {
        titles[bookmark.id] = bookmark.title
      }
      if list.count < PageWalk.pageSize { break }
    }
    return titles
  }
}
