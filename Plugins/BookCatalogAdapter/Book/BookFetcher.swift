import ArchiverCore

/// A book with all that its catalog tells about it.
struct CatalogBook: Sendable {
  var entry: CatalogEntry
  /// A mark of the file's present state, by its address.
  var fileRevisions: [String: String] = [:]
  /// What a file has in bytes, by its address.
  var fileSizes: [String: Int] = [:]
  var notes: [String] = []
}

/// Completes what a feed tells about a book, and makes sure that the book is still there.
struct BookFetcher: Sendable {
  let client: CatalogClient
  let rules: BookRules
  let log: @Sendable (LogLevel, String) -> Void

  /// Fails with `.notFound` for a book that is gone.
  func complete(_ entry: CatalogEntry) async throws(AdapterError) -> CatalogBook {
    var book = CatalogBook(entry: entry)
    if let address = entry.completeEntry.flatMap({ WebURL($0) }) {
      let (document, _) = try await client.document(address)
      if case .entry(let whole) = document { book.entry.complete(with: whole) }
    }
    if let calibre = CalibreAddress(book.entry) {
      try await complete(&book, from: calibre)
    } else {
      try await check(&book)
    }
    return book
  }

  private func check(_ book: inout CatalogBook) async throws(AdapterError) {
    for link in rules.files(of: book.entry) {
      guard let url = WebURL(link.address) else { continue }
      guard let head = try await head(url) else { continue }
      // Elsewhere nothing is known of logins; the download will tell.
      if head.mediaType == "text/html", link.media.name != "text/html", isOwn(url) {
        throw AdapterError(
          .unauthorized,
          "\(client.name(url)) answers with a web page where a book should be; it may want a login")
      }
      book.fileSizes[link.address] = head.headers["Content-Length"].flatMap { Int($0) }
      book.fileRevisions[link.address] =
        head.headers["ETag"] ?? head.headers["Last-Modified"] ?? book.entry.updated
    }
  }

  /// Asks for the head of a file; `nil` where it does not tell.
  ///
  /// Only what the catalog's own server says of itself may end a run. Where else an entry leads,
  /// anyone may have written.
  private func head(_ url: WebURL) async throws(AdapterError) -> HTTPResponse? {
    do throws(AdapterError) {
      return try await client.head(url)
    } catch {
      let isRedirected = error.code == .configuration && error.underlying is HTTPError
      let isOurs = isOwn(url) && !isRedirected
      if isOurs || [.cancelled, .notFound].contains(error.code) { throw error }
      log(.warning, error.message)
      return nil
    }
  }

  private func isOwn(_ url: WebURL) -> Bool { url.origin == client.base.origin }

  private func complete(
    _ book: inout CatalogBook, from calibre: CalibreAddress
  ) async throws(AdapterError) {
    for link in book.entry.links { book.fileRevisions[link.address] = book.entry.updated }
    do throws(AdapterError) {
      CalibreRecord(try await client.json(calibre.record)).complete(&book.entry)
    } catch {
      // What calibre itself says it does not have is gone; other servers with such addresses are asked
      // for the file.
      guard error.isAboutOneFeed || error.code == .unavailable else { throw error }
      try await check(&book)
    }
  }
}

/// Where calibre keeps what its feeds leave out.
struct CalibreAddress {
  let record: WebURL

  /// Recognises calibre by the address of a file: `…/get/epub/30/library`.
  init?(_ entry: CatalogEntry) {
    for link in entry.links where link.isDownload {
      guard let url = WebURL(link.address) else { continue }
      let parts = url.path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count >= 5, parts[parts.count - 4] == "get", Int(parts[parts.count - 2]) != nil
      else { continue }
      let prefix = parts.dropLast(4).joined(separator: "/")
      let path = "\(prefix)/ajax/book/\(parts[parts.count - 2])/\(parts[parts.count - 1])"
      guard let record = url.withoutQuery.resolving(path) else { continue }
      self.record = record
      return
    }
    return nil
  }
}
