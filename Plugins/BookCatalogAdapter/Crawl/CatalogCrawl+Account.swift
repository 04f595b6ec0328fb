import ArchiverCore

// What a crawl left out, or may not have seen.
extension CatalogCrawl {
  /// The maximum number of titles and names of which one report is made.
  private static let mostKept = 1_000
  private static let mostNamed = 5

  /// Notes entries of a feed that are left out, and elements of its books that are not read.
  func note(leftOut feed: CatalogFeed, _ state: inout CatalogCrawlState) {
    for title in feed.idle where state.idle.count < CatalogCrawl.mostKept {
      state.idle.insert(title)
    }
    for name in feed.unread where state.unread.count < CatalogCrawl.mostKept {
      state.unread.insert(name)
    }
  }

  /// Reports links and entries that were left out, and elements that were not read.
  func tellSkipped(_ state: inout CatalogCrawlState) {
    for (reason, addresses) in state.skipped.sorted(by: { $0.key < $1.key }) {
      let example = addresses.min() ?? ""
      tell(
        "\(addresses.count) links were not followed because \(reason), such as "
          + "\(WebURL(example).map(CatalogAddress.shown) ?? "one without a URL")", &state)
    }
    if let example = state.twins.values.min() {
      tell(
        "\(state.twins.count) entries have the id and the title of another one, but other files, such "
          + "as \"\(example)\"; the first one is archived", &state)
    }
    if let example = state.idle.min() {
      tell(
        "entries that have neither a file nor a way to a feed were left out, with "
          + "\(CatalogCrawl.counted(state.idle, "title")), such as \"\(example.prefix(200))\"",
        &state)
    }
    if !state.unread.isEmpty {
      let names = state.unread.sorted().prefix(CatalogCrawl.mostNamed).joined(separator: ", ")
      tell(
        "entries of books have elements that are not read, with "
          + "\(CatalogCrawl.counted(state.unread, "name")), such as \(names)", &state)
    }
  }

  /// Reports a login that is never sent, because the server also shows the catalog without one. Some
  /// servers, such as Calibre-Web, then show fewer books.
  func noteUnaskedLogin(
    _ url: WebURL, _ state: inout CatalogCrawlState
  ) async throws(AdapterError) {
    guard client.waitsForChallenge, try await client.isOpen(url) else { return }
    state.gaps.append(
      ListingGap(
        "the catalog at \(client.base.host) does not ask for a login, so that user and password were not "
          + "sent: if it has more books for those who log in, set login to \"basic\", else remove them",
        isEssential: false))
  }

  /// Reports feeds that declare more books than they list, by the one that declares most.
  func tellShort(_ state: inout CatalogCrawlState) {
    guard let example = state.short.max(by: { $0.total < $1.total }) else { return }
    let others = state.short.count - 1
    state.miss(
      example.message + (others > 0 ? "; so do \(others) other feeds" : ""),
      isEssential: example.total > state.named.count)
  }

  /// Returns how many texts there are; only a lower bound if no more are kept.
  private static func counted(_ texts: Set<String>, _ one: String) -> String {
    let bound = texts.count < mostKept ? "" : "at least "
    return "\(bound)\(texts.count) \(texts.count == 1 ? one : one + "s")"
  }

  private func tell(_ message: String, _ state: inout CatalogCrawlState) {
    state.gaps.append(
      ListingGap("the catalog at \(client.base.host): \(message)", isEssential: false))
  }
}
