/// Why a request has no complete response.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The task was cancelled.
    case cancelled
    /// The URL cannot be requested.
    case badURL
    /// The address policy denies the IP address.
    case addressDenied
    /// The name cannot be resolved.
    case resolve
    /// The connection could not be established.
    case connect
    /// TLS failed, or the certificate is not trusted.
    case tls
    /// The connect, stall or total time limit was exceeded.
    case timeout
    /// The connection was lost.
    case connectionLost
    /// The body ended before its declared length, or a chunked body before its last chunk.
    case truncated
    /// The body exceeds the caller's limit.
    case tooLarge
    /// Too many redirects, or a redirect loop.
    case redirectLoop
    /// A redirect to a scheme other than http and https, or from https to http with a credential.
    case redirectRefused
    /// The response is not valid HTTP, or its content coding is broken.
    case protocolError
    /// The sink threw, with `underlying` as its error, or the file to send cannot be read.
    case sink
  }

  public let code: Code
  /// One sentence that names the URL, without its query, and the failure.
  public let message: String
  /// The origin of the requested URL; `nil` if it is unknown.
  public let origin: Origin?
  public let underlying: (any Error)?

  public init(
    _ code: Code, _ message: String, origin: Origin? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.origin = origin
    self.underlying = underlying
  }

  /// Whether the same request may succeed later without any change.
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
