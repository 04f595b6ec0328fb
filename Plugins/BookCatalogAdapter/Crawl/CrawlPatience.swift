import ArchiverCore

/// How long a crawl waits for a server that does not respond, such as one that restarts.
///
/// The limit holds for all outages of a crawl together. An outage lasts from the first failed request
/// to the next successful one and includes the time of the requests in it.
struct CrawlPatience: Sendable {
  /// The first pause of an outage. Each further one is twice as long.
  static let firstPause = Duration.seconds(10)
  static let limit = Duration.seconds(150)

  private var left = CrawlPatience.limit
  private var pause = CrawlPatience.firstPause
  /// When the outage began; `nil` if there is none.
  private var since: Date?
  /// The sum of the outage's pauses, which counts if the clock is set back.
  private var paused = Duration.zero

  /// Records a failed request.
  mutating func failed(at now: Date) {
    since = since ?? now
  }

  /// Ends the outage after a successful request.
  mutating func recovered(at now: Date) {
    left = remaining(at: now)
    since = nil
    paused = .zero
    pause = CrawlPatience.firstPause
  }

  /// Returns how long the crawl may still wait.
  func remaining(at now: Date) -> Duration {
    guard let since else { return left }
    let elapsed = Duration.seconds(min(max(0, now.timeIntervalSince(since)), 86_400))
    return max(.zero, left - max(paused, elapsed))
  }

  /// Returns the next pause, at least as long as the server asks for; `nil` once the limit is reached.
  mutating func nextPause(at now: Date, asked: Duration?) -> Duration? {
    let remaining = remaining(at: now)
    guard remaining > .zero else { return nil }
    let next = min(max(pause, asked ?? .zero), remaining)
    paused += next
    pause *= 2
    return next
  }
}
