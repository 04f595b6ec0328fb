/// Why a source could not do what it was asked.
public struct AdapterError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The task was cancelled.
    case cancelled
    /// The configuration cannot work: a missing or impossible value.
    case configuration
    /// The source refused the credential or what it may see.
    case unauthorized
    /// The source could not be reached or broke down.
    case unavailable
    /// The source asked to come back later; `retryAfter` says when.
    case rateLimited
    /// The item is gone from the source.
    case notFound
    /// The item exists but is not ready, such as one still being loaded.
    case notReady
    /// The answer is not what the source's API document promises.
    case malformed
    /// The item is larger than a limit.
    case tooLarge
  }

  public let code: Code
  /// One sentence that names the object and, if there is a remedy, what to do. Never a secret.
  public let message: String
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

  /// Whether the same call may succeed later without anyone changing anything.
  public var isRetryable: Bool {
    switch code {
    case .unavailable, .rateLimited, .notReady, .malformed: true
    case .cancelled, .configuration, .unauthorized, .notFound, .tooLarge: false
    }
  }

  /// Whether no other call to the source can succeed either.
  public var endsSource: Bool {
    switch code {
    case .cancelled, .configuration, .unauthorized: true
    case .unavailable, .rateLimited, .notFound, .notReady, .malformed, .tooLarge: false
    }
  }

  public var description: String { message }
}
