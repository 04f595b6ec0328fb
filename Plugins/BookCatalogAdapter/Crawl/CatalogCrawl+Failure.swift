import ArchiverCore

// Feeds that cannot be read.
extension CatalogCrawl {
  /// The maximum number of consecutive feeds that fail with errors that may concern the whole
  /// source.
  private static let mostFailures = 3
  /// The number of such feeds after which the crawl pauses before each further one.
  private static let mostWithoutPause = 2

  /// Waits before a feed is requested if the server may be starting.
  func pause(before stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState) async {
    guard state.isPauseDue,
      stop.isRepeated || state.failures >= CatalogCrawl.mostWithoutPause
    else { return }
    state.isPauseDue = false
    guard let pause = state.patience.nextPause(at: clock.now(), asked: state.asked) else { return }
    // A cancelled task ends with its next request.
    try? await clock.sleep(pause)
  }

  /// Records that a feed was read.
  func noteRead(_ state: inout CatalogCrawlState) {
    state.failures = 0
    state.isPauseDue = false
    state.isAway = false
    state.patience.recovered(at: clock.now())
  }

  /// Ends the waiting for a server that is not away. If a feed fails again as if the server were away, the
  /// catalog's first feed is requested: if that is answered, the failure is the feed's own.
  func noticeServer(
    after error: AdapterError, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) async {
    guard stop.isRepeated, state.isAway, stop.url != client.base, error.code != .rateLimited,
      error.isOfAbsentServer, state.patience.remaining(at: clock.now()) > .zero
    else { return }
    do throws(AdapterError) {
      _ = try await client.document(client.base)
      noteRead(&state)
    } catch {
      // The server is away, or the task is cancelled, which ends with its next request.
      state.patience.failed(at: clock.now())
    }
  }

  /// Records a feed that could not be read; throws if the whole source failed.
  ///
  /// A feed that fails for a reason that may pass is requested again after all others. If none of
  /// those is read either, the server may be restarting: feeds are requested again, with pauses, as
  /// long as `CrawlPatience` allows.
  func note(
    _ error: AdapterError, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) throws(AdapterError) {
    guard error.mayBeAboutOneFeed else { throw error }
    let now = clock.now()
    let isAgain = stop.isRepeated && state.isAway
    state.patience.failed(at: now)
    let mayWait = state.patience.remaining(at: now) > .zero
    if error.isAboutOneFeed {
      state.failures = 0
    } else {
      if !isAgain { state.failures += 1 }
      guard mayWait || state.failures < CatalogCrawl.mostFailures else { throw error }
    }
    // calibre answers 404 for an empty set. In no case does that mean at once that its books are
    // removed.
    if error.code == .notFound { return noteAbsent(error, stop, &state) }
    let isPutOff = stop.isRepeated ? isAgain && mayWait && error.isOfAbsentServer : error.mayPass
    if isPutOff {
      state.putOff(stop)
      state.isAway = true
      state.isPauseDue = true
      state.asked = error.retryAfter
      log(.info, "a feed is tried again later: \(error.message)")
      return
    }
    log(.warning, "a feed was left out: \(error.message)")
    if !stop.isFeed, error.code == .malformed {
      state.hasGaps = true
    } else {
      state.miss("a feed was left out: \(error.message)")
    }
  }
}

/// The status of a response that was not successful.
struct CatalogStatus: Error {
  let status: Int
}

extension AdapterError {
  /// Whether the same feed may be readable later in the crawl.
  fileprivate var mayPass: Bool { code == .unavailable || code == .rateLimited }

  /// Whether the catalog's server gave no response or is starting: a proxy answers 502 to 504 in its place.
  fileprivate var isOfAbsentServer: Bool {
    if let status = (underlying as? CatalogStatus)?.status { return (502...504).contains(status) }
    return code == .rateLimited || (code == .unavailable && underlying is HTTPError)
  }
}
