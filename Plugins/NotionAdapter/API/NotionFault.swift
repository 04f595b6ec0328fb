import ArchiverCore

/// What Notion answered in place of what was asked for.
struct NotionFault: Error, Sendable {
  let status: Int
  /// Notion's own word, such as `object_not_found`; empty when the body is not Notion's.
  let code: String
  let message: String
  let requestID: String?
  /// The data sources of a database that is too new for the API version in use.
  let childDataSources: [NotionID]

  init(_ response: HTTPResponse) {
    let body = try? JSONDecoder().decode(JSONValue.self, from: Data(response.body))  // an HTML page
    status = response.status
    code = body?["code"]?.string ?? ""
    message = body?["message"]?.string ?? ""
    requestID = body?["request_id"]?.string ?? response.headers["x-notion-request-id"]
    childDataSources = (body?["additional_data"]?["child_data_source_ids"]?.array ?? [])
      .compactMap { NotionID($0) }
  }

  /// Whether a smaller request may succeed: Notion ran out of time while building the answer.
  var isTooSlow: Bool {
    status == 400 && (message.contains("time budget") || message.contains("exponential backoff"))
  }

  /// Whether the same request may succeed at once.
  var isConflict: Bool { status == 409 }

  /// Says what happened to a request, in the words of the project.
  func error(about subject: String, retryAfter: Duration?) -> AdapterError {
    let reference = requestID.map { " (request \($0))" } ?? ""
    switch status {
    case 401:
      return failure(
        .unauthorized,
        "Notion refused the token: set NOTION_TOKEN to the secret of an integration, as shown at "
          + "notion.so/profile/integrations")
    case 403:
      return failure(
        .notFound,
        "The integration lacks the capability to read \(subject); "
          + "grant it at notion.so/profile/integrations\(reference)")
    case 404:
      return failure(
        .notFound, "\(subject) is not shared with the integration, or no longer there")
    case 429, 529:
      return failure(
        .rateLimited, "Notion asks to slow down; \(subject) was not read\(reference)",
        retryAfter: retryAfter)
    case 400 where !isTooSlow:
      let reason = message.isEmpty ? "" : ": \(message)"
      return failure(.malformed, "Notion rejected the request for \(subject)\(reason)\(reference)")
    default:
      return failure(
        .unavailable, "Notion answered \(status) to the request for \(subject)\(reference)")
    }
  }

  private func failure(
    _ code: AdapterError.Code, _ message: String, retryAfter: Duration? = nil
  ) -> AdapterError {
    AdapterError(code, message, retryAfter: retryAfter, underlying: self)
  }
}

extension AdapterError {
  /// What Notion answered, when it answered.
  var fault: NotionFault? { underlying as? NotionFault }

  /// Whether the answer was no error of Notion's and could not be understood all the same.
  var isUnreadable: Bool { code == .malformed && fault == nil }

  /// Whether the server answered, however badly, so that other objects may be read: unshared,
  /// deleted, without capability, rejected, or a failure at this object.
  var concernsOneObject: Bool {
    switch code {
    case .notFound, .malformed: true
    case .unavailable, .rateLimited: fault != nil || isCutOff
    default: false
    }
  }

  /// Whether the server was reached and its answer did not come whole.
  private var isCutOff: Bool {
    guard let error = underlying as? HTTPError else { return false }
    return switch error.code {
    case .timeout, .connectionLost, .truncated, .tooLarge, .protocolError, .redirectLoop: true
    default: false
    }
  }

  /// Whether the answer says nothing about the object, so that it may be read another time.
  var isPassing: Bool { code == .unavailable || code == .rateLimited || isUnreadable }

  /// Whether the object is withheld or gone.
  var isRefusal: Bool { concernsOneObject && !isPassing }
}
