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
    let (highlights, faults): ([Highlight], [String]) = try await api.all("bookmarks/annotations")
    let lost = highlights.filter { $0.bookmarkID == nil }
    return Highlighted(
      ids: Set(highlights.compactMap(\.bookmarkID)),
      faults: faults + lost.map { "highlight \($0.id) does not name its bookmark" })
  }

  /// Finds a collection by id, by name, or by name ignoring case.
  func collectionID(_ wanted: String) async throws(AdapterError) -> String {
    let (collections, faults): ([BookmarkCollection], [String]) = try await api.all(
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
}
