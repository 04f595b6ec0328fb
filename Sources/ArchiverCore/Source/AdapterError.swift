/// Why a call to a source failed.
public struct AdapterError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The task was cancelled.
    case cancelled
    /// The configuration is invalid: a missing or impossible value.
    case configuration
    /// The source refused the credential or its permissions.
    case unauthorized
    /// The source was unreachable or failed.
    case unavailable
    /// The source asked to retry later; `retryAfter` is the delay.
    case rateLimited
    /// The item was deleted at the source. No failure unless the listing still returns it after 8
    /// days: it then counts as failed.
    case notFound
    /// The item exists but is not ready, such as one still being loaded. No failure until it has not
    /// been ready for 8 days.
    case notReady
    /// The response does not conform to the source's API documentation.
    case malformed
    /// The item exceeds a limit.
    case tooLarge
  }

  public let code: Code
  /// One sentence that names the object and, if there is a remedy, what to do. Never a secret.
  public let message: String
  /// The delay that the source asks for; `HTTPHeaders.retryAfter` reads it.
  public let retryAfter: Duration?
  public let underlying: (any Error)?

  public init(
    _ code: Code, _ message: String, retryAfter: Duration? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
    self.underlying = underlying
  }

  /// Creates the error for a request without a response; returns an `AdapterError` of its sink unchanged.
  public init(_ error: HTTPError) {
    if error.code == .sink, let own = error.underlying as? AdapterError {
      self = own
      return
    }
    let code: Code =
      switch error.code {
      case .cancelled: .cancelled
      case .badURL, .addressDenied, .redirectRefused, .redirectLoop: .configuration
      case .tooLarge: .tooLarge
      case .protocolError: .malformed
      case .resolve, .connect, .tls, .timeout, .connectionLost, .truncated, .sink: .unavailable
      }
    self.init(code, error.message, underlying: error)
  }

  /// Whether the same call may succeed later without any change.
  public var isRetryable: Bool {
    switch code {
    case .unavailable, .rateLimited, .notReady, .malformed: true
    case .cancelled, .configuration, .unauthorized, .notFound, .tooLarge: false
    }
  }

  /// Whether every other call to the source would fail as well.
  public var endsSource: Bool {
    switch code {
    case .cancelled, .configuration, .unauthorized: true
    case .unavailable, .rateLimited, .notFound, .notReady, .malformed, .tooLarge: false
    }
  }

  public var description: String { message }
}
