import ArchiverCore

/// OAuth's device authorization grant (RFC 8628) as implemented by Readeck.
struct DeviceLogin: Sendable {
  static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

  /// The URL that Readeck shows beside the program's name; it must be https on a public host. This
  /// page explains the login, and makes no claim about the program's author.
  static let about = "https://www.rfc-editor.org/rfc/rfc8628"
  /// A URL for servers without DNS, which cannot resolve the host of `about`. Its address is reserved for
  /// documentation (RFC 5737).
  static let aboutWithoutName = "https://192.0.2.1/"

  let api: ReadeckAPI

  /// Registers a client, which Readeck forgets after ten minutes, and requests a code.
  func begin() async throws(AdapterError) -> DeviceGrant {
    let client = try await register()
    var grant: DeviceGrant = try await submit(
      "oauth/device", ["client_id": .string(client.id), "scope": "bookmarks:read"])
    grant.clientID = client.id
    return grant
  }

  /// Polls until the user has decided.
  func token(_ grant: DeviceGrant) async throws(AdapterError) -> Secret {
    let deadline = api.clock.now().addingTimeInterval(Double(grant.lifetime))
    var interval = grant.interval
    while api.clock.now() < deadline {
      try await api.wait(.seconds(interval))
      let path = "oauth/token"
      let response = try await api.submit(
        path,
        [
          "grant_type": .string(DeviceLogin.grantType), "client_id": .string(grant.clientID),
          "device_code": .string(grant.deviceCode),
        ])
      if response.isSuccess {
        return Secret(try api.decode(GrantedToken.self, from: response, path).token)
      }
      switch errorWord(response) {
      case "authorization_pending": continue
      // RFC 8628 section 3.5: the interval increases by five seconds.
      case "slow_down": interval += 5
      case "access_denied":
        throw AdapterError(.unauthorized, "the login was refused in Readeck")
      case "expired_token": throw expired
      case let word: throw unexpected(response, path, word)
      }
    }
    throw expired
  }

  private var expired: AdapterError {
    AdapterError(.unauthorized, "the login was not approved in time; start it again")
  }

  private func register() async throws(AdapterError) -> RegisteredClient {
    let path = "oauth/client"
    var response = try await api.submit(path, metadata(DeviceLogin.about))
    if response.status == 400 {
      let other = try await api.submit(path, metadata(DeviceLogin.aboutWithoutName))
      if other.isSuccess { response = other }
    }
    guard response.isSuccess else { throw unexpected(response, path, errorWord(response)) }
    return try api.decode(RegisteredClient.self, from: response, path)
  }

  private func metadata(_ about: String) -> JSONValue {
    [
      "client_name": "archiver", "client_uri": .string(about),
      "software_id": "6f0a1e9c-6c5b-4a0e-9d0e-3d1b7a5c2f84", "software_version": "1",
      "grant_types": [.string(DeviceLogin.grantType)],
    ]
  }

  private func submit<T: Decodable>(
    _ path: String, _ body: JSONValue
  ) async throws(AdapterError) -> T {
    let response = try await api.submit(path, body)
    guard response.isSuccess else { throw unexpected(response, path, errorWord(response)) }
    return try api.decode(T.self, from: response, path)
  }

  private func unexpected(
    _ response: HTTPResponse, _ path: String, _ word: String
  ) -> AdapterError {
    // Messages about a token would be misleading here, because there is no token yet.
    let code: AdapterError.Code = response.status >= 500 ? .unavailable : .unauthorized
    let reason = word.isEmpty ? "status \(response.status)" : word
    return AdapterError(
      code,
      "\(api.what(path)) did not allow the login (\(reason)): make a token under Profile, "
        + "API Tokens and set READECK_TOKEN to it")
  }

  /// Returns `error` and `error_description` of a response; empty if it has neither.
  private func errorWord(_ response: HTTPResponse) -> String {
    do {
      let answer = try JSONDecoder().decode(JSONValue.self, from: Data(response.body))
      return answer["error"]?.string ?? ""
    } catch {
      return ""
    }
  }
}

/// The response of `POST /api/oauth/client`.
private struct RegisteredClient: Decodable {
  let id: String

  private enum CodingKeys: String, CodingKey { case id = "client_id" }
}

/// The response of `POST /api/oauth/device`.
struct DeviceGrant: Sendable, Decodable {
  var clientID = ""
  let deviceCode: String
  let userCode: String
  let place: String
  let completePlace: String?
  /// The lifetime of the codes in seconds.
  let lifetime: Int
  /// The polling interval in seconds.
  let interval: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    deviceCode = try container.decode(String.self, forKey: .deviceCode)
    userCode = try container.decode(String.self, forKey: .userCode)
    place = try container.decode(String.self, forKey: .place)
    completePlace = container.lenient(.completePlace)
    lifetime = min(max(container.lenient(.lifetime) ?? 300, 1), 3600)
    interval = min(max(container.lenient(.interval) ?? 5, 1), 60)
  }

  /// Returns the page for the user to open, on the configured server.
  func page(_ base: WebURL) -> WebURL? {
    guard let page = base.resolving(completePlace ?? place) else { return nil }
    let path = page.path.hasSuffix("/device") ? base.resolving("device")?.path : page.path
    return base.resolving(path ?? page.path)?.resolving(page.query.map { "?\($0)" } ?? "")
  }

  private enum Key: String, CodingKey {
    case deviceCode = "device_code"
    case userCode = "user_code"
    case place = "verification_uri"
    case completePlace = "verification_uri_complete"
    case lifetime = "expires_in"
    case interval
  }
}

/// The response of `POST /api/oauth/token`.
private struct GrantedToken: Decodable {
  let token: String

  private enum CodingKeys: String, CodingKey { case token = "access_token" }
}
