import ArchiverCore

/// A book with everything that the catalog reports about it.
struct CatalogBook: Sendable {
  var entry: CatalogEntry
  /// A revision of each file, by URL.
  var fileRevisions: [String: String] = [:]
  /// The size of each file in bytes, by URL.
  var fileSizes: [String: Int] = [:]
  /// Files that the server gives no other sign of a change for than their sizes, by URL.
  var unmarked: Set<String> = []
  /// The files to fetch, if a request showed that the preferred one is unavailable.
  var files: [CatalogLink]?
  /// Files of which a note says that they are unavailable, by URL.
  var unavailable: Set<String> = []
  var notes: [String] = []
}

/// Completes the metadata of a listed book and checks that the book still exists.
struct BookFetcher: Sendable {
  let client: CatalogClient
  let rules: BookRules
  let pages: ListedPages
  let log: @Sendable (LogLevel, String) -> Void

  /// Throws `.notFound` for a removed book.
  ///
  /// That none of a book's files exists does not mean that the book is removed: Calibre-Web lists books
  /// whose files were moved or deleted on its disk. A book counts as removed if its files are gone and so
  /// is its complete entry or calibre's record, or if the page that listed it, asked again, lists it
  /// no more. Otherwise the book is returned with its files, and their download reports what is
  /// missing. A book that moved to another page meanwhile is found there by the next listing.
  func complete(_ entry: CatalogEntry) async throws(AdapterError) -> CatalogBook {
    var book = CatalogBook(entry: entry)
    var isGone = false
    if entry.isShortened == true { try await restore(&book) }
    if let address = entry.completeEntry.flatMap({ WebURL($0) }) {
      isGone = try await complete(&book, from: address)
    }
    book.entry = client.corrected(book.entry)
    if let calibre = CalibreAddress(book.entry) {
      try await complete(&book, from: calibre, isGone: isGone)
    } else {
      try await check(&book, isGone: isGone)
    }
    try await countPages(&book)
    return book
  }

  /// Reads a shortened entry again on the page that listed it. If it is not there any more, the shortened
  /// one is used, and a note says so.
  private func restore(_ book: inout CatalogBook) async throws(AdapterError) {
    let entry = book.entry
    if let page = entry.page.flatMap({ WebURL($0) }),
      var whole = try await entries(on: page).flatMap({ BookFetcher.entry(of: entry, among: $0) })
    {
      whole.page = entry.page
      whole.feed = entry.feed
      book.entry = whole
    } else {
      book.notes.append(
        "The catalog's entry of this book is long and could not be read again; parts of its "
          + "description, names and links may be missing.")
    }
  }

  /// Returns the entries on a page of the catalog; `nil` if the page can no longer be read.
  private func entries(on page: WebURL) async throws(AdapterError) -> [CatalogEntry]? {
    if let known = pages.entries(on: page) { return known }
    do throws(AdapterError) {
      switch try await client.document(page).0 {
      case .feed(let feed):
        pages.keep(feed.publications, of: page)
        return feed.publications
      case .entry(let entry): return [entry]
      case .page: return nil
      }
    } catch {
      let error = await client.confirmed(error)
      guard error.isAboutOneFeed else { throw error }
      return nil
    }
  }

  /// Returns the entry from which another one was shortened. Entries with the same id are
  /// distinguished by their files.
  private static func entry(
    of shortened: CatalogEntry, among entries: [CatalogEntry]
  ) -> CatalogEntry? {
    let same = entries.filter { $0.identity == shortened.identity }
    guard same.count > 1 else { return same.first }
    let file = shortened.ownLinks.first?.address
    return same.first { $0.ownLinks.contains { $0.address == file } }
  }

  /// Determines the page count of a stream that does not declare it, if the stream is all that the
  /// book has.
  private func countPages(_ book: inout CatalogBook) async throws(AdapterError) {
    guard rules.files(of: book.entry).isEmpty,
      let index = book.entry.links.firstIndex(where: { $0.has(.stream) }),
      (book.entry.links[index].pageCount ?? 0) <= 0
    else { return }
    book.entry.links[index].pageCount = try await StreamProbe(client: client)
      .count(book.entry.links[index])
  }

  /// Adds the metadata of the complete entry. If the listed entry names a file, failures are
  /// noted. Returns whether the entry no longer exists.
  private func complete(
    _ book: inout CatalogBook, from address: WebURL
  ) async throws(AdapterError) -> Bool {
    do throws(AdapterError) {
      let (document, url) = try await client.document(address)
      if let whole = BookFetcher.entry(of: book.entry, in: document) {
        book.entry.complete(with: whole)
      } else {
        book.notes.append(
          "The catalog's complete entry of this book could not be read: "
            + "\(client.name(url)) is not one.")
      }
      return false
    } catch {
      let error = await client.confirmed(error)
      guard error.isAboutOneFeed, !rules.files(of: book.entry).isEmpty else { throw error }
      book.notes.append(
        "The catalog's complete entry of this book could not be read: "
          + error.message)
      return error.code == .notFound
    }
  }

  /// Returns the entry of a book in a document: the document itself, or its entry in a feed, as Codex
  /// sends it; `nil` without one.
  private static func entry(
    of listed: CatalogEntry, in document: CatalogDocument
  ) -> CatalogEntry? {
    switch document {
    case .entry(let entry): return entry
    case .feed(let feed):
      let same = feed.publications.first { $0.identity == listed.identity }
      return same ?? (feed.publications.count == 1 ? feed.publications.first : nil)
    case .page: return nil
    }
  }

  /// Requests the candidate files in turn until one is available. Throws `.notFound` if none exists and
  /// the book is gone, which `isGone` says or else the page that listed it.
  private func check(_ book: inout CatalogBook, isGone: Bool) async throws(AdapterError) {
    var dead: [AdapterError] = []
    var unavailable = Set<String>()
    var found: [CatalogLink] = []
    for files in rules.candidates(of: book.entry) where rules.takesAll || found.isEmpty {
      // If only some parts of an audiobook are unavailable, the download reports these.
      if let error = try await problem(ofAll: files, &book) {
        dead.append(error)
        unavailable.formUnion(files.map(\.address))
      } else {
        found += files
      }
    }
    guard let first = dead.first else { return }
    guard !found.isEmpty else {
      if let wrong = dead.first(where: { $0.code == .malformed }) { throw wrong }
      let areAbsent = dead.allSatisfy { $0.code == .notFound }
      if areAbsent, isGone { throw first }
      if areAbsent, try await isUnlisted(book.entry) {
        throw AdapterError(.notFound, "the catalog no longer lists \"\(book.entry.title)\"")
      }
      // The download reports the refused file as missing; the rest of the book is kept.
      return
    }
    // If all formats are wanted, the download of an unavailable one fails and is reported there.
    if rules.takesAll { return }
    book.files = found
    book.unavailable = unavailable
    book.notes += dead.map { "A file of this book could not be downloaded: \($0.message)" }
  }

  /// Requests files and returns why the first one is unavailable; `nil` if any of them is available.
  private func problem(
    ofAll files: [CatalogLink], _ book: inout CatalogBook
  ) async throws(AdapterError) -> AdapterError? {
    var problems: [AdapterError] = []
    for link in files {
      guard let url = WebURL(link.address) else {
        problems.append(AdapterError(.malformed, "the URL of a file of this book is invalid"))
        continue
      }
      if let error = try await problem(of: link, url, &book) { problems.append(error) }
    }
    return problems.count == files.count ? problems.first : nil
  }

  /// Returns whether the page that listed a book can be read and lists it no more.
  private func isUnlisted(_ entry: CatalogEntry) async throws(AdapterError) -> Bool {
    guard let page = entry.page.flatMap({ WebURL($0) }), let identity = entry.identity else {
      return false
    }
    if pages.lists(identity, on: page) { return false }
    do throws(AdapterError) {
      switch try await client.document(page).0 {
      case .feed(let feed):
        let identities = Set(feed.publications.compactMap { client.corrected($0).identity })
        if !feed.isDamaged { pages.keep(identities, of: page) }
        return !feed.isDamaged && !identities.contains(identity)
      case .entry(let listed): return client.corrected(listed).identity != identity
      case .page: return false
      }
    } catch {
      let error = await client.confirmed(error)
      guard error.isAboutOneFeed else { throw error }
      return false
    }
  }

  /// Returns why a file is unavailable; `nil` if it is available, or if only the download can tell.
  private func problem(
    of link: CatalogLink, _ url: WebURL, _ book: inout CatalogBook
  ) async throws(AdapterError) -> AdapterError? {
    book.fileRevisions[link.address] = book.entry.updated
    guard let answer = try await answer(url) else { return nil }
    let isOurs = isOwn(answer.url)
    guard answer.isSuccess else {
      // A refusal of another host concerns its own file only; 416 is the answer for an empty file.
      guard isOurs, let failure = client.failure(for: answer, url), answer.status != 416 else {
        return [404, 410].contains(answer.status)
          ? AdapterError(
            .unavailable,
            "\(client.name(url)) does not exist (\(answer.status))") : nil
      }
      if failure.code == .rateLimited { throw failure }
      let confirmed = await client.confirmed(failure)
      if confirmed.endsSource { throw confirmed }
      if failure.code == .notFound { return failure }
      return answer.status < 500 ? AdapterError(.unavailable, failure.message) : nil
    }
    // The type alone does not tell: some servers send it with every file.
    if answer.mediaType == "text/html", link.media.name != "text/html", isOurs, isOwn(url),
      try await client.sendsPage(url)
    {
      let error = await client.confirmed(
        AdapterError(
          .unauthorized,
          "\(client.name(url)) returned a web page instead of a book; it may need a login")
      )
      if error.endsSource { throw error }
      return error
    }
    // A file that is made for each request has the time of asking.
    let time = answer.headers["Last-Modified"].flatMap { $0 == answer.headers["Date"] ? nil : $0 }
    let mark = answer.headers["ETag"] ?? time
    book.fileSizes[link.address] = BookFetcher.size(answer)
    if mark == nil { book.unmarked.insert(link.address) }
    book.fileRevisions[link.address] = mark ?? book.entry.updated
    return nil
  }

  /// Returns the size of a file in bytes by the answer to a request for it or for its first byte; `nil` if
  /// that does not tell, or tells the size of a compressed form.
  private static func size(_ answer: HTTPResponse) -> Int? {
    let coding = answer.headers["Content-Encoding"]?.lowercased() ?? "identity"
    guard coding == "identity" else { return nil }
    let text =
      answer.status == 206
      ? answer.headers["Content-Range"]?.split(separator: "/").last.map(String.init)
      : answer.headers["Content-Length"]
    // Some servers answer HEAD with a size of 0.
    return text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Requests a file with HEAD or, if the server refuses HEAD, with GET, whose body is not
  /// received. `nil` if neither gives an answer.
  private func answer(_ url: WebURL) async throws(AdapterError) -> HTTPResponse? {
    do throws(AdapterError) {
      let head = try await client.head(url)
      if head.isSuccess || head.status == 429 { return head }
    } catch {
      if error.code == .cancelled { throw error }
      // Some servers close the connection on an unknown method.
    }
    do throws(AdapterError) {
      return try await client.firstByte(url)
    } catch {
      let isRedirected = error.code == .configuration && error.underlying is HTTPError
      let isOfOther = isRedirected || client.isOfAnotherHost(error)
      if error.code == .cancelled || (isOwn(url) && !isOfOther) { throw error }
      log(.warning, error.message)
      return nil
    }
  }

  private func isOwn(_ url: WebURL) -> Bool { url.origin == client.base.origin }

  private func complete(
    _ book: inout CatalogBook, from calibre: CalibreAddress, isGone: Bool
  ) async throws(AdapterError) {
    defer {
      for link in book.entry.links { book.fileRevisions[link.address] = book.entry.updated }
    }
    do throws(AdapterError) {
      let record = try await client.json(calibre.record)
      let omitted = CalibreRecord(record, at: calibre.record).complete(&book.entry)
      if omitted > 0 {
        book.notes.append(
          "Custom columns of calibre that are too long, too many or without a name were left out: "
            + "\(omitted).")
      }
    } catch {
      // A book that calibre reports as missing is removed. Another server whose URLs look like
      // calibre's is asked for the file.
      let error = await client.confirmed(error)
      guard error.isAboutOneFeed || error.code == .unavailable else { throw error }
      try await check(&book, isGone: isGone || error.code == .notFound)
    }
  }
}
