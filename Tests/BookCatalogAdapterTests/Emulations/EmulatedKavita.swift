import ArchiverCore
import ArchiverTestKit

/// Kavita's feeds of OPDS 1.2 over an invented library, after the controller of its source
/// (Kareadita/Kavita, `OPDSController.cs`).
///
/// The address has a key. Times are those of the request, without a zone. Every book is listed by its series
/// alone; ten books a series, the series in two libraries.
struct EmulatedKavita: Sendable {
  static let start = "/api/opds/KEY"
  private static let pageSize = 20
  private static let navigation = "application/atom+xml;profile=opds-catalog;kind=navigation"

  var books: [Int]
  /// The number of the genre that the first feed offers, which Kavita draws at random for each request.
  var genre = 1
  /// Pages read of each book.
  var progress: [Int: Int] = [:]
  /// Sizes of files, in MB.
  var sizes: [Int: Int] = [:]

  init(bookCount: Int) { books = Array(1...bookCount) }

  private var series: [Int] { Set(books.map { ($0 - 1) / 10 + 1 }).sorted() }

  func response(_ request: ServerRequest) -> ServerResponse {
    let parts = Array(request.segments.dropFirst(3))
    guard request.path.hasPrefix(Self.start) else { return .text("", status: 404) }
    // Downloads refuse HEAD, as every method of ASP.NET that is not routed.
    if parts.contains("download") {
      return request.method == "GET" ? .text("file") : .text("", status: 405)
    }
    let page = max(1, request.parameter("pageNumber").flatMap { Int($0) } ?? 1)
    let own = Self.start + parts.map { "/" + $0 }.joined()
    switch parts.first {
    case nil:
      return feed(
        own,
        [
          "on-deck", "recently-added", "recently-updated",
          "more-in-genre?genreId=\(genre)", "smart-filters/1/", "reading-list", "want-to-read",
          "libraries", "collections", "smart-filters",
        ].map { way($0, $0) })
    case "on-deck": return list(Array(series.prefix(3)), page, own)
    case "recently-added": return list(series.reversed(), page, own)
    case "recently-updated": return feed(own, series.suffix(30).map(entry))
    case "more-in-genre":
      let shown = series.filter { ($0 + genre) % 4 != 0 }
      // The separator of the next page is escaped twice.
      return list(shown, page, own + "?genreId=\(genre)", separator: "&amp;amp;")
    case "smart-filters" where parts.count == 1: return feed(own, [way("smart-filters/1", "1")])
    case "smart-filters": return list(series, page, own + (own.hasSuffix("/") ? "" : "/"))
    case "want-to-read": return list(Array(series.prefix(2)), page, own)
    case "reading-list" where parts.count == 1: return feed(own, [way("reading-list/1", "1")])
    case "reading-list": return feed(own, books.prefix(15).map(chapter))
    case "collections" where parts.count == 1: return feed(own, [way("collections/1", "1")])
    case "collections": return list(series.filter { $0 % 4 == 0 }, page, own)
    case "libraries" where parts.count == 1:
      return feed(own, (0..<2).map { way("libraries/\($0)", "\($0)") })
    case "libraries":
      let library = Int(parts[1]) ?? 0
      return list(series.filter { $0 % 2 == library }, page, own)
    case "series":
      let number = Int(parts[1]) ?? 0
      return feed(own, books.filter { ($0 - 1) / 10 + 1 == number }.map(chapter))
    default: return .text("", status: 404)
    }
  }

  private var now: String {
    // Without a zone (`DateTime.UtcNow.ToString("s")`).
    String(Date().formatted(.iso8601).dropLast())
  }

  private func list(
    _ series: [Int], _ page: Int, _ own: String, separator: String = "?"
  ) -> ServerResponse {
    let pages = (series.count + Self.pageSize - 1) / Self.pageSize
    let shown = series.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize)
    let next =
      page < pages
      ? "<link rel=\"next\" type=\"\(Self.navigation)\" href=\"\(own)\(separator)pageNumber=\(page + 1)\"/>"
      : ""
    return feed(
      own, shown.map(entry),
      "<totalResults xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\(series.count)</totalResults>\(next)"
    )
  }

  private func feed(_ own: String, _ entries: [String], _ more: String = "") -> ServerResponse {
    .text(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><updated>\(now)</updated><id>x</id><title>Kavita</title>"
        + "<link rel=\"self\" type=\"\(Self.navigation)\" href=\"\(own)\"/>"
        + "<link rel=\"start\" type=\"\(Self.navigation)\" href=\"\(Self.start)\"/>"
        + "<link rel=\"search\" type=\"application/opensearchdescription+xml\" href=\"\(Self.start)/search\"/>"
        + more + entries.joined() + "</feed>", type: "application/xml")
  }

  private func way(_ path: String, _ title: String) -> String {
    "<entry><updated>\(now)</updated><id>\(title)</id><title>\(title)</title>"
      + "<link rel=\"subsection\" type=\"\(Self.navigation)\" href=\"\(Self.start)/\(path)\"/></entry>"
  }

  private func entry(_ series: Int) -> String {
    // Ids of series and of files are numbers of two tables.
    "<entry><updated>\(now)</updated><id>\(series)</id><title>S\(series)</title>"
      + "<link rel=\"subsection\" type=\"\(Self.navigation)\" href=\"\(Self.start)/series/\(series)\"/>"
      + "<link rel=\"http://opds-spec.org/image\" type=\"image/jpeg\" href=\"/api/image/series-cover?seriesId=\(series)&amp;apiKey=KEY\"/></entry>"
  }

  private func chapter(_ book: Int) -> String {
    let read = progress[book].map {
      " p5:lastRead=\"\($0)\" p5:lastReadDate=\"\(now)\""
    }
    return
      "<entry><updated>\(now)</updated><id>\(book)</id><title>S\((book - 1) / 10 + 1) - Volume \(book)</title>"
      + "<summary>File Type: vnd.comicbook+zip - \(sizes[book] ?? 20) MB</summary>"
      + "<extent xmlns=\"http://purl.org/dc/terms/\">\(sizes[book] ?? 20) MB</extent>"
      + "<content type=\"text\">application/vnd.comicbook+zip</content>"
      + "<link rel=\"http://opds-spec.org/image\" type=\"image/jpeg\" href=\"/api/image/chapter-cover?chapterId=\(book)&amp;apiKey=KEY\"/>"
      + "<link rel=\"http://opds-spec.org/acquisition/open-access\" type=\"application/vnd.comicbook+zip\" title=\"\(book).cbz\" href=\"\(Self.start)/series/1/volume/\(book)/chapter/\(book)/download/\(book).cbz\" p5:count=\"20\" xmlns:p5=\"http://vaemendis.net/opds-pse/ns\"/>"
      + "<link rel=\"http://vaemendis.net/opds-pse/stream\" type=\"image/jpeg\" href=\"\(Self.start)/image?chapterId=\(book)&amp;pageNumber={pageNumber}\" xmlns:p5=\"http://vaemendis.net/opds-pse/ns\" p5:count=\"20\"\(read ?? "")/></entry>"
  }
}
