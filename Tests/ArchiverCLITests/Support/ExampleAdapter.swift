import ArchiverCore

@testable import ArchiverCLI

/// A source for tests with a setting of every type.
struct ExampleAdapter: InteractiveLogin {
  struct Configuration: Decodable, Sendable {
    let url: WebURL
    let token: Secret
    let state: String
    let labels: [String]?
    let onlyHighlighted: Bool
    let pageSize: Int?
    let speed: Double?
    let headers: [String: Secret]?
  }

  static let kind = "example"
  static let properties = AdapterProperties(
    title: "Example", summary: "Made for tests",
    settings: [
      AdapterSetting(
        "url", .url, environment: "EXAMPLE_URL", isRequired: true, help: "Address of the server"),
      AdapterSetting(
        "token", .secret, environment: "EXAMPLE_TOKEN", isRequired: true, help: "Token"),
      AdapterSetting(
        "state", .choice(["all", "unread"]), environment: "EXAMPLE_STATE", option: "--state",
        defaultValue: "all", help: "Which items to take"),
      AdapterSetting(
        "labels", .list, environment: "EXAMPLE_LABELS", option: "--label", help: "Only these labels"
      ),
      AdapterSetting(
        "onlyHighlighted", .flag, option: "--only-highlighted", defaultValue: "false",
        help: "Only items with highlights"),
      AdapterSetting("pageSize", .integer(1...100), option: "--page-size", help: "Items per page"),
      AdapterSetting("speed", .number(0.5...9), help: "Requests per second"),
      AdapterSetting("headers", .headers, help: "Extra header fields"),
    ])

  let configuration: Configuration
  let context: AdapterContext

  static func access(_ configuration: Configuration) throws(AdapterError) -> SourceAccess {
    if configuration.url.host == "wrong.example" {
      throw AdapterError(.configuration, "the address is wrong")
    }
    return SourceAccess(baseURL: configuration.url, credential: .bearer(configuration.token))
  }

  init(configuration: Configuration, context: AdapterContext) throws(AdapterError) {
    self.configuration = configuration
    self.context = context
  }

  func listing(since checkpoint: Checkpoint?) -> PagedListing<Int> {
    let isRefused = configuration.token.reveal() == "unknown-key"
    return PagedListing(0) { (page: inout Int) throws(AdapterError) -> ListingPage? in
      if isRefused { throw AdapterError(.unauthorized, "The server refused the token") }
      page += 1
      return page == 1 ? ListingPage(total: 25) : nil
    }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    throw AdapterError(.notFound, "none")
  }

  static func logIn(
    baseURL: WebURL, context: AdapterContext, prompt: @Sendable (LoginPrompt) -> Void
  ) async throws(AdapterError) -> Secret {
    if baseURL.host == "old.example" {
      throw AdapterError(.configuration, "the server is too old for a login")
    }
    prompt(
      LoginPrompt(
        url: baseURL.appending("device"), code: "JNCW-XPKK", expiresIn: .seconds(300)))
    return Secret("granted-token")
  }
}

/// A second kind, without login.
struct FolderAdapter: SourceAdapter {
  struct Configuration: Decodable, Sendable {
    let path: String
  }

  static let kind = "folder"
  static let properties = AdapterProperties(
    title: "Folder", summary: "Files",
    settings: [
      AdapterSetting("path", .text, environment: "FOLDER_PATH", isRequired: true, help: "Folder")
    ])

  static func access(_ configuration: Configuration) throws(AdapterError) -> SourceAccess {
    guard let url = WebURL("http://localhost/") else {
      throw AdapterError(.configuration, "no address")
    }
    return SourceAccess(baseURL: url)
  }

  init(configuration: Configuration, context: AdapterContext) throws(AdapterError) {}

  func listing(since checkpoint: Checkpoint?) -> PagedListing<Int> {
    PagedListing(0) { (_: inout Int) throws(AdapterError) -> ListingPage? in nil }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    throw AdapterError(.notFound, "none")
  }
}
