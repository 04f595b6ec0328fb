import ArchiverCore

extension ReadeckListing {
  /// Which bookmarks have highlights.
  struct Highlighted: Sendable {
    var ids: Set<String>
    /// A sentence for each highlight that cannot be assigned to a bookmark.
    var faults: [String]
  }

  /// Returns the ids of all bookmarks with highlights.
  func highlightedBookmarks() async throws(AdapterError) -> Highlighted {
    let (highlights, faults): ([Highlight], [String]) = try await all("bookmarks/annotations")
    let lost = highlights.filter { $0.bookmarkID == nil }
    return Highlighted(
      ids: Set(highlights.compactMap(\.bookmarkID)),
      faults: faults + lost.map { "highlight \($0.id) does not name its bookmark" })
  }

  /// Finds a collection by id, by name, or by name ignoring case.
  func collectionID(_ wanted: String) async throws(AdapterError) -> String {
    let (collections, faults): ([BookmarkCollection], [String]) = try await all(
      "bookmarks/collections")
    for fault in faults { log(.warning, "a collection was left out: \(fault)") }
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

  /// The maximum number of pages of such a list: a server that ignores `offset` would never end it.
  private static let mostPages = 1_000

  /// Fetches all pages of a small list. Returns its elements and a sentence for each that was left out.
  private func all<Element: Decodable & Sendable>(
    _ path: String
  ) async throws(AdapterError) -> (elements: [Element], faults: [String]) {
    var elements: [Element] = []
    var faults: [String] = []
    var offset = 0
    for _ in 0..<ReadeckListing.mostPages {
      let response = try await api.get(path, offset == 0 ? [] : [("offset", "\(offset)")])
      let page = try api.decode(LenientArray<Element>.self, from: response, path)
      elements += page.elements
      faults += page.faults
      let received = page.elements.count + page.faults.count
      offset += received
      let total = response.headers["Total-Count"].flatMap { Int($0) }
      if received == 0 || offset >= total ?? offset { return (elements, faults) }
    }
    return (elements, faults + ["/api/\(path) did not end after \(ReadeckListing.mostPages) pages"])
  }
}
