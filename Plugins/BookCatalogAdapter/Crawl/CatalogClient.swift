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
  func document(_ url: WebURL) async throws(AdapterError) -> (CatalogDocument, WebURL) {
    let response = try await send(
      HTTPRequest(
        .get, url, headers: ["Accept": CatalogClient.accept],
        destination: .memory(limit: 32_000_000)))
    if let failure = failure(for: response, url) { throw failure }
    return (try read(response), response.url)
  }

  /// Fetches JSON that only calibre has.
  func json(_ url: WebURL) async throws(AdapterError) -> JSONValue {
    let response = try await send(HTTPRequest(.get, url, destination: .memory(limit: 8_000_000)))
    if let failure = failure(for: response, url) { throw failure }
    return try decode(response.body, url)
  }

  /// Asks for the head of a file; `nil` where the server answers no such question.
  func head(_ url: WebURL) async throws(AdapterError) -> HTTPResponse? {
    let response = try await send(HTTPRequest(.head, url))
    switch response.status {
    case 200..<300: return response
    case 401, 403, 404, 410, 429:
      if let failure = failure(for: response, url) { throw failure }
      return nil
    default: return nil
    }
  }

  private func read(_ response: HTTPResponse) throws(AdapterError) -> CatalogDocument {
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
      let root = try document(response.body).root
      let reader = AtomReader(url: response.url)
      switch root?.name {
      case "feed": if let root { return .feed(reader.feed(root)) }
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

  /// Parses strictly; where that fails, keeps what is well formed.
  private func document(_ bytes: [UInt8]) throws(MarkupError) -> XMLDocument {
    do throws(MarkupError) {
      return try XMLDocument(bytes)
    } catch  where error.code == .malformed {
      return try XMLDocument(bytes, recovering: true)
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
