import ArchiverCore

/// Where the server is and where it believes to be.
///
/// Readeck builds absolute addresses from the request's `Host` and `X-Forwarded-Proto`, so behind
/// a proxy they may name another host, scheme or path than the configured one. Every bookmark's
/// `href` shows the address the server believed in for that answer.
struct ServerAddress: Sendable {
  /// The configured address, a slash at the end.
  let base: WebURL
  /// The server's own idea of it, a slash at the end; `nil` when no `href` told.
  let claimed: String?

  init(base: WebURL, bookmark: Bookmark) {
    self.base = base
    let tail = "api/bookmarks/\(bookmark.id)"
    claimed = bookmark.href.flatMap { href in
      href.hasSuffix("/" + tail) ? String(href.dropLast(tail.utf8.count)) : nil
    }
  }

  /// Returns where to fetch a file of the server that it gave this address for.
  func rebase(_ address: String) -> WebURL? {
    if let claimed, address.hasPrefix(claimed) {
      return base.resolving(address.dropFirst(claimed.count))
    }
    guard let url = base.resolving(address) else { return nil }
    return url.path.hasPrefix("\(base.path)bm/") ? url.rebased(onto: base) : url
  }

  /// Returns HTML as Readeck wrote it with the addresses of its own images made good.
  ///
  /// Readeck escapes quotation marks in text, so these bytes occur in attributes only and no parser
  /// is needed.
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
