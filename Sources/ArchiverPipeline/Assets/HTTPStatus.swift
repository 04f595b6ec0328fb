/// Descriptions of HTTP status codes (RFC 9110 section 15).
enum HTTPStatus {
  /// Returns the failure that an unsuccessful status means for a file.
  ///
  /// - Parameter isSigned: Whether the URL is presigned and may have expired.
  static func failure(_ status: Int, isSigned: Bool = false) -> AssetFailure {
    let isTransient = status >= 500 || status == 408 || status == 425 || status == 429
    let cause: AssetFailure.Cause =
      switch status {
      case 403: .refused
      case 404, 410: .gone
      default: .other
      }
    return AssetFailure(
      "the server answered \(description(status))", isTransient: isTransient,
      isExpired: isSigned && (status == 403 || status == 410), cause: cause)
  }

  private static func description(_ status: Int) -> String {
    guard let words = words[status] else { return "\(status)" }
    return "\(status) \(words)"
  }

  private static let words: [Int: String] = [
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
    410: "Gone", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
    421: "Misdirected Request",
    429: "Too Many Requests", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 520: "Web Server Error", 529: "Overloaded",
  ]
}
