import ArchiverCore

// A catalog behind a proxy for TLS that knows only the proxy's requests, so that its links are `http`.
extension CatalogClient {
  /// Returns a URL of the catalog's host with `http` corrected to the catalog's `https`.
  func corrected(_ url: WebURL) -> WebURL {
    guard base.scheme == "https", url.scheme == "http", url.host == base.host,
      url.port == nil || url.port == base.port
    else { return url }
    return url.rebased(onto: base)
  }

  /// Returns an entry with corrected links.
  func corrected(_ entry: CatalogEntry) -> CatalogEntry {
    var entry = entry
    entry.links = entry.links.map { link in
      var link = link
      link.address = corrected(address: link.address)
      return link
    }
    return entry
  }

  private func corrected(address: String) -> String {
    guard base.scheme == "https", address.hasPrefix("http://") else { return address }
    // A URL template cannot be parsed.
    let plain = address.prefix { $0 != "{" }
    guard let url = WebURL(String(plain)) else { return address }
    let target = corrected(url)
    return target == url ? address : target.absoluteString + address.dropFirst(plain.count)
  }
}
