import ArchiverCore
import ArchiverTestKit

/// Komga's feeds of OPDS 1.2 and 2.0 over an invented library, after the controllers of its source
/// (gotson/komga, `OpdsController.kt` and `Opds2Controller.kt`).
///
/// Every book is in a series; ten books a series. The series are spread over two libraries, five
/// collections and twenty publishers; five reading lists have thirty books each.
struct EmulatedKomga: Sendable {
  /// The number of entries of a page, Spring's default.
  private static let pageSize = 20
  private static let atomType = "application/atom+xml;profile=opds-catalog;kind=navigation"

  /// The numbers of the books, without those deleted.
  var books: [Int] { didSet { series = EmulatedKomga.series(of: books) } }
  /// The books that are being read, most recently read first.
  var reading: [Int] = []
  /// Books whose files were replaced.
  var replaced: Set<Int> = []

  private var series: [Int]

  init(bookCount: Int) {
    books = Array(0..<bookCount)
    series = EmulatedKomga.series(of: books)
  }

  private static func series(of books: [Int]) -> [Int] { Set(books.map { $0 / 10 }).sorted() }

  func response(_ request: ServerRequest) -> ServerResponse {
    let parts = request.segments
    guard parts.count >= 3, parts[0] == "opds" else { return .text("", status: 404) }
    let rest = Array(parts.dropFirst(2))
    let page = request.parameter("page").flatMap { Int($0) } ?? 0
    switch parts[1] {
    case "v1.2": return atom(rest, page, publisher: request.parameter("publisher"))
    case "v2": return json(rest, page, publisher: request.parameter("publisher"))
    default: return .text("", status: 404)
    }
  }

  /// Reading progress stands first; the series follow by title.
  private func selected(_ path: [String], publisher: String?) -> Content? {
    var path = path
    var library: Int?
    if path.first == "libraries", path.count > 1, let number = Int(path[1]) {
      library = number
      path.remove(at: 1)
    }
    let all = series.filter { library == nil || $0 % 2 == library }
    let shown = all.filter { publisher == nil || "P\($0 % 20)" == publisher }
    let own = books.filter { library == nil || ($0 / 10) % 2 == library }
    switch path.joined(separator: "/") {
    case "keep-reading", "libraries/keep-reading": return .books(reading.filter(own.contains))
    case "ondeck", "libraries/on-deck":
      return .books(reading.map { $0 + 1 }.filter(own.contains))
    case "books/latest", "libraries/books/latest": return .books(own.reversed())
    case "series", "libraries/browse": return .series(shown)
    case "series/latest", "libraries/series/latest": return .series(all.reversed())
    case "libraries" where library != nil: return .series(all)
    case "libraries": return .libraries
    case "collections", "libraries/collections": return .collections
    case "readlists", "libraries/readlists": return .readLists
    case "publishers": return .publishers
    default: break
    }
    guard path.count == 2, let number = Int(path[1]) else { return nil }
    switch path[0] {
    case "series": return .books(books.filter { $0 / 10 == number })
    case "collections": return .series(series.filter { $0 % 5 == number })
    case "readlists": return .books(books.filter { $0 % 5 == number }.prefix(30).map(\.self))
    default: return nil
    }
  }

  private enum Content {
    case books([Int])
    case series([Int])
    case libraries, collections, readLists, publishers
  }

  private func paged<Value>(_ values: [Value], _ page: Int) -> (values: [Value], hasNext: Bool) {
    let from = min(values.count, page * Self.pageSize)
    let shown = values[from...].prefix(Self.pageSize)
    return (Array(shown), from + shown.count < values.count)
  }

  private func changed(_ book: Int) -> String {
    replaced.contains(book) ? "2026-05-01T08:00:00Z" : "2026-01-01T08:00:00Z"
  }

  // MARK: - OPDS 1.2

  private func atom(_ path: [String], _ page: Int, publisher: String?) -> ServerResponse {
    let own = "/opds/v1.2/" + path.joined(separator: "/")
    let entries: [String]
    var hasNext = false
    if path == ["catalog"] {
      entries = [
        "keep-reading", "ondeck", "series", "series/latest", "books/latest", "libraries",
        "collections", "readlists", "publishers",
      ].map { way("/opds/v1.2/\($0)", $0) }
    } else {
      guard let content = selected(path, publisher: publisher) else {
        return .text("", status: 404)
      }
      (entries, hasNext) = atomEntries(content, page, isSeries: path.first == "series")
    }
    let query = publisher.map { "publisher=\($0)&amp;" } ?? ""
    let next =
      hasNext
      ? "<link type=\"\(Self.atomType)\" rel=\"next\" href=\"\(own)?\(query)page=\(page + 1)\"/>"
      : ""
    // The link to itself has no page, and the feed's time is that of the request.
    let now = Date().formatted(.iso8601)
    return .text(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>\(path.last ?? "")</id><title>Komga</title>"
        + "<updated>\(now)</updated><link type=\"\(Self.atomType)\" rel=\"self\" href=\"\(own)\"/>"
        + "<link type=\"\(Self.atomType)\" rel=\"start\" href=\"/opds/v1.2/catalog\"/>"
        + "<link type=\"application/opds+json\" rel=\"alternate\" href=\"/opds/v2/catalog\"/>"
        + next + entries.joined() + "</feed>", type: "application/atom+xml")
  }

  private func atomEntries(
    _ content: Content, _ page: Int, isSeries: Bool
  ) -> (entries: [String], hasNext: Bool) {
    switch content {
    case .books(let books):
      let (shown, hasNext) = paged(books, page)
      return (shown.map { atomBook($0, isInSeries: isSeries) }, hasNext)
    case .series(let series):
      let (shown, hasNext) = paged(series, page)
      return (shown.map { way("/opds/v1.2/series/\($0)", "S\($0)") }, hasNext)
    case .libraries: return ((0..<2).map { way("/opds/v1.2/libraries/\($0)", "L\($0)") }, false)
    case .collections:
      return ((0..<5).map { way("/opds/v1.2/collections/\($0)", "C\($0)") }, false)
    case .readLists: return ((0..<5).map { way("/opds/v1.2/readlists/\($0)", "R\($0)") }, false)
    case .publishers:
      return ((0..<20).map { way("/opds/v1.2/series?publisher=P\($0)", "P\($0)") }, false)
    }
  }

  private func way(_ address: String, _ title: String) -> String {
    "<entry><title>\(title)</title><updated>\(Date().formatted(.iso8601))</updated><id>\(title)</id>"
      + "<content/><link type=\"\(Self.atomType)\" rel=\"subsection\" href=\"\(address)\"/></entry>"
  }

  /// A book; outside of its series the title begins with it. Progress is an attribute of a link.
  private func atomBook(_ book: Int, isInSeries: Bool) -> String {
    let progress = reading.firstIndex(of: book).map {
      " pse:lastRead=\"\($0 + 3)\" pse:lastReadDate=\"2026-06-0\($0 + 1)T00:00:00Z\""
    }
    let name = isInSeries ? "B\(book)" : "S\(book / 10) \(book % 10): B\(book)"
    let own = "/opds/v1.2/books/0B\(book)"
    return
      "<entry><title>\(name)</title><updated>\(changed(book))</updated><id>0B\(book)</id>"
      + "<content>cbz - 20 MiB</content><author><name>A</name></author>"
      + "<link type=\"image/jpeg\" rel=\"http://opds-spec.org/image/thumbnail\" href=\"\(own)/thumbnail/small\"/>"
      + "<link type=\"image/jpeg\" rel=\"http://opds-spec.org/image\" href=\"\(own)/thumbnail\"/>"
      + "<link type=\"application/zip\" rel=\"http://opds-spec.org/acquisition\" href=\"\(own)/file/\(book).cbz\"/>"
      + "<link xmlns:pse=\"http://vaemendis.net/opds-pse/ns\" type=\"image/jpeg\" rel=\"http://vaemendis.net/opds-pse/stream\" href=\"\(own)/pages/{pageNumber}\" pse:count=\"20\"\(progress ?? "")/></entry>"
  }

  // MARK: - OPDS 2.0

  private func json(_ path: [String], _ page: Int, publisher: String?) -> ServerResponse {
    let isRecommended =
      path == ["catalog"] || path == ["libraries"]
      || (path.count == 2 && path[0] == "libraries"
        && Int(path[1]) != nil)
    if isRecommended { return .json(recommended(path)) }
    guard let content = selected(path, publisher: publisher) else { return .text("", status: 404) }
    let own = "/opds/v2/" + path.joined(separator: "/")
    var (navigation, groups, publications, metadata, hasNext) = ("", "", "", "", false)
    let library = path.count > 2 && path[0] == "libraries" ? Int(path[1]) : nil
    switch content {
    case .books(let books):
      let (shown, more) = paged(books, page)
      publications = shown.map(publication).joined(separator: ",")
      hasNext = more
      metadata = numbers(books.count, page)
    case .series(let series):
      let (shown, more) = paged(series, page)
      let links = shown.map { link("/opds/v2/series/\($0)", "S\($0)") }.joined(separator: ",")
      hasNext = more
      metadata = numbers(series.count, page)
      if path.last == "browse" {
        navigation = ways(library)
        let publishers = (0..<20).map { link("\(own)?publisher=P\($0)", "P\($0)") }
        groups =
          group("Series", links) + "," + group("Publisher", publishers.joined(separator: ","))
      } else {
        navigation = links
      }
    case .collections: groups = group("Collections", many("collections"))
    case .readLists: groups = group("Read Lists", many("readlists"))
    case .libraries, .publishers: return .text("", status: 404)
    }
    // Links to pages have no type; the publisher is forgotten, as in Komga.
    let next = hasNext ? ",{\"rel\":\"next\",\"href\":\"\(own)?page=\(page + 1)\"}" : ""
    return .json(
      "{\"metadata\":{\"title\":\"\(path.last ?? "")\"\(metadata)},\"links\":[{\"rel\":\"self\",\"href\":\"\(own)\"},{\"rel\":\"start\",\"href\":\"/opds/v2/catalog\",\"type\":\"application/opds+json\"}\(next)],\"navigation\":[\(navigation)],\"groups\":[\(groups)],\"publications\":[\(publications)]}"
    )
  }

  private func recommended(_ path: [String]) -> String {
    let library = path.count == 2 ? Int(path[1]) : nil
    let base = "/opds/v2/libraries" + (library.map { "/\($0)" } ?? "")
    var groups: [String] = []
    if library == nil {
      groups.append(
        "{\"metadata\":{\"title\":\"Libraries\"},\"links\":[{\"rel\":\"self\",\"href\":\"/opds/v2/libraries\"}],\"navigation\":[\(link("/opds/v2/libraries/0", "L0")),\(link("/opds/v2/libraries/1", "L1"))]}"
      )
    }
    let own = books.filter { library == nil || ($0 / 10) % 2 == library }
    for (name, shown) in [
      ("keep-reading", reading.filter(own.contains)), ("books/latest", Array(own.reversed())),
    ] where !shown.isEmpty {
      groups.append(
        "{\"metadata\":{\"title\":\"\(name)\"\(numbers(shown.count, 0))},\"links\":[{\"title\":\"\(name)\",\"rel\":\"self\",\"href\":\"\(base)/\(name)\",\"type\":\"application/opds+json\"}],\"publications\":[\(shown.prefix(Self.pageSize).map(publication).joined(separator: ","))]}"
      )
    }
    let newest = series.filter { library == nil || $0 % 2 == library }.reversed()
      .prefix(Self.pageSize).map { link("/opds/v2/series/\($0)", "S\($0)") }
    groups.append(
      "{\"metadata\":{\"title\":\"Latest Series\"},\"links\":[{\"title\":\"Latest Series\",\"rel\":\"self\",\"href\":\"\(base)/series/latest\",\"type\":\"application/opds+json\"}],\"navigation\":[\(newest.joined(separator: ","))]}"
    )
    return
      "{\"metadata\":{\"title\":\"Recommended\"},\"links\":[{\"rel\":\"self\",\"href\":\"\(base)\"}],\"navigation\":[\(ways(library))],\"groups\":[\(groups.joined(separator: ","))]}"
  }

  private func ways(_ library: Int?) -> String {
    let base = "/opds/v2/libraries" + (library.map { "/\($0)" } ?? "")
    return ["", "/browse", "/collections", "/readlists"].map {
      "{\"title\":\"\($0)\",\"rel\":\"subsection\",\"href\":\"\(base)\($0)\",\"type\":\"application/opds+json\"}"
    }.joined(separator: ",")
  }

  private func many(_ kind: String) -> String {
    (0..<5).map { link("/opds/v2/\(kind)/\($0)", "\(kind)\($0)") }.joined(separator: ",")
  }

  private func numbers(_ total: Int, _ page: Int) -> String {
    ",\"itemsPerPage\":\(Self.pageSize),\"currentPage\":\(page + 1),\"numberOfItems\":\(total)"
  }

  private func group(_ title: String, _ navigation: String) -> String {
    "{\"metadata\":{\"title\":\"\(title)\"},\"navigation\":[\(navigation)]}"
  }

  private func link(_ address: String, _ title: String) -> String {
    "{\"title\":\"\(title)\",\"href\":\"\(address)\",\"type\":\"application/opds+json\"}"
  }

  /// A publication without an identifier, as of a book without ISBN.
  private func publication(_ book: Int) -> String {
    let own = "/opds/v2/books/0B\(book)"
    return
      "{\"metadata\":{\"title\":\"B\(book)\",\"numberOfPages\":20,\"modified\":\"\(changed(book))\",\"belongsTo\":{\"series\":[{\"name\":\"S\(book / 10)\",\"position\":\(book % 10),\"links\":[{\"href\":\"/opds/v2/series/\(book / 10)\",\"type\":\"application/opds+json\"}]}]}},\"links\":[{\"rel\":\"self\",\"href\":\"\(own)/manifest\",\"type\":\"application/divina+json\"},{\"rel\":\"http://opds-spec.org/acquisition\",\"href\":\"\(own)/file\",\"type\":\"application/zip\"},{\"rel\":\"http://www.cantook.com/api/progression\",\"href\":\"\(own)/progression\",\"type\":\"application/vnd.readium.progression+json\"}],\"images\":[{\"href\":\"\(own)/thumbnail\",\"type\":\"image/jpeg\"}]}"
  }
}
