import ArchiverCore

/// Waits until a source that became unreachable during the run responds again.
struct Outage: Sendable {
  /// The state of an outage.
  enum State {
    case none
    /// Noticed, at this time.
    case noticed(Date)
    case waiting(Date)

    var isThere: Bool {
      if case .none = self { false } else { true }
    }
  }

  /// The interval between two probes.
  static let pause = Duration.seconds(5)

  let source: RunSource
  let clock: ArchiverClock
  /// When to give up.
  let end: Date

  /// Returns true once the source responds, or false if the time or the run ends first.
  func isOver() async -> Bool {
    while true {
      let left = end.timeIntervalSince(clock.now())
      guard left > 0 else { return false }
      do {
        try await clock.sleep(min(Outage.pause, .seconds(left)))
      } catch {
        return false
      }
      if await Outage.answers(source) { return true }
    }
  }

  /// Returns whether a source's server responds, with any status but 429 and those of a failing
  /// server. A source without a server cannot be probed and counts as responding.
  static func answers(_ source: RunSource) async -> Bool {
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

extension Event {
  /// Reports that a run waits for a source that became unreachable.
  static func waiting(for source: String, _ error: AdapterError) -> Event {
    .log(.info, source: source, message: "\(error.message); waiting until it answers again")
  }
}
