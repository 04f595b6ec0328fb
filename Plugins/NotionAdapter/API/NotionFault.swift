import ArchiverCore

/// An error response of Notion.
struct NotionFault: Error, Sendable {
  let status: Int
  /// Notion's code, such as `object_not_found`; empty if the body is not Notion's.
  let code: String
  let message: String
  let requestID: String?
  /// The data sources of a database for which the API version in use is too old.
  let childDataSources: [NotionID]

  init(_ response: HTTPResponse) {
    let body = try? ForeignJSON.decode(JSONValue.self, from: Data(response.body))  // an HTML page
    status = response.status
    code = body?["code"]?.string ?? ""
    message = body?["message"]?.string ?? ""
    requestID = body?["request_id"]?.string ?? response.headers["x-notion-request-id"]
    childDataSources = (body?["additional_data"]?["child_data_source_ids"]?.array ?? [])
      .compactMap { NotionID($0) }
  }

  /// Whether a smaller request may succeed: Notion timed out while building the response.
  var isTooSlow: Bool {
    status == 400 && (message.contains("time budget") || message.contains("exponential backoff"))
  }

  /// Whether the cursor of a list is not accepted any more.
  var isOfCursor: Bool { status == 400 && message.contains("start_cursor") }

  /// Whether the same request may succeed at once.
  var isConflict: Bool { status == 409 }

  /// Returns the error of the source for a failed request.
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
        "the integration lacks the capability to read \(subject); "
          + "grant it at notion.so/profile/integrations\(reference)")
    case 404:
      return failure(
        .notFound, "\(subject) is not shared with the integration, or was deleted")
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
  /// Notion's error response, if there was a response.
  var fault: NotionFault? { underlying as? NotionFault }

  /// Whether a successful response could not be parsed.
  var isUnreadable: Bool { code == .malformed && fault == nil }

  /// Whether the server responded, so that other objects may be readable: the object is not shared
  /// or is deleted, a capability is missing, the request was rejected, or the server failed at this
  /// object.
  var concernsOneObject: Bool {
    switch code {
    case .notFound, .malformed: true
    case .unavailable, .rateLimited: fault != nil || isCutOff
    default: false
    }
  }

  /// Whether the response was incomplete.
  private var isCutOff: Bool {
    guard let error = underlying as? HTTPError else { return false }
    return switch error.code {
    case .timeout, .connectionLost, .truncated, .tooLarge, .protocolError, .redirectLoop: true
    default: false
    }
  }

  /// Whether the error is transient, so that the object may be readable later.
  var isPassing: Bool { code == .unavailable || code == .rateLimited || isUnreadable }

  /// Whether the object is not shared or is deleted.
  var isRefusal: Bool { concernsOneObject && !isPassing }
}
