import ArchiverCore

extension CatalogClient {
  /// Returns the error for an unsuccessful response; `nil` for a successful one.
  ///
  /// Only the catalog's own server can refuse the login. A refusal of another host after a
  /// redirect, or a 403 after the first feed, concerns one URL only.
  func failure(
    for response: HTTPResponse, _ url: WebURL, isFirst: Bool = false
  ) -> AdapterError? {
    switch response.status {
    case 200..<300: return nil
    case 401, 403, 407:
      let isOurs = response.url.host == base.host
      if isOurs, isFirst || response.status != 403 { return refusal(response, response.status) }
      return AdapterError(.unavailable, "\(name(url)) was refused (\(response.status))")
    case 404, 410:
      return AdapterError(.notFound, "\(name(url)) does not exist (\(response.status))")
    case 408, 429:
      return AdapterError(
        .rateLimited, "\(name(url)) asks to retry later (\(response.status))",
        retryAfter: response.headers.retryAfter(now: clock.now()))
    case 400 where hasCredential:
      return AdapterError(
        .unauthorized,
        "\(name(url)) does not accept this kind of login (400): set login to \"auto\"")
    default:
      return AdapterError(
        .unavailable, "\(name(url)) failed with status \(response.status)",
        retryAfter: response.headers.retryAfter(now: clock.now()),
        underlying: CatalogStatus(status: response.status))
    }
  }

  /// Returns the error for a request without a response. That another host than the catalog's does not respond,
  /// such as the target of a redirect, concerns one URL only.
  func failure(_ error: HTTPError) -> AdapterError {
    let failure = AdapterError(error)
    guard failure.code == .unavailable, isOfAnotherHost(failure) else { return failure }
    return AdapterError(.malformed, failure.message, underlying: error)
  }

  /// Whether another host than the catalog's gave no response.
  func isOfAnotherHost(_ failure: AdapterError) -> Bool {
    (failure.underlying as? HTTPError)?.origin.map { $0.host != base.host } ?? false
  }

  /// Returns the error for a response that requires or refuses a login. It ends the run: servers
  /// lock an account after a few attempts.
  func refusal(_ response: HTTPResponse, _ status: Int) -> AdapterError {
    let place = CatalogAddress.shown(response.url)
    let text = String(decoding: response.body.prefix(200), as: UTF8.self)
    if text.contains("Too many login attempts") {
      return AdapterError(
        .unauthorized,
        "the catalog at \(place) has locked this address after too many logins: wait, then check "
          + "BOOKS_USER and BOOKS_PASSWORD")
    }
    let kinds = flows(response)
    if !kinds.isEmpty, !kinds.contains(where: { $0.hasSuffix("/basic") || $0.hasSuffix("/digest") })
    {
      return AdapterError(
        .unauthorized,
        "the catalog at \(place) requires another kind of login "
          + "(\(kinds.joined(separator: ", "))): set BOOKS_TOKEN, or a key in headers")
    }
    let advice =
      hasCredential
      ? "refused the login (\(status)): check BOOKS_USER and BOOKS_PASSWORD"
      : "asks for a login (\(status)): set BOOKS_USER and BOOKS_PASSWORD"
    return AdapterError(.unauthorized, "the catalog at \(place) \(advice)")
  }

  /// Returns the login methods in an authentication document (Authentication for OPDS 1.0).
  private func flows(_ response: HTTPResponse) -> [String] {
    guard response.body.first == 0x7B else { return [] }
    do {
      let json = try ForeignJSON.decode(JSONValue.self, from: Data(response.body))
      return (json["authentication"]?.array ?? []).compactMap { $0["type"]?.string }
    } catch {
      // The body is not such a document; the status suffices.
      return []
    }
  }
}

extension AdapterError {
  /// Returns it as a failure of one book only: that the book's own URL is invalid or may not be
  /// requested says nothing about other books.
  var ofOneBook: AdapterError {
    guard code == .configuration, underlying is HTTPError else { return self }
    return AdapterError(.malformed, message, underlying: underlying)
  }

  /// Whether the crawl may continue after this error. It may concern the whole source, so that
  /// several in a row end the listing.
  var mayBeAboutOneFeed: Bool {
    code != .cancelled && !(code == .configuration && underlying == nil)
  }

  /// Whether the catalog responded, though with an error, so that other feeds may be readable.
  var isAboutOneFeed: Bool {
    switch code {
    case .notFound, .malformed, .tooLarge: true
    case .unavailable: !(underlying is HTTPError)
    case .configuration: underlying is HTTPError
    case .cancelled, .unauthorized, .rateLimited, .notReady: false
    }
  }
}
