import ArchiverCore

/// A request with the state of the content at its arrival.
struct FakeReadeckExchange: Sendable {
  let request: ServerRequest
  let library: FakeReadeck.Library

  var behaviour: FakeReadeck.Behaviour { library.behaviour }

  /// The URL that the server uses for itself, without a trailing slash.
  var address: String {
    if let claimed = behaviour.claimedAddress { return claimed }
    let scheme = request.headers["X-Forwarded-Proto"] ?? "http"
    return "\(scheme)://\(request.headers["Host"] ?? "localhost")\(behaviour.prefix)"
  }

  /// The path's segments after the prefix; `nil` if the request is not for the server.
  var route: [String]? {
    let segments = request.segments
    let prefix = behaviour.prefix.split(separator: "/").map(String.init)
    return segments.starts(with: prefix) ? Array(segments.dropFirst(prefix.count)) : nil
  }

  func response() -> ServerResponse {
    if let outage = behaviour.outage {
      var response = failure(outage.status)
      if let seconds = outage.retryAfter { response.headers["Retry-After"] = "\(seconds)" }
      return response
    }
    guard !behaviour.isSomethingElse, let route else { return page("Welcome", status: 200) }
    switch route.first {
    case "bm": return file(Array(route.dropFirst()))
    case "api": return api(Array(route.dropFirst()))
    case "login": return page("Sign in", status: 200)
    default: return page("Not found", status: 404)
    }
  }

  private func api(_ route: [String]) -> ServerResponse {
    if route == ["info"] { return info() }
    guard isAuthorized else {
      if behaviour.redirectsToLogin { return .redirect("\(behaviour.prefix)/login", status: 303) }
      var response = failure(401)
      response.headers.append("Www-Authenticate", "Basic realm=\"Readeck Authentication\"")
      response.headers.append("Www-Authenticate", "Bearer realm=\"Bearer token\"")
      return response
    }
    guard !behaviour.forbidsReading else { return failure(403) }
    switch (request.method, route.first, route.dropFirst().first) {
    case ("GET", "profile", nil): return profile()
    case ("GET", "bookmarks", nil): return list()
    case ("GET", "bookmarks", "annotations"): return allHighlights()
    case ("GET", "bookmarks", "labels"): return labels()
    case ("GET", "bookmarks", "collections"): return collections(Array(route.dropFirst(2)))
    case ("GET", "bookmarks", "sync") where behaviour.isAtLeast(0, 20): return syncList()
    case ("POST", "bookmarks", "sync") where behaviour.isAtLeast(0, 20): return syncContent()
    case ("GET", "bookmarks", .some(let id)): return bookmark(id, Array(route.dropFirst(2)))
    case ("POST", "bookmarks", nil): return failure(403)
    default: return failure(404)
    }
  }

  private var isAuthorized: Bool {
    request.headers["Authorization"] == "Bearer \(behaviour.token)"
  }

  private func info() -> ServerResponse {
    guard behaviour.isAtLeast(0, 20) else { return page("Not found", status: 404) }
    let version = behaviour.versionText
    let features = behaviour.isAtLeast(0, 21) ? "[\"oauth\"]" : "[]"
    return json(
      "{\"version\":{\"canonical\":\"\(version)\",\"release\":\"\(version)\",\"build\":\"\"},"
        + "\"features\":\(features)}")
  }

  /// A token with roles does not get the settings.
  private func profile() -> ServerResponse {
    var user = [("username", JSONText.string(library.user.name))]
    if behaviour.allowsEverything,
      let settings = try? JSONEncoder().encode(library.user.settings)
    {
      user.append(("created", JSONText.string("2025-01-01T00:00:00Z")))
      user.append(("settings", String(decoding: settings, as: UTF8.self)))
    }
    return json(
      "{\"provider\":{\"name\":\"bearer token\",\"id\":\"\",\"application\":\"archiver\","
        + "\"roles\":[\"scoped_bookmarks_r\"],\"permissions\":[\"api:bookmarks:read\"]},"
        + "\"user\":\(JSONText.object(user))}")
  }
}

extension FakeReadeckExchange {
  func json(_ text: String, headers: [(String, String)] = []) -> ServerResponse {
    var fields: HTTPHeaders = ["Cache-Control": "private"]
    for (name, value) in headers { fields.append(name, value) }
    fields["Content-Type"] = "application/json; charset=utf-8"
    return .json(text, headers: fields).typed("application/json; charset=utf-8")
  }

  /// Returns an error in Readeck's form: as JSON only for clients that accept it.
  func failure(_ status: Int) -> ServerResponse {
    let messages = [
      400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
      405: "Method Not Allowed", 429: "Too Many Requests", 500: "Internal Server Error",
      502: "Bad Gateway", 503: "Service Unavailable",
    ]
    let message = messages[status] ?? "Error"
    guard request.headers["Accept"]?.contains("application/json") == true else {
      return .text(message, status: status)
    }
    let text = "{\"status\":\(status),\"message\":\"\(message)\"}"
    return .json(text, status: status).typed("application/json; charset=utf-8")
  }

  /// Returns the response to a form with invalid fields.
  func invalid(_ field: String, _ value: String, _ message: String) -> ServerResponse {
    let text =
      "{\"is_valid\":false,\"errors\":null,\"fields\":{\"\(field)\":{\"is_null\":false,"
      + "\"is_bound\":true,\"value\":\(JSONText.string(value)),"
      + "\"errors\":[\(JSONText.string(message))]}}}"
    return .json(text, status: 422).typed("application/json; charset=utf-8")
  }

  func page(_ title: String, status: Int) -> ServerResponse {
    .text(
      "<!DOCTYPE html><html><head><title>\(title)</title></head><body>\(title)</body></html>",
      type: "text/html; charset=utf-8", status: status)
  }
}

extension ServerResponse {
  func typed(_ type: String) -> ServerResponse {
    var response = self
    response.headers["Content-Type"] = type
    return response
  }
}
