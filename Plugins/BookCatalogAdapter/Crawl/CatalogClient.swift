import ArchiverCore
import ArchiverMarkup

/// A parsed response of a catalog, classified by content rather than declared type.
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
  var clock = ArchiverClock.system
  let hasCredential: Bool
  /// Whether the credential is sent only after the server has asked for it.
  var waitsForChallenge = false
  /// The parts of the catalog's URL that must not be stored.
  var secrets: AddressSecrets { AddressSecrets(CatalogAddress.keys(of: base).map { Secret($0) }) }

  private static let largestFeed = 32_000_000
  private static let accept =
    "application/opds+json, application/atom+xml;profile=opds-catalog, application/xml;q=0.5, "
    + "*/*;q=0.1"

  /// Fetches a feed or an entry and returns it with its URL after redirects.
  ///
  /// - Parameter isFirst: Whether the URL is the configured one, whose 403 refuses the login and without whose
  ///   response there is no catalog.
  func document(
    _ url: WebURL, isFirst: Bool = false
  ) async throws(AdapterError) -> (CatalogDocument, WebURL) {
    let response = try await send(
      HTTPRequest(
        .get, url, headers: ["Accept": CatalogClient.accept],
        destination: .memory(limit: CatalogClient.largestFeed)), isFirst: isFirst)
    if let failure = failure(for: response, url, isFirst: isFirst) { throw failure }
    let document = try read(response)
    guard case .feed(var feed) = document else { return (document, response.url) }
    feed.forgetTimeOfAsking(clock.now())
    return (.feed(feed), response.url)
  }

  /// Fetches a JSON document of calibre.
  func json(_ url: WebURL) async throws(AdapterError) -> JSONValue {
    let response = try await send(HTTPRequest(.get, url, destination: .memory(limit: 8_000_000)))
    if let failure = failure(for: response, url) { throw failure }
    return try decode(response.body, url)
  }

  /// Sends a HEAD request for a file.
  func head(_ url: WebURL) async throws(AdapterError) -> HTTPResponse {
    try await send(HTTPRequest(.head, url))
  }

  /// Sends a GET request for a file and aborts it after the response head, whatever size it declares: a
  /// server may ignore the range and send the whole file.
  func firstByte(_ url: WebURL) async throws(AdapterError) -> HTTPResponse {
    let sink = HeadSink()
    let request = HTTPRequest(
      .get, url, headers: ["Range": "bytes=0-0"], destination: .sink(sink, limit: .max))
    do throws(HTTPError) {
      return try await http.send(request)
    } catch {
      guard error.code == .sink, let head = sink.head else { throw failure(error) }
      return HTTPResponse(head: head)
    }
  }

  /// Whether a file begins as a web page, with markup that is not that of a FictionBook. Returns true if
  /// it cannot be requested.
  func sendsPage(_ url: WebURL) async throws(AdapterError) -> Bool {
    let count = 1_024
    let sink = HeadSink(byteCount: count)
    let request = HTTPRequest(
      .get, url, headers: ["Range": "bytes=0-\(count - 1)"], destination: .sink(sink, limit: .max))
    do throws(HTTPError) {
      guard try await http.send(request).isSuccess else { return true }
    } catch {
      if error.code == .cancelled { throw AdapterError(error) }
      guard error.code == .sink else { return true }
    }
    let head = String(decoding: sink.bytes, as: UTF8.self).lowercased()
    return head.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "<"
      && !head.contains("<fictionbook")
  }

  /// Whether the server sends a feed without the credential, so that it never asks for one that waits.
  func isOpen(_ url: WebURL) async throws(AdapterError) -> Bool {
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await http.send(
        HTTPRequest(
          .get, url, headers: ["Accept": CatalogClient.accept],
          destination: .memory(limit: CatalogClient.largestFeed), usesCredential: false))
    } catch {
      if error.code == .cancelled { throw AdapterError(error) }
      return false
    }
    // What cannot be read is not a feed.
    guard response.isSuccess, case .feed? = try? read(response) else { return false }
    return true
  }

  /// Requests the catalog's first feed after one URL was refused. Returns the error unchanged if
  /// the catalog refuses too, otherwise an error that concerns this URL only.
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
      body: FeedBytes.decoded(
        FeedBytes.withoutMessage(answer.body), contentType: answer.headers["Content-Type"] ?? ""))
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
        .malformed, "\(name(response.url)) sent something other than a catalog feed")
    }
  }

  private func readJSON(_ response: HTTPResponse) throws(AdapterError) -> CatalogDocument {
    let json = try decode(response.body, response.url)
    let reader = PublicationReader(url: response.url)
    if json["authentication"] != nil { throw refusal(response, 401) }
    if PublicationReader.isFeed(json) { return .feed(reader.feed(json)) }
    guard json["metadata"] != nil else {
      throw AdapterError(.malformed, "\(name(response.url)) sent JSON that is not a catalog feed")
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
          // An entry before the error may have lost its links, so that it only seems to offer no file.
          if !isWhole { feed.publications.removeAll { $0.ownLinks.isEmpty } }
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
    throw AdapterError(.malformed, "\(name(response.url)) sent XML that is not a catalog feed")
  }

  /// Parses strictly; if that fails, repairs character references; finally keeps what is
  /// well-formed and returns false with it.
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
      return try ForeignJSON.decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw AdapterError(
        .malformed, "\(name(url)) sent JSON that cannot be read", underlying: error)
    }
  }

  private func send(
    _ request: HTTPRequest, isFirst: Bool = false
  ) async throws(AdapterError) -> HTTPResponse {
    do throws(HTTPError) {
      return try await http.send(request)
    } catch {
      throw isFirst ? AdapterError(error) : failure(error)
    }
  }

  /// Names a page of the catalog for messages, without its query and without a key in its path.
  func name(_ url: WebURL) -> String {
    "the catalog at \(base.host) (\(CatalogAddress.shown(url)))"
  }
}
