package import ArchiverCore

/// The settings of a Notion source, as written in the configuration file.
package struct NotionConfiguration: Decodable, Sendable {
  package var token: Secret
  package var url: String?
  /// Ids or URLs of pages and databases; empty for everything shared with the integration.
  package var roots: [String]?
  /// Ids or URLs of pages and databases to leave out, with everything below them.
  package var excluded: [String]?
  package var apiVersion: String?
  package var requestsPerSecond: Double?
  /// `off`, `pages` or `blocks`.
  package var comments: String?
  /// `search`, `pages` or `everything`.
  package var discovery: String?

  package init(token: Secret) {
    self.token = token
  }
}

/// How pages are found in addition to search.
enum DiscoveryDepth: String, CaseIterable, Sendable {
  /// Search and the rows of databases only.
  case search
  /// The blocks of pages that are not rows are read too.
  case pages
  /// The blocks of every page are read, including rows.
  case everything
}

/// Which comments are read; each needs a request.
enum CommentScope: String, CaseIterable, Sendable {
  case off, pages, blocks
}

/// The validated settings of a Notion source.
struct NotionSettings: Sendable {
  let baseURL: WebURL
  let token: Secret
  let version: NotionVersion
  let roots: [NotionID]
  let excluded: Set<NotionID>
  let requestsPerSecond: Double
  let comments: CommentScope
  let depth: DiscoveryDepth

  init(_ configuration: NotionConfiguration) throws(AdapterError) {
    token = try NotionSettings.token(configuration.token)
    baseURL = try NotionSettings.baseURL(configuration.url)
    version = try NotionSettings.choice(configuration.apiVersion, .v2026, "apiVersion")
    comments = try NotionSettings.choice(configuration.comments, .pages, "comments")
    depth = try NotionSettings.choice(configuration.discovery, .pages, "discovery")
    roots = try NotionSettings.ids(configuration.roots, "NOTION_ROOTS")
    excluded = Set(try NotionSettings.ids(configuration.excluded, "excluded"))
    let rate = configuration.requestsPerSecond ?? 3
    guard rate > 0, rate.isFinite else {
      throw AdapterError(.configuration, "requestsPerSecond must be more than 0")
    }
    requestsPerSecond = rate
  }

  private static func token(_ secret: Secret) throws(AdapterError) -> Secret {
    let text = secret.reveal().filter { !$0.isWhitespace }
    guard !text.isEmpty else {
      throw AdapterError(
        .configuration,
        "NOTION_TOKEN is empty: make an internal integration at notion.so/profile/integrations "
          + "and set NOTION_TOKEN to its secret")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw AdapterError(
        .configuration,
        "NOTION_TOKEN contains invalid characters: copy only the token")
    }
    return Secret(text)
  }

  private static func baseURL(_ text: String?) throws(AdapterError) -> WebURL {
    let text = text ?? "https://api.notion.com"
    guard let url = WebURL(text) else {
      throw AdapterError(
        .configuration,
        "NOTION_API_URL is not an http or https URL: remove it, or set it to "
          + "https://api.notion.com")
    }
    return url.withoutQuery
  }

  private static func choice<Value: RawRepresentable & CaseIterable>(
    _ text: String?, _ standard: Value, _ name: String
  ) throws(AdapterError) -> Value where Value.RawValue == String {
    guard let text else { return standard }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw AdapterError(.configuration, "\(name) is \u{201C}\(text)\u{201D}; it can be \(known)")
    }
    return value
  }

  private static func ids(_ texts: [String]?, _ name: String) throws(AdapterError) -> [NotionID] {
    var ids: [NotionID] = []
    for text in texts ?? [] {
      guard let id = NotionAddress.id(in: text) else {
        throw AdapterError(
          .configuration,
          "\(name) names \u{201C}\(text)\u{201D}, which is neither an id nor the URL of a Notion "
            + "page or database")
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}

extension AdapterSetting {
  /// The settings of a Notion source, in the order in which they are shown.
  static let notion: [AdapterSetting] = [
    AdapterSetting(
      "token", .secret, environment: "NOTION_TOKEN", isRequired: true,
      help: "Secret of an internal integration, made at notion.so/profile/integrations"),
    AdapterSetting(
      "roots", .list, environment: "NOTION_ROOTS", option: "--root",
      help: "Pages and databases to archive with everything below them, by id or URL; by default "
        + "everything shared with the integration",
      example: "https://www.notion.so/Handbook-0123456789abcdef0123456789abcdef"),
    AdapterSetting(
      "excluded", .list, option: "--exclude",
      help: "Pages and databases to leave out with everything below them, by id or URL"),
    AdapterSetting(
      "comments", .choice(CommentScope.allCases.map(\.rawValue)), option: "--comments",
      defaultValue: CommentScope.pages.rawValue,
      help: "Open comments to read: on pages, or on every block with one request each"),
    AdapterSetting(
      "discovery", .choice(DiscoveryDepth.allCases.map(\.rawValue)), option: "--discovery",
      defaultValue: DiscoveryDepth.pages.rawValue,
      help: "Where to look for pages that search does not return: nowhere, in the blocks of "
        + "pages, or also in those of every row"),
    AdapterSetting(
      "requestsPerSecond", .number(0.1...100), defaultValue: "3",
      help: "Maximum requests per second to Notion"),
    AdapterSetting(
      "apiVersion", .choice(NotionVersion.allCases.map(\.rawValue)),
      defaultValue: NotionVersion.v2026.rawValue, help: "Version of Notion's API"),
    AdapterSetting(
      "url", .url, environment: "NOTION_API_URL", defaultValue: "https://api.notion.com",
      help: "URL of Notion's API; the path /v1 is added"),
  ]
}
