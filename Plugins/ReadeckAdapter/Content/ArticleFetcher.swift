import ArchiverCore

/// Fetches articles and highlights of single bookmarks.
///
/// `/article` sends a header for every image. From about twenty images on, they exceed nginx's
/// default buffer, and nginx answers 502. The sync API and the stored page have the same text
/// without headers.
struct ArticleFetcher: Sendable {
  let api: ReadeckAPI

  /// Returns the article as an HTML fragment; empty if there is none.
  func article(of bookmark: Bookmark) async throws(AdapterError) -> [UInt8] {
    do throws(AdapterError) {
      return try await fragment(bookmark.id)
    } catch {
      guard error.isGatewayFailure else { throw error }
      return try await storedPage(bookmark, error)
    }
  }

  /// Replaces an article's plain highlight marks by marks with ids, colours and notes.
  func markHighlights(_ content: inout BookmarkContent) async throws(AdapterError) {
    do throws(AdapterError) {
      let html = try await fragment(content.bookmark.id)
      if !html.isEmpty { content.html = html }
    } catch {
      let failure = error.ofOneBookmark(content.bookmark.id)
      guard !failure.endsSource, failure.isAnswered else { throw error }
      guard error.isGatewayFailure else {
        content.missing.append(
          MissingPart(.record, name: "notes of highlights", reason: failure.message))
        return
      }
      content.notes.append(
        "The highlights are shown without their colours: a proxy in front of Readeck refused the "
          + "coloured text, which lists all its images in headers.")
    }
  }

  func highlights(of id: String) async throws(AdapterError) -> LenientArray<Highlight> {
    try await api.value("\(path(id))/annotations")
  }

  private func fragment(_ id: String) async throws(AdapterError) -> [UInt8] {
    try await api.get("\(path(id))/article", accept: .html).body
  }

  /// Returns the stored page: without highlights, and with relative URLs of images.
  private func storedPage(
    _ bookmark: Bookmark, _ failure: AdapterError
  ) async throws(AdapterError) -> [UInt8] {
    let folder = "\(path(bookmark.id))/x/"
    do throws(AdapterError) {
      let page = try await api.get("\(folder)index.html", accept: .html).body
      let images = api.address("\(folder)_resources/").absoluteString
      return page.replacing("=\"./_resources/", with: "=\"\(images)")
    } catch {
      throw error.code == .notFound || error.code == .malformed ? failure : error
    }
  }

  private func path(_ id: String) -> String { "bookmarks/\(WebURL.percentEncoded(id))" }
}

extension AdapterError {
  /// Whether a gateway between archiver and Readeck failed, rather than Readeck.
  fileprivate var isGatewayFailure: Bool { code == .unavailable && gatewayStatus }

  private var gatewayStatus: Bool {
    guard let status = (underlying as? UnexpectedStatus)?.status else { return false }
    return [502, 503, 504].contains(status) || (520...524).contains(status)
  }
}
