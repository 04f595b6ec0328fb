import ArchiverCore

/// How the process speaks HTTP; the same for every source.
///
/// A proxy is taken from the environment as curl does: `http_proxy` (lower-case only),
/// `https_proxy`, `all_proxy`, `no_proxy`.
package struct TransportConfiguration: Sendable {
  /// The `User-Agent` of every request.
  package var userAgent: String
  /// Most requests on the way at the same time; the others wait in the order they came.
  package var maxConnections: Int
  /// Most requests on the way to one host and port at the same time.
  package var maxConnectionsPerHost: Int
  /// Most of them whose body goes to a sink: so downloads leave room for what is short.
  package var maxDownloads: Int
  /// Replaces the look-up of a name, for tests: returns the addresses of a host as text, or `nil`
  /// to leave that host to the system. Called once for each request to a name.
  package var resolver: (@Sendable (_ host: String) -> [String]?)?
  /// The environment that names the proxy.
  package var environment: [String: String]

  package init(
    userAgent: String, maxConnections: Int = 32, maxConnectionsPerHost: Int = 32,
    maxDownloads: Int = 32, resolver: (@Sendable (_ host: String) -> [String]?)? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.userAgent = userAgent
    self.maxConnections = max(1, maxConnections)
    self.maxConnectionsPerHost = max(1, maxConnectionsPerHost)
    self.maxDownloads = max(1, maxDownloads)
    self.resolver = resolver
    self.environment = environment
  }
}
