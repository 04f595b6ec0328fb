import ArchiverCore

/// Readeck's HTTP API: builds requests, checks responses and decodes JSON.
struct ReadeckAPI: Sendable {
  /// A field of the query.
  typealias Field = (name: String, value: String)

  /// The server's URL with a trailing slash.
  let base: WebURL
  let http: any HTTPClient
  var clock = ArchiverClock.system

  /// Sends a GET request and returns a successful response of the expected type.
  func get(
    _ path: String, _ query: [Field] = [], accept: MediaType = .json
  ) async throws(AdapterError) -> HTTPResponse {
    let url = address(path, query)
    return try await checked(
      HTTPRequest(.get, url, headers: accept.headers, redirectLimit: 0), path, accept)
  }

  /// Sends a GET request and streams a successful response to a sink, which enforces a size limit.
  /// Rethrows an `AdapterError` of the sink unchanged.
  func get(
    _ path: String, _ query: [Field], into sink: any BodySink
  ) async throws(AdapterError) {
    let accept = MediaType.json
    _ = try await checked(
      HTTPRequest(
        .get, address(path, query), headers: accept.headers,
        destination: .sink(sink, limit: .max), redirectLimit: 0), path, accept)
  }

  /// Sends a POST request with JSON that changes nothing on the server.
  func ask(
    _ path: String, _ body: JSONValue, accept: MediaType
  ) async throws(AdapterError) -> HTTPResponse {
    try await checked(post(path, body, accept: accept, isRepeatable: true), path, accept)
  }

  /// Sends a POST request with JSON and returns the response whatever its status.
  func submit(_ path: String, _ body: JSONValue) async throws(AdapterError) -> HTTPResponse {
    try await send(post(path, body, accept: .json, isRepeatable: false))
  }

  /// Sends a form (`multipart/form-data`) and returns a successful response. It is not repeated.
  func send(_ form: MultipartForm, _ path: String) async throws(AdapterError) -> HTTPResponse {
    var headers = MediaType.json.headers
    headers["Content-Type"] = form.contentType
    return try await written(
      HTTPRequest(.post, address(path), headers: headers, body: form.bytes, redirectLimit: 0), path)
  }

  /// Sends JSON with a method that changes the server, and returns a successful response.
  func write(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue
  ) async throws(AdapterError) -> HTTPResponse {
    var request = try post(path, body, accept: .json, isRepeatable: method != .post)
    request.method = method
    return try await written(request, path)
  }

  func delete(_ path: String) async throws(AdapterError) {
    _ = try await written(
      HTTPRequest(.delete, address(path), headers: MediaType.json.headers, redirectLimit: 0), path)
  }

  private func written(
    _ request: HTTPRequest, _ path: String
  ) async throws(AdapterError) -> HTTPResponse {
    let response = try await send(request)
    if response.status == 403 { throw writeRefusal }
    if response.status == 413 { throw sizeRefusal(request.body?.count ?? 0) }
    if let failure = failure(for: response, path) { throw failure }
    return response
  }

  /// Decodes a JSON response.
  func decode<T: Decodable>(
    _ type: T.Type, from response: HTTPResponse, _ path: String
  ) throws(AdapterError) -> T {
    do {
      return try ForeignJSON.decode(type, from: Data(response.body))
    } catch {
      throw malformed(error, path)
    }
  }

  /// Returns the error for a response that could not be decoded.
  func malformed(_ error: any Error, _ path: String) -> AdapterError {
    AdapterError(
      .malformed, "\(what(path)) sent an invalid response: \(error.sentence)",
      underlying: error)
  }

  /// The maximum number of pages of a list: a server that ignores `offset` would never end it.
  private static let mostPages = 1_000

  /// Fetches all pages of a small list. Returns its elements and a sentence for each that was left out.
  func all<Element: Decodable & Sendable>(
    _ path: String
  ) async throws(AdapterError) -> (elements: [Element], faults: [String]) {
    var elements: [Element] = []
    var faults: [String] = []
    var offset = 0
    for _ in 0..<ReadeckAPI.mostPages {
      let response = try await get(path, offset == 0 ? [] : [("offset", "\(offset)")])
      let page = try decode(LenientArray<Element>.self, from: response, path)
      elements += page.elements
      faults += page.faults
      offset += page.count
      let total = response.headers["Total-Count"].flatMap { Int($0) }
      if page.count == 0 || offset >= total ?? offset { return (elements, faults) }
    }
    return (elements, faults + ["/api/\(path) did not end after \(ReadeckAPI.mostPages) pages"])
  }

  /// Sends a GET request and decodes the response.
  func value<T: Decodable>(
    _ path: String, _ query: [Field] = []
  ) async throws(AdapterError) -> T {
    try decode(T.self, from: try await get(path, query), path)
  }

  func address(_ path: String, _ query: [Field] = []) -> WebURL {
    (base.resolving("api/\(path)") ?? base).settingQuery(query)
  }

  /// Names a request for messages.
  func what(_ path: String) -> String {
    "Readeck at \(base.absoluteString) (/api/\(path))"
  }

  private func post(
    _ path: String, _ body: JSONValue, accept: MediaType, isRepeatable: Bool
  ) throws(AdapterError) -> HTTPRequest {
    var headers = accept.headers
    headers["Content-Type"] = "application/json"
    let bytes: [UInt8]
    do {
      bytes = Array(try JSONEncoder().encode(body))
    } catch {
      throw AdapterError(.malformed, "a request to Readeck cannot be written", underlying: error)
    }
    return HTTPRequest(
      .post, address(path), headers: headers, body: bytes,
      destination: .memory(limit: MediaType.contentLimit), redirectLimit: 0,
      isRepeatable: isRepeatable)
  }

  private func checked(
    _ request: HTTPRequest, _ path: String, _ accept: MediaType
  ) async throws(AdapterError) -> HTTPResponse {
    let response = try await send(request)
    if let failure = failure(for: response, path) { throw failure }
    guard accept.matches(response) else { throw wrongType(response, path, accept) }
    return response
  }

  /// Waits; throws `.cancelled` if the task is cancelled.
  func wait(_ pause: Duration) async throws(AdapterError) {
    do {
      try await clock.sleep(pause)
    } catch {
      throw AdapterError(.cancelled, "Cancelled", underlying: error)
    }
  }

  /// Sends a request and returns the response whatever its status.
  func send(_ request: HTTPRequest) async throws(AdapterError) -> HTTPResponse {
    do throws(HTTPError) {
      return try await http.send(request)
    } catch {
      throw AdapterError(error)
    }
  }
}

/// The expected type of a response.
enum MediaType: String, Sendable {
  case json = "application/json"
  case html = "text/html"
  case multipart = "multipart/mixed"

  /// The maximum size in bytes of a response with the content of several bookmarks.
  static let contentLimit = 256_000_000

  // Without JSON among the accepted types, Readeck writes its errors as plain text.
  var headers: HTTPHeaders {
    ["Accept": self == .json ? rawValue : "\(rawValue), application/json;q=0.5"]
  }

  func matches(_ response: HTTPResponse) -> Bool {
    // The response for a missing article has neither a type nor a body.
    response.mediaType == rawValue || (self == .html && response.body.isEmpty)
  }
}
