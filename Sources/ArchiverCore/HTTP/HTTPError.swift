/// Why a request got no complete response.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The task was cancelled.
    case cancelled
    /// The address cannot be requested as it is.
    case badURL
    /// The address policy forbids the address that the name led to.
    case addressDenied
    /// The name has no address.
    case resolve
    /// No connection could be made.
    case connect
    /// TLS failed or the certificate is not trusted.
    case tls
    /// The connection, the stall or the total time limit passed.
    case timeout
    /// The connection broke.
    case connectionLost
    /// The body ended before its announced length, or a chunked body before its end.
    case truncated
    /// The body is larger than the caller allows.
    case tooLarge
    /// Too many redirects, or one in a circle.
    case redirectLoop
    /// A redirect to something that is not http or https, or from https to http with a credential.
    case redirectRefused
    /// What came is not HTTP, or its encoding is broken.
    case protocolError
    /// The sink threw; `underlying` says what.
    case sink
  }

  public let code: Code
  /// One sentence that names the address, without its query, and what happened.
  public let message: String
  public let underlying: (any Error)?

  public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// Whether the same request may succeed later without anyone changing anything.
  public var isRetryable: Bool {
    switch code {
    case .resolve, .connect, .timeout, .connectionLost, .truncated: true
    case .cancelled, .badURL, .addressDenied, .tls, .tooLarge, .redirectLoop, .redirectRefused,
      .protocolError, .sink:
      false
    }
  }

  public var description: String { message }
}
