import ArchiverCore

extension FakeReadeck {
  /// The user's decision about a login.
  package enum LoginDecision: Sendable {
    case none, agree, refuse, expire
  }
}

/// OAuth's device flow, which Readeck has since 0.21.
struct FakeReadeckLogin: Sendable {
  var decision = FakeReadeck.LoginDecision.none
  private var isRegistered = false
  private var hasCode = false
  /// The number of polls so far.
  private var polls = 0

  private static let clientID = "urn:uuid:0c3a5f0e-2b7d-4f4e-9c1a-7f5f6f0d1e2c"
  private static let deviceCode = "dc-4tq9"
  private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

  typealias Change = @Sendable (inout FakeReadeckLogin) -> ServerResponse

  /// Returns the effect of a request of the flow; `nil` for any other request.
  static func change(_ exchange: FakeReadeckExchange) -> Change? {
    guard exchange.behaviour.isAtLeast(0, 21), exchange.behaviour.outage == nil,
      !exchange.behaviour.isSomethingElse, exchange.request.method == "POST",
      let route = exchange.route, route.starts(with: ["api", "oauth"]), route.count == 3
    else { return nil }
    let fields: JSONValue
    do {
      fields = try JSONDecoder().decode(JSONValue.self, from: Data(exchange.request.body))
    } catch {
      return { _ in denial("invalid_request") }
    }
    switch route[2] {
    case "client":
      let resolvesNames = exchange.behaviour.resolvesNames
      return { $0.register(fields, resolvesNames: resolvesNames) }
    case "device": return { $0.device(fields, exchange.address) }
    case "token": return { $0.token(fields, exchange.behaviour.token) }
    default: return nil
    }
  }

  private mutating func register(_ fields: JSONValue, resolvesNames: Bool) -> ServerResponse {
    let uri = fields["client_uri"]?.string.flatMap { WebURL($0) }
    let isNamed = uri?.host.contains(where: \.isLetter) ?? false
    guard fields["client_name"]?.string?.isEmpty == false, uri?.scheme == "https",
      resolvesNames || !isNamed,
      fields["software_id"]?.string?.isEmpty == false,
      fields["software_version"]?.string?.isEmpty == false,
      fields["grant_types"]?[0]?.string == FakeReadeckLogin.grantType
    else { return FakeReadeckLogin.denial("invalid_client_metadata") }
    isRegistered = true
    return .json("{\"client_id\":\"\(FakeReadeckLogin.clientID)\"}", status: 201)
  }

  private mutating func device(_ fields: JSONValue, _ address: String) -> ServerResponse {
    guard isRegistered, fields["client_id"]?.string == FakeReadeckLogin.clientID,
      fields["scope"]?.string == "bookmarks:read"
    else { return FakeReadeckLogin.denial("invalid_client") }
    hasCode = true
    polls = 0
    return .json(
      "{\"device_code\":\"\(FakeReadeckLogin.deviceCode)\",\"user_code\":\"JNCWXPKK\","
        + "\"verification_uri\":\"\(address)/device\","
        + "\"verification_uri_complete\":\"\(address)/device?user_code=JNCWXPKK\","
        + "\"expires_in\":300,\"interval\":5}")
  }

  /// The second poll always counts as too fast.
  private mutating func token(_ fields: JSONValue, _ token: String) -> ServerResponse {
    guard hasCode, fields["device_code"]?.string == FakeReadeckLogin.deviceCode,
      fields["client_id"]?.string == FakeReadeckLogin.clientID,
      fields["grant_type"]?.string == FakeReadeckLogin.grantType
    else { return FakeReadeckLogin.denial("server_error", status: 500) }
    polls += 1
    if polls == 2 { return FakeReadeckLogin.denial("slow_down") }
    switch decision {
    case .none: return FakeReadeckLogin.denial("authorization_pending")
    case .refuse: return FakeReadeckLogin.denial("access_denied")
    case .expire: return FakeReadeckLogin.denial("expired_token")
    case .agree:
      return .json(
        "{\"id\":\"t1\",\"access_token\":\"\(token)\",\"token_type\":\"Bearer\","
          + "\"scope\":\"bookmarks:read\"}", status: 201)
    }
  }

  private static func denial(_ word: String, status: Int = 400) -> ServerResponse {
    .json("{\"error\":\"\(word)\"}", status: status)
  }
}
