import ArchiverCore

extension ReadeckListing {
  /// Returns the ids of all bookmarks with highlights.
  func highlightedBookmarks() async throws(AdapterError) -> Set<String> {
    let highlights: [Highlight] = try await all("bookmarks/annotations")
    return Set(highlights.compactMap(\.bookmarkID))
  }

  /// Finds a collection by id, by name, or by name ignoring case.
  func collectionID(_ wanted: String) async throws(AdapterError) -> String {
    let collections: [BookmarkCollection] = try await all("bookmarks/collections")
    if let match = collections.first(where: { $0.id == wanted }) { return match.id }
    for matches in [
      collections.filter { $0.name == wanted },
      collections.filter { $0.name.lowercased() == wanted.lowercased() },
    ] where !matches.isEmpty {
      guard matches.count == 1 else { throw ambiguous(wanted, matches) }
      return matches[0].id
    }
    let names = collections.map { "\"\($0.name)\"" }.joined(separator: ", ")
    throw AdapterError(
      .configuration,
      "Readeck has no collection \"\(wanted)\": "
        + (names.isEmpty ? "it has none at all" : "it has \(names)"))
  }

  private func ambiguous(_ name: String, _ matches: [BookmarkCollection]) -> AdapterError {
    let ids = matches.map(\.id).joined(separator: ", ")
    return AdapterError(
      .configuration,
      "Readeck has several collections \"\(name)\": choose by id from \(ids)")
  }

  /// Fetches all pages of a small list.
  private func all<Element: Decodable & Sendable>(
    _ path: String
  ) async throws(AdapterError) -> [Element] {
    var elements: [Element] = []
    var offset = 0
    while true {
      let response = try await api.get(path, offset == 0 ? [] : [("offset", "\(offset)")])
      let page = try api.decode(LenientArray<Element>.self, from: response, path)
      elements += page.elements
      let received = page.elements.count + page.faults.count
      offset += received
      let total = response.headers["Total-Count"].flatMap { Int($0) }
      if received == 0 || offset >= total ?? offset { return elements }
    }
  }
}
