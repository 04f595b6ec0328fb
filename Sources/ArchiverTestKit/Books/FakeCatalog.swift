import ArchiverCore
import Synchronization

/// A small OPDS 1.2 catalog for tests: a root, paged feeds, covers and files.
///
/// Its handler is stateless except for the books, which a test may change between requests. Feeds
/// link back to the root as in real catalogs.
package final class FakeCatalog: Sendable {
  /// A book of the catalog.
  package struct Book: Sendable {
    package var number: Int
    package var title: String
    package var author: String
    package var series: String?
    package var tags: [String]
    /// RFC 3339.
    package var updated: String
    package var epub: [UInt8]
    package var pdf: [UInt8]?
    /// A JPEG without content, or a GIF.
    package var cover: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    package init(
      _ number: Int, title: String? = nil, author: String = "A. Writer", series: String? = nil,
      tags: [String] = [], updated: String = "2026-01-01T00:00:00+00:00",
      epub: [UInt8] = Array("PK\u{3}\u{4} not a real book".utf8), pdf: [UInt8]? = nil
    ) {
      self.number = number
      self.title = title ?? "Book \(number)"
      self.author = author
      self.series = series
      self.tags = tags
      self.updated = updated
      self.epub = epub
      self.pdf = pdf
    }
  }

  private struct State {
    var books: [Book]
    var token: String?
  }

  private let state: Mutex<State>
  private let pageSize: Int

  package init(_ books: [Book], pageSize: Int = 30, token: String? = nil) {
    state = Mutex(State(books: books, token: token))
    self.pageSize = pageSize
  }

  package var books: [Book] {
    get { state.withLock { $0.books } }
    set { state.withLock { $0.books = newValue } }
  }

  /// Answers a request.
  package func respond(_ request: ServerRequest) -> ServerResponse {
    let token = state.withLock { $0.token }
    if let token, request.headers["Authorization"] != "Bearer \(token)" {
      return ServerResponse(401, headers: ["WWW-Authenticate": "Basic realm=\"books\""])
    }
    let parts = request.segments
    switch parts.first {
    case "opds" where parts.count == 1: return feed("Catalog", root())
    case "opds": return listing(parts.dropFirst().joined(separator: "/"), request)
    case "files": return file(parts)
    case "covers": return cover(parts)
    default: return .text("not found", status: 404)
    }
  }

  private func cover(_ parts: [String]) -> ServerResponse {
    guard let book = books.first(where: { "\($0.number)" == parts.last }) else {
      return .text("not found", status: 404)
    }
    return .data(book.cover, type: book.cover.first == 0x47 ? "image/gif" : "image/jpeg")
  }

  private func root() -> String {
    ["new", "authors", "empty"].map { name in
      "<entry><title>By \(name)</title><id>nav:\(name)</id><updated>2026-01-01T00:00:00Z</updated>"
        + "<link type=\"application/atom+xml;profile=opds-catalog\" href=\"/opds/\(name)\"/></entry>"
    }.joined()
      + "<entry><title>Home</title><id>nav:home</id>"
      + "<link type=\"application/atom+xml;profile=opds-catalog;kind=navigation\" href=\"/opds\"/></entry>"
  }

  private func listing(_ name: String, _ request: ServerRequest) -> ServerResponse {
    let all = books
    switch name {
    case "new":
      let offset = request.parameter("offset").flatMap { Int($0) } ?? 0
      let page = all.dropFirst(offset).prefix(pageSize)
      let next =
        offset + pageSize < all.count
        ? "<link rel=\"next\" type=\"application/atom+xml\" href=\"/opds/new?offset=\(offset + pageSize)\"/>"
        : ""
      return feed("New", next + page.map(entry).joined())
    case "authors":
      let authors = Set(all.map(\.author)).sorted()
      return feed(
        "Authors",
        authors.enumerated().map { index, author in
          "<entry><title>\(author)</title><id>author:\(index)</id>"
            + "<link type=\"application/atom+xml\" href=\"/opds/author/\(index)\"/></entry>"
        }.joined())
    case "empty": return .text("No books found", status: 404)
    default:
      let authors = Set(all.map(\.author)).sorted()
      guard name.hasPrefix("author/"), let index = Int(name.dropFirst(7)),
        authors.indices.contains(index)
      else { return .text("not found", status: 404) }
      return feed("Author", all.filter { $0.author == authors[index] }.map(entry).joined())
    }
  }

  private func file(_ parts: [String]) -> ServerResponse {
    guard parts.count == 2, let dot = parts[1].firstIndex(of: "."),
      let book = books.first(where: { "\($0.number)" == parts[1][..<dot] })
    else { return .text("not found", status: 404) }
    let isPDF = parts[1].hasSuffix(".pdf")
    guard let bytes = isPDF ? book.pdf : book.epub else { return .text("not found", status: 404) }
    return .data(
      bytes, type: isPDF ? "application/pdf" : "application/epub+zip",
      headers: ["ETag": "\"\(book.number)-\(book.updated)\""])
  }

  private func entry(_ book: Book) -> String {
    let tags = book.tags.isEmpty ? "" : "TAGS: \(book.tags.joined(separator: ", "))<br/>"
    let series = book.series.map { "SERIES: \($0) [\(book.number)]<br/>" } ?? ""
    let pdf =
      book.pdf == nil
      ? ""
      : "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" href=\"/files/\(book.number).pdf\"/>"
    return "<entry><title>\(book.title)</title><id>urn:book:\(book.number)</id>"
      + "<updated>\(book.updated)</updated><author><name>\(book.author)</name></author>"
      + "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">\(tags)\(series)<p>About \(book.title)</p></div></content>"
      + pdf
      + "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/files/\(book.number).epub\"/>"
      + "<link rel=\"http://opds-spec.org/image\" type=\"image/jpeg\" href=\"/covers/\(book.number)\"/>"
      + "</entry>"
  }

  private func feed(_ title: String, _ content: String) -> ServerResponse {
    .text(
      "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>\(title)</title>"
        + "<id>feed</id><updated>2026-01-01T00:00:00Z</updated>"
        + "<link rel=\"start\" type=\"application/atom+xml\" href=\"/opds\"/>\(content)</feed>",
      type: "application/xml")
  }
}
