import ArchiverCore
import ArchiverTransport
import Synchronization

/// Makes the clients of sources from one engine, which starts with the first.
final class Transport: Sendable {
  /// Name and version of the program.
  private let product: String
  private let engine = Mutex<CurlEngine?>(nil)

  /// The number of connections for lists and items, in addition to those for downloads.
  private static let reserve = 8

  init(product: String) {
    self.product = product
  }

  /// Returns a client that limits the rate of requests and retries after transient failures; each
  /// attempt counts towards the rate.
  func client(_ request: Services.ClientRequest) -> any HTTPClient {
    let engine = engine(jobs: request.jobs, contact: request.contact)
    var client = engine.client(access: request.access, policy: request.policy)
    if let rate = request.access?.requestsPerSecond, let origin = request.access?.origin {
      client = RateLimitedHTTPClient(
        client, origin: origin, requestsPerSecond: rate, clock: request.clock)
    }
    return RetryingHTTPClient(client, clock: request.clock, events: request.events)
  }

  private func engine(jobs: Int, contact: String?) -> CurlEngine {
    engine.withLock { engine in
      if let engine { return engine }
      let made = CurlEngine(
        configuration: TransportConfiguration(
          userAgent: Transport.userAgent(product, contact: contact),
          maxConnections: max(32, jobs + Transport.reserve), maxDownloads: jobs))
      engine = made
      return made
    }
  }

  /// Returns the `User-Agent`: the program and, in a comment, the user's contact (RFC 9110 section
  /// 10.1.5).
  static func userAgent(_ product: String, contact: String?) -> String {
    contact.map { "\(product) (\($0))" } ?? product
  }
}
