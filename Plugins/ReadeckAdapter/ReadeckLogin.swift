package import ArchiverCore

extension ReadeckAdapter: InteractiveLogin {
  /// Requests a token with the role to read bookmarks by OAuth's device flow (RFC 8628), which
  /// Readeck has since 0.21.
  package static func logIn(
    baseURL: WebURL, context: AdapterContext, prompt: @Sendable (LoginPrompt) -> Void
  ) async throws(AdapterError) -> Secret {
    let base = ReadeckConfiguration.folder(baseURL)
    let api = ReadeckAPI(base: base, http: context.http, clock: context.clock)
    guard try await ServerFacts(api: api).version().hasDeviceLogin else {
      throw AdapterError(
        .configuration,
        "Readeck at \(base.absoluteString) is older than 0.21, which a login needs, or is not there: "
          + "make a token under Profile, API Tokens and set READECK_TOKEN to it")
    }
    let login = DeviceLogin(api: api)
    let grant = try await login.begin()
    guard let page = grant.page(base) else {
      throw AdapterError(
        .malformed, "Readeck at \(base.absoluteString) did not return a URL to approve the login")
    }
    prompt(LoginPrompt(url: page, code: grant.userCode, expiresIn: .seconds(grant.lifetime)))
    return try await login.token(grant)
  }
}
