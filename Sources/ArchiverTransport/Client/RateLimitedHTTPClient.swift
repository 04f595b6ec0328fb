package import ArchiverCore

/// Limits the rate of requests to one origin; requests to others pass at once.
///
/// Copies share the limit. Requests are sent in order of arrival, at least `1 / requestsPerSecond`
/// apart. A request cancelled while it waits throws `.cancelled` and yields its turn.
package struct RateLimitedHTTPClient: HTTPClient {
  private let next: any HTTPClient
  private let origin: Origin
  private let bucket: TokenBucket

  package init(
    _ next: any HTTPClient, origin: Origin, requestsPerSecond: Double,
    clock: ArchiverClock = .system
  ) {
    self.next = next
    self.origin = origin
    bucket = TokenBucket(rate: requestsPerSecond, clock: clock)
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    if request.url.origin == origin {
      do {
        try await bucket.take()
      } catch {
        throw .cancelled(request.url)
      }
    }
    return try await next.send(request)
  }
}
