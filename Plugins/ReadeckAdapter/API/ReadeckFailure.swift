import ArchiverCore

extension ReadeckAPI {
  /// Returns the error for an unsuccessful response; `nil` for a successful one.
  func failure(for response: HTTPResponse, _ path: String) -> AdapterError? {
    if let refusal = redirection(response) { return refusal }
    switch response.status {
    case 200..<300: return nil
    case 401 where isPage(response), 403 where isPage(response):
      return proxyRefusal(response.status)
    case 401:
      return AdapterError(
        .unauthorized,
        "Readeck at \(base.absoluteString) refused the token (401): set READECK_TOKEN to one made "
          + "at \(tokenPage), or run 'archiver login readeck'",
        underlying: UnexpectedStatus(status: 401))
    case 403:
      return AdapterError(
        .unauthorized,
        "Readeck at \(base.absoluteString) does not allow this token to read bookmarks (403): set "
          + "READECK_TOKEN to one with the role \u{201C}Bookmarks : Read Only\u{201D}, made at \(tokenPage)",
        underlying: UnexpectedStatus(status: 403))
    case 404, 410:
      return AdapterError(.notFound, "\(what(path)) does not exist (\(response.status))")
    case 422, 400:
      return AdapterError(
        .configuration, "\(what(path)) does not accept the request: \(complaint(response))")
    case 408, 429:
      return AdapterError(
        .rateLimited, "\(what(path)) asks to retry later (\(response.status))",
        retryAfter: response.headers.retryAfter(now: clock.now()))
    default:
      return AdapterError(
        .unavailable, "\(what(path)) failed with status \(response.status)",
        retryAfter: response.headers.retryAfter(now: clock.now()),
        underlying: UnexpectedStatus(status: response.status))
    }
  }

  /// The error for a token that may not write.
  var writeRefusal: AdapterError {
    AdapterError(
      .unauthorized,
      "Readeck at \(base.absoluteString) does not allow this token to add bookmarks (403): make one "
        + "with the roles \u{201C}Bookmarks : Read Only\u{201D} and \u{201C}Bookmarks : Write Only\u{201D} "
        + "at \(tokenPage)",
      underlying: UnexpectedStatus(status: 403))
  }

  /// Returns the error for a request of `count` bytes that the server or a proxy refused as too large.
  func sizeRefusal(_ count: Int) -> AdapterError {
    AdapterError(
      .tooLarge,
      "the server or a proxy in front of it does not take a request of \(count) bytes (413); nginx "
        + "takes 1 MB unless client_max_body_size says otherwise",
      underlying: UnexpectedStatus(status: 413))
  }

  /// Returns the error for a successful response of an unexpected type.
  func wrongType(
    _ response: HTTPResponse, _ path: String, _ accept: MediaType
  ) -> AdapterError {
    let type = response.mediaType.isEmpty ? "a response without a type" : response.mediaType
    let hint =
      response.mediaType == MediaType.html.rawValue
      ? ": READECK_URL must be the URL of Readeck itself, not of a login page in front of it"
      : ""
    return AdapterError(
      .malformed, "\(what(path)) sent \(type) where \(accept.rawValue) was expected\(hint)")
  }

  /// Whether a refusal is a web page. Readeck's API answers with JSON or plain text, so a page comes from a proxy.
  private func isPage(_ response: HTTPResponse) -> Bool {
    response.mediaType == MediaType.html.rawValue
  }

  private func proxyRefusal(_ status: Int) -> AdapterError {
    AdapterError(
      .unavailable,
      "a proxy or firewall in front of Readeck at \(base.absoluteString) refused the request "
        + "(\(status)); if it needs a key, set `headers`")
  }

  /// The page on which a user creates tokens.
  var tokenPage: String {
    base.resolving("profile/tokens")?.absoluteString ?? "Profile, API Tokens"
  }

  private func redirection(_ response: HTTPResponse) -> AdapterError? {
    let target = response.headers["Location"].flatMap(response.url.resolving)
    let isRedirect = (300..<400).contains(response.status) && response.status != 304
    let page = isRedirect ? target : response.url
    if let page, page.path.hasSuffix("/login") {
      return AdapterError(
        .configuration,
        "\(base.absoluteString) answered with a login page: READECK_URL must be the URL of "
          + "Readeck itself, with its path if it has one; a proxy that asks for a login needs "
          + "`headers`"
      )
    }
    guard isRedirect else { return nil }
    let place = target.map { "to \($0.withoutQuery.absoluteString)" } ?? "without saying where to"
    return AdapterError(
      .configuration,
      "\(base.absoluteString) redirects \(place): set READECK_URL to the final URL"
    )
  }

  /// Returns the server's validation errors or its message.
  private func complaint(_ response: HTTPResponse) -> String {
    let fault: JSONValue
    do {
      fault = try ForeignJSON.decode(JSONValue.self, from: Data(response.body))
    } catch {
      return "status \(response.status)"
    }
    let fields = (fault["fields"]?.object ?? [:]).sorted { $0.key < $1.key }
    let complaints = fields.flatMap { name, field in
      (field["errors"]?.array ?? []).compactMap(\.string).map { "\(name): \($0)" }
    }
    let general = (fault["errors"]?.array ?? []).compactMap(\.string)
    let all = complaints + general
    return all.isEmpty
      ? fault["message"]?.string ?? "status \(response.status)" : all.joined(separator: "; ")
  }
}

/// The status of an unsuccessful response, for callers that can fall back to another request.
struct UnexpectedStatus: Error, Hashable {
  let status: Int
}

extension AdapterError {
  /// Whether the server responded, even if with an error.
  var isAnswered: Bool {
    guard let code = (underlying as? HTTPError)?.code else { return true }
    return code == .truncated || code == .protocolError
  }

  /// Returns the error as a failure of one bookmark, after the source answered for others. A
  /// refused token (401) stays an error of the source.
  func ofOneBookmark(_ id: String) -> AdapterError {
    let status = (underlying as? UnexpectedStatus)?.status
    guard code == .configuration || code == .unauthorized, status != 401 else { return self }
    let reason = status.map { "the server refused the request (\($0))" } ?? message
    return AdapterError(
      .malformed, "Readeck does not return the bookmark \(id): \(reason)", underlying: underlying)
  }

  /// Whether a requested bookmark may be the cause: Readeck answers 500 if it cannot read one.
  var mayBeOneBookmark: Bool { (underlying as? UnexpectedStatus)?.status == 500 }
}
