import ArchiverCore

/// A source that dropped away in mid-run, or the network before it: waits until it answers again.
struct Outage: Sendable {
  /// How far a run is with it.
  enum State {
    case none
    /// It was noticed, and when.
    case noticed(Date)
    case waiting(Date)

    var isThere: Bool {
      if case .none = self { false } else { true }
    }
  }

  /// Between two questions.
  static let pause = Duration.seconds(5)

  let source: RunSource
  let clock: ArchiverClock
  /// When patience ends.
  let end: Date

  /// Returns whether the source answers again; false when patience, or the run, has ended first.
  func isOver() async -> Bool {
    while true {
      let left = end.timeIntervalSince(clock.now())
      guard left > 0 else { return false }
      do {
        try await clock.sleep(min(Outage.pause, .seconds(left)))
      } catch {
        return false
      }
      if await answers() { return true }
    }
  }

  private func answers() async -> Bool {
    // A source without a server cannot be probed: it is called again.
    guard let origin = source.origin, let url = WebURL("\(origin)/") else { return true }
    let timeouts = HTTPTimeouts(connect: .seconds(5), stall: .seconds(5), total: .seconds(10))
    do throws(HTTPError) {
      let response = try await source.client.send(
        HTTPRequest(
          .head, url, redirectLimit: 0, usesCredential: false, isRepeatable: false,
          timeouts: timeouts))
      return response.status < 500 && response.status != 429
    } catch {
      return false
    }
  }
}
