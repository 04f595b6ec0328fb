import ArchiverCore

/// The HTTP settings of the process; the same for every source.
///
/// A proxy is taken from the environment as curl does: `http_proxy` (lower case only),
/// `https_proxy`, `all_proxy`, `no_proxy`.
package struct TransportConfiguration: Sendable {
  /// The `User-Agent` of every request.
  package var userAgent: String
  /// The maximum number of requests in flight; others wait in order of arrival.
  package var maxConnections: Int
  /// The maximum number of those whose body goes to a sink, so that short requests do not queue
  /// behind downloads.
  package var maxDownloads: Int
  /// Replaces name resolution, for tests: returns the addresses of a host as text, or `nil` to let
  /// the system resolve it. Called once per request to a name.
  package var resolver: (@Sendable (_ host: String) -> [String]?)?
  /// The environment that names the proxy.
  package var environment: [String: String]

  package init(
    userAgent: String, maxConnections: Int = 32, maxDownloads: Int = 32,
    resolver: (@Sendable (_ host: String) -> [String]?)? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.userAgent = userAgent
    self.maxConnections = max(1, maxConnections)
    self.maxDownloads = max(1, maxDownloads)
    self.resolver = resolver
    self.environment = environment
  }
}
