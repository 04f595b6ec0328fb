package import ArchiverCore

/// The settings of a book catalog, as written in the configuration file.
package struct BookCatalogConfiguration: Decodable, Sendable {
  package var url: String
  package var user: String?
  package var password: Secret?
  package var token: Secret?
  /// `auto` or `basic`.
  package var login: String?
  /// Feeds to follow, by title or URL.
  package var feeds: [String]?
  /// Feeds to leave out, by title or URL.
  package var skipFeeds: [String]?
  /// Preferred first.
  package var formats: [String]?
  package var allFormats: Bool?
  /// Series, tags or feeds whose books are issues of magazines.
  package var magazines: [String]?
  package var headers: [String: String]?
  package var caFile: String?
  package var requestsPerSecond: Double?

  package init(url: String) {
    self.url = url
  }
}

extension BookCatalogConfiguration {
  /// Returns the catalog's URL.
  func baseURL() throws(AdapterError) -> WebURL {
    let text = url.trimmed
    guard !text.isEmpty, let url = WebURL(text.contains("://") ? text : "https://\(text)") else {
      throw AdapterError(
        .configuration,
        "BOOKS_URL is not an http or https URL: set it to the catalog's, such as "
          + "https://books.example.org/opds")
    }
    return url.withoutFragment
  }

  func credential() throws(AdapterError) -> Credential? {
    if let token, !token.isEmpty { return .bearer(token) }
    guard let user, !user.isEmpty else {
      if let password, !password.isEmpty {
        throw AdapterError(.configuration, "BOOKS_PASSWORD is set and BOOKS_USER is not: set both")
      }
      return nil
    }
    // Some catalogs identify a user by mail address and need no password.
    let password = password ?? Secret("")
    return login == "basic"
      ? .basic(user: user, password: password) : .negotiated(user: user, password: password)
  }

  func preferredFormats() throws(AdapterError) -> [BookFormat] {
    guard let formats, !formats.isEmpty else { return BookFormat.preferred }
    var known = [BookFormat]()
    for name in formats.flatMap({ $0.split(separator: ",") }).map({ String($0).trimmed }) {
      guard let format = BookFormat(rawValue: name.lowercased()) else {
        let names = BookFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw AdapterError(
          .configuration, "\"\(name)\" is not a book format: use \(names)")
      }
      known.append(format)
    }
    return known
  }
}
