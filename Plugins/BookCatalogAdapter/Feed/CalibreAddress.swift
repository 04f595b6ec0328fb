import ArchiverCore

/// The URL of calibre's record of a book, which has what its feeds omit.
struct CalibreAddress {
  let record: WebURL
  /// The library's name in URLs.
  let library: String

  /// Recognises calibre by the URL of a file: `…/get/epub/30/library`, or of the cover if the book has none.
  init?(_ entry: CatalogEntry) {
    let files = entry.links.filter(\.isDownload)
    for link in files.isEmpty ? entry.links.filter({ $0.has(.image) }) : files {
      guard let url = WebURL(link.address) else { continue }
      let parts = url.path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count >= 5, parts[parts.count - 4] == "get", Int(parts[parts.count - 2]) != nil
      else { continue }
      let prefix = parts.dropLast(4).joined(separator: "/")
      let path = "\(prefix)/ajax/book/\(parts[parts.count - 2])/\(parts[parts.count - 1])"
      guard let record = url.withoutQuery.resolving(path) else { continue }
      self.record = record
      library = String(parts[parts.count - 1])
      return
    }
    return nil
  }
}
