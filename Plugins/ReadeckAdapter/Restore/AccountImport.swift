import ArchiverCore

/// Replaces an account by a file in Readeck's export format, like the page *Profile > Import*; since 0.20.
struct AccountImport {
  /// The path of the import, relative to the server's URL.
  static let path = "profile/import"
  /// The maximum time that the server may take to import a file after receiving it.
  private static let patience = Duration.seconds(3_600)

  let api: ReadeckAPI
  let facts: ServerFacts

  func account() async throws(AdapterError) -> ReplaceableAccount {
    guard try await facts.version() >= ServerVersion(0, 20) else {
      throw AdapterError(
        .configuration, "Readeck at \(api.base.absoluteString) cannot import: it is older than 0.20"
      )
    }
    let profile: JSONValue = try await api.value("profile")
    guard let name = profile["user"]?["username"]?.string, !name.isEmpty else {
      throw AdapterError(.malformed, "\(api.what("profile")) did not say whose account it is")
    }
    // With a token that has some roles only, the profile lacks the settings and the import is refused.
    guard let settings = profile["user"]?["settings"], settings.object != nil else {
      throw tokenRefusal
    }
    let list = try await api.get("bookmarks", [("limit", "1")])
    return ReplaceableAccount(
      name: name, items: list.headers["Total-Count"].flatMap { Int($0) }, settings: settings)
  }

  /// Sends a file. The server answers 303 if it has imported it, and 200 with an empty body if it cannot.
  func send(_ path: String, name: String) async throws(AdapterError) {
    guard let url = api.base.resolving(AccountImport.path), let size = FileSize.of(path) else {
      throw AdapterError(.malformed, "the file \(path) cannot be read")
    }
    var form = MultipartForm()
    form.add("check", name)
    form.beginFile("data", name: "readeck.zip", type: "application/zip")
    var headers: HTTPHeaders = ["Accept": MediaType.html.rawValue]
    headers["Content-Type"] = form.contentType
    let head = form.bytes
    form.endFile()
    let tail = Array(form.bytes[head.count...])
    var request = HTTPRequest(
      .post, url, headers: headers, redirectLimit: 0,
      timeouts: HTTPTimeouts(stall: AccountImport.patience))
    request.upload = FileSlice(path: path, byteCount: size, head: head, tail: tail)
    let response = try await api.send(request)
    if response.status == 303, isProfile(response) { return }
    throw failure(response, size: size)
  }

  /// Whether a response redirects to the profile, not to a login.
  private func isProfile(_ response: HTTPResponse) -> Bool {
    let target = response.headers["Location"].flatMap(response.url.resolving)
    return target?.path.hasSuffix("/profile") == true
  }

  private func failure(_ response: HTTPResponse, size: Int) -> AdapterError {
    let what = "Readeck at \(api.base.absoluteString) (/\(AccountImport.path))"
    switch response.status {
    case 401, 403: return tokenRefusal
    case 413: return api.sizeRefusal(size)
    case 200:
      return AdapterError(
        .malformed,
        "\(what) could not import the file; the account is as it was. The server's log has the reason"
      )
    case 303: return api.failure(for: response, AccountImport.path) ?? tokenRefusal
    case 404, 405:
      return AdapterError(.configuration, "\(what) does not exist (\(response.status))")
    case 422:
      return AdapterError(
        .configuration, "\(what) does not accept the file or the account's name (422)")
    default:
      return AdapterError(
        .unavailable,
        "\(what) failed with status \(response.status); whether the account was replaced is unknown"
      )
    }
  }

  private var tokenRefusal: AdapterError {
    AdapterError(
      .unauthorized,
      "this token may not replace the account: make one without any role ticked, which may do "
        + "everything, at \(api.tokenPage)")
  }
}
