package import ArchiverCore

/// The settings of a Readeck source, as written.
package struct ReadeckConfiguration: Decodable, Sendable {
  package var url: String
  package var token: Secret
  /// `all`, `unread`, `archived` or `favourite`.
  package var state: String?
  package var labels: [String]?
  /// Id or name.
  package var collection: String?
  package var type: [String]?
  package var site: String?
  package var rangeStart: String?
  package var rangeEnd: String?
  package var readStatus: [String]?
  package var onlyHighlighted: Bool?
  /// Compared without case; `nil` pins nothing.
  package var pinLabel: String?
  /// Types of files to fetch from where they were bookmarked, where Readeck keeps nothing of them; only
  /// `pdf` is known.
  package var originals: [String]?
  package var headers: [String: String]?
  package var caFile: String?
  package var requestsPerSecond: Double?

  package init(url: String, token: Secret) {
    self.url = url
    self.token = token
  }
}

/// A type of file that Readeck cannot keep.
enum OriginalType: String, CaseIterable, Sendable {
  case pdf

  /// Whether a bookmark is of such a file, by its address: that of arXiv's has no ending.
  func isType(of address: WebURL) -> Bool {
    let parts = address.path.lowercased().split(separator: "/")
    return parts.last?.hasSuffix(".\(rawValue)") == true
      || parts.dropLast().contains { $0 == rawValue }
  }
}

extension ReadeckConfiguration {
  /// The types of `originals`; fails with `.configuration` for an unknown one.
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

  /// Returns the server's address as a folder: no `/api` and no query, a slash at the end.
  func baseURL() throws(AdapterError) -> WebURL {
    let text = url.contains("://") ? url : "https://\(url)"
    guard !url.allSatisfy(\.isWhitespace), let url = WebURL(text) else {
      throw AdapterError(
        .configuration,
        "READECK_URL is not an http or https address: set it to where Readeck answers, "
          + "such as https://read.example.org")
    }
    return ReadeckConfiguration.folder(url)
  }

  /// Returns an address without `/api`, query and fragment, with a slash at the end.
  static func folder(_ url: WebURL) -> WebURL {
    var path = url.path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    if path.hasSuffix("/api") { path = path.dropLast(4) }
    while path.hasSuffix("/") { path = path.dropLast() }
    return url.withoutQuery.resolving("\(path)/") ?? url.withoutQuery
  }

  /// Returns the token without the line end that Readeck's own download has.
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
        "READECK_TOKEN has characters that no token has: copy the token again and nothing else")
    }
    return Secret(String(trimmed))
  }
}
