import ArchiverCore
import ArchiverMarkup

/// Finds the catalog of a server whose URL has no path.
struct EntryPoint: Sendable {
  let client: CatalogClient

  private static let usual = [
    "opds", "opds/v2.0", "opds/v1.2/catalog", "opds/v1.2/", "opds/v2/catalog", "api/opds",
  ]

  /// Returns the catalog's first feed and its URL.
  func find() async throws(AdapterError) -> (CatalogFeed, WebURL) {
    var problem: AdapterError
    do throws(AdapterError) {
      let (document, url) = try await client.document(client.base, isFirst: true)
      switch document {
      case .feed(let feed): return (feed, url)
      case .entry(let entry): return (CatalogFeed(entry), url)
      case .page(let bytes):
        if let found = try await linked(bytes, url) { return found }
        problem = AdapterError(
          .configuration,
          "\(client.name(url)) is a web page")
      }
    } catch {
      guard error.code == .notFound || error.code == .malformed || error.code == .configuration
      else { throw error }
      problem = error
    }
    // Well-known paths are tried only if the configured URL has no path.
    if client.base.path == "/", let found = try await guessed() { return found }
    let example = client.base.withoutQuery.resolving("/opds")?.absoluteString ?? ""
    throw AdapterError(
      .configuration,
      "\(problem.message); BOOKS_URL must lead to an OPDS catalog, such as "
        + example, underlying: problem)
  }

  private func linked(
    _ page: [UInt8], _ url: WebURL
  ) async throws(AdapterError) -> (CatalogFeed, WebURL)? {
    let links: [XMLElement]
    do throws(MarkupError) {
      links = try HTMLDocument.parse(page).root?.descendants("link") ?? []
    } catch {
      // A page that cannot be parsed names no catalog.
      return nil
    }
    for link in links {
      let type = CatalogMediaType(link.attribute("type") ?? "")
      guard type.isFeed, (link.attribute("type") ?? "").contains("opds"),
        let target = link.attribute("href").flatMap(url.resolving),
        let found = try await feed(target)
      else { continue }
      return found
    }
    return nil
  }

  private func guessed() async throws(AdapterError) -> (CatalogFeed, WebURL)? {
    for path in EntryPoint.usual {
      guard let url = client.base.resolving(path), let found = try await feed(url) else { continue }
      return found
    }
    return nil
  }

  private func feed(_ url: WebURL) async throws(AdapterError) -> (CatalogFeed, WebURL)? {
    do throws(AdapterError) {
      let (document, url) = try await client.document(url)
      if case .feed(let feed) = document { return (feed, url) }
      return nil
    } catch {
      if error.isAboutOneFeed { return nil }
      throw error
    }
  }
}

extension CatalogFeed {
  /// Makes a feed of one book, for a URL that leads to an entry.
  init(_ entry: CatalogEntry) {
    self.init()
    title = entry.title
    publications = [entry]
  }
}

/// Feeds known to list every book of a catalog, so that no other feed has to be read.
enum Shortcut {
  /// Returns the feeds to read instead of all others; empty if the whole catalog has to be crawled.
  static func complete(_ feed: CatalogFeed, _ url: WebURL) -> [CatalogLink] {
    if let all = feed.links.first(where: { $0.has(.crawlable) }) { return [all] }
    let ways = feed.navigation
    // calibre: "Onewest", a whole library by date, in hexadecimal.
    if let newest = ways.first(where: { $0.address.contains("/navcatalog/4f6e6577657374") }) {
      return [newest] + ways.filter { isOtherLibrary($0, of: url) }
    }
    // Calibre-Web: the feed of new books pages through all books.
    let paths = ways.map { WebURL($0.address)?.path ?? "" }
    if paths.contains(where: { $0.hasSuffix("/opds/books") }),
      let index = paths.firstIndex(where: { $0.hasSuffix("/opds/new") })
    {
      return [ways[index]]
    }
    // Komga's OPDS 2.0: all books, by date of arrival, with their number. Its OPDS 1.2 declares no numbers,
    // so that a book deleted while pages are read would hide another one; there every feed is read.
    if let index = paths.firstIndex(where: { $0.hasSuffix("/opds/v2/libraries/books/latest") }) {
      return [ways[index]]
    }
    return []
  }

  /// Whether a link in calibre's first feed leads to the first feed of another library.
  private static func isOtherLibrary(_ link: CatalogLink, of url: WebURL) -> Bool {
    guard let target = WebURL(link.address) else { return false }
    return target.path == url.path && target.query != nil
  }
}
