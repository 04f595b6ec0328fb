package import ArchiverCore

/// Repeats requests after transient failures, within the limits of its policy.
///
/// Only repeatable requests are repeated, after a retryable `HTTPError` or one of the statuses 408,
/// 429, 500, 502, 503, 504 and 529. `Retry-After` is obeyed to the second; otherwise the delay is a
/// random part of a bound that doubles (full jitter). If the next attempt would start too late, the
/// last response or error is returned unchanged.
package struct RetryingHTTPClient: HTTPClient {
  private let next: any HTTPClient
  private let policy: RetryPolicy
  private let clock: ArchiverClock
  private let events: any EventSink
  private let jitter: @Sendable () -> Double

  /// `jitter` returns a number from 0 to 1: the part of the bound to wait.
  package init(
    _ next: any HTTPClient, policy: RetryPolicy = RetryPolicy(), clock: ArchiverClock = .system,
    events: any EventSink = SilentEventSink(),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.next = next
    self.policy = policy
    self.clock = clock
    self.events = events
    self.jitter = jitter
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let start = clock.now()
    var attempt = 1
    while true {
      let outcome = await self.outcome(of: request)
      guard request.isRepeatable, attempt < policy.attempts, let reason = reason(outcome) else {
        return try outcome.get()
      }
      let delay = self.delay(after: attempt, outcome)
      let spent = Duration.seconds(clock.now().timeIntervalSince(start))
      guard spent + delay <= policy.totalTime else { return try outcome.get() }
      attempt += 1
      events.send(
        .retrying(
          url: request.url.withoutQuery.absoluteString, attempt: attempt, delay: delay,
          reason: reason))
      try await sleep(delay, request)
    }
  }

  private func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, HTTPError> {
    do throws(HTTPError) {
      return .success(try await next.send(request))
    } catch {
      return .failure(error)
    }
  }

  private func reason(_ outcome: Result<HTTPResponse, HTTPError>) -> String? {
    switch outcome {
    case .success(let response):
      RetryPolicy.statuses.contains(response.status) ? "status \(response.status)" : nil
    case .failure(let error):
      error.isRetryable ? error.message : nil
    }
  }

  private func delay(after attempt: Int, _ outcome: Result<HTTPResponse, HTTPError>) -> Duration {
    if case .success(let response) = outcome,
      let delay = response.headers.retryAfter(now: clock.now())
    {
      return delay
    }
    return policy.longestBackoff(after: attempt) * min(max(jitter(), 0), 1)
  }

  private func sleep(_ delay: Duration, _ request: HTTPRequest) async throws(HTTPError) {
    do {
      try await clock.sleep(delay)
    } catch {
      throw .cancelled(request.url)
    }
  }
}
