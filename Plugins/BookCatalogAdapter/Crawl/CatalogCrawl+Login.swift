import ArchiverCore

// A login that the server does not ask for.
extension CatalogCrawl {
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
}
