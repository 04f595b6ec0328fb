import ArchiverCore

/// The server's configured URL and the one that the server uses for itself.
///
/// Readeck builds absolute URLs from the request's `Host` and `X-Forwarded-Proto`. Behind a proxy
/// they may have another host, scheme or path than the configured URL. Every bookmark's `href`
/// shows the URL that the server used for that response.
struct ServerAddress: Sendable {
  /// The configured URL with a trailing slash.
  let base: WebURL
  /// The URL that the server uses for itself, with a trailing slash; `nil` if no `href` shows it.
  let claimed: String?

  init(base: WebURL, bookmark: Bookmark) {
    self.base = base
    let tail = "api/bookmarks/\(bookmark.id)"
    claimed = bookmark.href.flatMap { href in
      href.hasSuffix("/" + tail) ? String(href.dropLast(tail.utf8.count)) : nil
    }
  }

  /// Returns the URL for fetching a file whose URL the server sent.
  func rebase(_ address: String) -> WebURL? {
    if let claimed, address.hasPrefix(claimed) {
      return base.resolving(address.dropFirst(claimed.count))
    }
    guard let url = base.resolving(address) else { return nil }
    return url.path.hasPrefix("\(base.path)bm/") ? url.rebased(onto: base) : url
  }

  /// Returns Readeck's HTML with corrected URLs of its own images.
  ///
  /// Readeck escapes quotation marks in text, so that these bytes occur in attributes only and no
  /// parser is needed.
  func rebase(html: [UInt8]) -> [UInt8] {
    let target = "=\"\(base.absoluteString)bm/"
    var html = html
    if let claimed, claimed != base.absoluteString {
      html = html.replacing("=\"\(claimed)bm/", with: target)
    }
    if base.path != "/" { html = html.replacing("src=\"\(base.path)bm/", with: "src\(target)") }
    return html.replacing("src=\"/bm/", with: "src\(target)")
  }
}
