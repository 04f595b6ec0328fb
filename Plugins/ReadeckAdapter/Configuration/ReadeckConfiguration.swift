package import ArchiverCore

/// The settings of a Readeck source, as written in the configuration file.
package struct ReadeckConfiguration: Decodable, Sendable {
  package var url: String
  package var token: Secret
  /// The state of bookmarks to list: `all`, `unread`, `archived` or `favourite`.
  package var state: String?
  package var labels: [String]?
  /// The id or name of the collection to list.
  package var collection: String?
  package var type: [String]?
  package var site: String?
  package var rangeStart: String?
  package var rangeEnd: String?
  package var readStatus: [String]?
  package var onlyHighlighted: Bool?
  /// The label of bookmarks to pin, compared ignoring case; `nil` pins nothing.
  package var pinLabel: String?
  /// Types of bookmarked files to fetch from their original URLs if Readeck stores no content; only
  /// `pdf` is supported.
  package var originals: [String]?
  package var headers: [String: String]?
  package var caFile: String?
  package var requestsPerSecond: Double?

  package init(url: String, token: Secret) {
    self.url = url
    self.token = token
  }
}

/// A type of file that Readeck does not store.
enum OriginalType: String, CaseIterable, Sendable {
  case pdf

  /// Whether a bookmarked URL is of such a file; arXiv's have no extension.
  func isType(of address: WebURL) -> Bool {
    let parts = address.path.lowercased().split(separator: "/")
    return parts.last?.hasSuffix(".\(rawValue)") == true
      || parts.dropLast().contains { $0 == rawValue }
  }
}

extension ReadeckConfiguration {
  /// Returns the types of `originals`; throws `.configuration` for an unknown one.
  func originalTypes() throws(AdapterError) -> Set<OriginalType> {
    var types: Set<OriginalType> = []
    for name in originals ?? [] {
      guard let type = OriginalType(rawValue: name.lowercased()) else {
        let known = OriginalType.allCases.map(\.rawValue).joined(separator: ", ")
        throw AdapterError(
          .configuration, "originals of Readeck cannot have \"\(name)\": choose from \(known)")
      }
      types.insert(type)
    }
    return types
  }

  /// Returns the server's URL without `/api` and query, with a trailing slash.
  func baseURL() throws(AdapterError) -> WebURL {
    let text = url.contains("://") ? url : "https://\(url)"
    guard !url.allSatisfy(\.isWhitespace), let url = WebURL(text) else {
      throw AdapterError(
        .configuration,
        "READECK_URL is not an http or https URL: set it to that of Readeck, such as "
          + "https://read.example.org")
    }
    return ReadeckConfiguration.folder(url)
  }

  /// Returns a URL without `/api`, query and fragment, with a trailing slash.
  static func folder(_ url: WebURL) -> WebURL {
    var path = url.path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    if path.hasSuffix("/api") { path = path.dropLast(4) }
    while path.hasSuffix("/") { path = path.dropLast() }
    return url.withoutQuery.resolving("\(path)/") ?? url.withoutQuery
  }

  /// Returns the token without the trailing line break of Readeck's download.
  func bearer() throws(AdapterError) -> Secret {
    let text = token.reveal()
    let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    guard !trimmed.isEmpty else {
      throw AdapterError(
        .configuration,
        "READECK_TOKEN is empty: make a token in Readeck under Profile, API Tokens")
    }
    guard trimmed.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
      throw AdapterError(
        .configuration,
        "READECK_TOKEN contains invalid characters: copy only the token")
    }
    return Secret(String(trimmed))
  }
}
