import ArchiverCore
import ArchiverMarkup

/// What a catalog answers with, told by its content and never by its declared type.
enum CatalogDocument {
  case feed(CatalogFeed)
  case entry(CatalogEntry)
  /// A web page: a login form, or a site that may name its catalog.
  case page([UInt8])
}

/// A catalog over HTTP.
struct CatalogClient: Sendable {
  let base: WebURL
  let http: any HTTPClient
  let hasCredential: Bool
  /// What of the catalog's address must not be kept.
  var secrets: AddressSecrets { AddressSecrets(CatalogAddress.keys(of: base).map { Secret($0) }) }

  private static let accept =
    "application/opds+json, application/atom+xml;profile=opds-catalog, application/xml;q=0.5, "
    + "*/*;q=0.1"

  /// Fetches a feed or an entry; returns it with the address that answered.
  ///
  /// - Parameter isFirst: whether it is the address that was configured, whose 403 refuses the login.
  func document(
    _ url: WebURL, isFirst: Bool = false
  ) async throws(AdapterError) -> (CatalogDocument, WebURL) {
    let response = try await send(
      HTTPRequest(
        .get, url, headers: ["Accept": CatalogClient.accept],
        destination: .memory(limit: 32_000_000)))
    if let failure = failure(for: response, url, isFirst: isFirst) { throw failure }
    let document = try read(response)
    guard case .feed(var feed) = document else { return (document, response.url) }
    feed.forgetTimeOfAsking(Date())
    return (.feed(feed), response.url)
  }

  /// Fetches JSON that only calibre has.
  func json(_ url: WebURL) async throws(AdapterError) -> JSONValue {
    let response = try await send(HTTPRequest(.get, url, destination: .memory(limit: 8_000_000)))
    if let failure = failure(for: response, url) { throw failure }
    return try decode(response.body, url)
  }

  /// Asks for the head of a file.
  func head(_ url: WebURL) async throws(AdapterError) -> HTTPResponse {
    try await send(HTTPRequest(.head, url))
  }

  /// Asks for a file and hangs up once the head of the answer is there.
  func firstByte(_ url: WebURL) async throws(AdapterError) -> HTTPResponse {
    let sink = HeadSink()
    let request = HTTPRequest(
      .get, url, headers: ["Range": "bytes=0-0"], destination: .sink(sink, limit: 1))
    do throws(HTTPError) {
      return try await http.send(request)
    } catch {
      guard error.code == .sink, let head = sink.head else { throw AdapterError(catalog: error) }
      return HTTPResponse(head: head)
    }
  }

  /// Returns what a refusal of one address means once the catalog itself was asked again: the error as
  /// it is where the catalog refuses too, else one that is about this address only.
  func confirmed(_ error: AdapterError) async -> AdapterError {
    guard error.code == .unauthorized else { return error }
    do throws(AdapterError) {
      let (document, _) = try await document(base, isFirst: true)
      if case .page = document { return error }
      return AdapterError(.malformed, error.message)
    } catch {
      return error.isAboutOneFeed ? AdapterError(.malformed, error.message) : error
    }
  }

  private func read(_ answer: HTTPResponse) throws(AdapterError) -> CatalogDocument {
    let response = HTTPResponse(
      head: answer.head,
      body: FeedBytes.decoded(answer.body, contentType: answer.headers["Content-Type"] ?? ""))
    let start = response.body.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(256)
    switch start.first {
    case 0x7B?, 0x5B?: return try readJSON(response)
    case 0x3C?:
      let head = String(decoding: start, as: UTF8.self).lowercased()
      if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") {
        return .page(response.body)
      }
      return try readXML(response)
    default:
      throw AdapterError(
        .malformed, "\(name(response.url)) sent something that is no feed of a catalog")
    }
  }

  private func readJSON(_ response: HTTPResponse) throws(AdapterError) -> CatalogDocument {
    let json = try decode(response.body, response.url)
    let reader = PublicationReader(url: response.url)
    if json["authentication"] != nil { throw refusal(response, 401) }
    let isFeed = ["publications", "navigation", "groups", "facets"].contains { json[$0] != nil }
    if isFeed { return .feed(reader.feed(json)) }
    guard json["metadata"] != nil else {
      throw AdapterError(.malformed, "\(name(response.url)) sent JSON that is no feed of a catalog")
    }
    return .entry(reader.entry(json))
  }

  private func readXML(_ response: HTTPResponse) throws(AdapterError) -> CatalogDocument {
    do throws(MarkupError) {
      let (document, isWhole) = try document(response.body)
      let root = document.root
      let reader = AtomReader(url: response.url)
      switch root?.name {
      case "feed":
        if let root {
          var feed = reader.feed(root)
          feed.isDamaged = !isWhole
          return .feed(feed)
        }
      case "entry": if let root { return .entry(reader.entry(root)) }
      case "html": return .page(response.body)
      default: break
      }
    } catch {
      throw AdapterError(
        .malformed, "\(name(response.url)) sent a feed that cannot be read: \(error.message)",
        underlying: error)
    }
    throw AdapterError(.malformed, "\(name(response.url)) sent XML that is no feed of a catalog")
  }

  /// Parses strictly; if that fails, repairs references; finally keeps what is well-formed and
  /// returns false with it.
  private func document(_ bytes: [UInt8]) throws(MarkupError) -> (XMLDocument, isWhole: Bool) {
    do throws(MarkupError) {
      return (try XMLDocument(bytes), true)
    } catch  where error.code == .malformed {
      let mended = FeedBytes.mended(bytes)
      do throws(MarkupError) {
        return (try XMLDocument(mended), true)
      } catch  where error.code == .malformed {
        return (try XMLDocument(mended, recovering: true), false)
      }
    }
  }

  private func decode(_ bytes: [UInt8], _ url: WebURL) throws(AdapterError) -> JSONValue {
    do {
      return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw AdapterError(
        .malformed, "\(name(url)) sent JSON that cannot be read", underlying: error)
    }
  }

  private func send(_ request: HTTPRequest) async throws(AdapterError) -> HTTPResponse {
    do throws(HTTPError) {
      return try await http.send(request)
    } catch {
      throw AdapterError(catalog: error)
    }
  }

  /// The catalog and the page of it that a message is about; no query, no key in the path.
  func name(_ url: WebURL) -> String {
    "The catalog at \(base.host) (\(CatalogAddress.shown(url)))"
  }
}
