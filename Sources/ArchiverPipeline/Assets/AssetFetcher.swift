import ArchiverCore
import ArchiverStorage
import Synchronization

/// Fetches images and files for all items of a run, each URL once.
///
/// One fetcher serves the whole run, so the images of one item download while another is written. A
/// file in the archive is requested again only after its freshness lifetime, and conditionally; if
/// the request fails, the archived file is used.
final class AssetFetcher: Sendable {
  private struct Key: Hashable {
    let source: String
    let url: String
  }

  private typealias Waiter = CheckedContinuation<AssetOutcome?, Never>

  private enum Download {
    case ended(AssetOutcome)
    case running
    case begun
  }

  private struct State {
    /// The tasks that wait for each download in flight.
    var running: [Key: [Waiter]] = [:]
    /// Recent outcomes, which the catalog may not have recorded yet; the oldest are dropped first.
    var recent: [Key: AssetOutcome] = [:]
    var recentOrder: [Key] = []
  }

  private static let recentLimit = 2_048

  private let catalog: SQLiteCatalog
  private let pool: ObjectPool
  private let limiter: DownloadLimiter
  private let clock: ArchiverClock
  private let events: any EventSink
  private let health = HostHealth()
  private let probe: ServerProbe
  private let state = Mutex(State())

  init(
    catalog: SQLiteCatalog, pool: ObjectPool, limiter: DownloadLimiter, clock: ArchiverClock,
    events: any EventSink
  ) {
    self.catalog = catalog
    self.pool = pool
    self.limiter = limiter
    self.clock = clock
    self.events = events
    probe = ServerProbe(clock: clock)
  }

  /// Fetches a file, or joins the download that another item started.
  ///
  /// `bytes` of the outcome is 0 for all but the caller that caused the download.
  func fetch(_ request: AssetRequest, for source: RunSource) async -> AssetOutcome {
    let key = Key(source: source.name, url: request.cacheKey)
    while true {
      let download: Download = state.withLock { state in
        if let outcome = state.recent[key] { return .ended(outcome) }
        if state.running[key] != nil { return .running }
        state.running[key] = []
        return .begun
      }
      switch download {
      case .ended(let outcome): return outcome.withoutBytes
      case .begun: return end(key, await begun(request, source: source), source: source)
      case .running:
        if let outcome = await join(key) { return outcome.withoutBytes }
      }
    }
  }

  /// Waits for another task's download; returns `nil` if it has ended meanwhile.
  ///
  /// Cancellation needs no handling: it cancels the whole run, so the download ends soon.
  private func join(_ key: Key) async -> AssetOutcome? {
    await withCheckedContinuation { waiter in
      let isRunning = state.withLock { state in
        state.running[key]?.append(waiter) != nil
      }
      if !isRunning { waiter.resume(returning: nil) }
    }
  }

  /// Forgets what failed while a source's server was down, so that it is requested again.
  func recovered(_ source: RunSource) {
    if let origin = source.origin { health.answered(origin.host) }
    probe.forget(source)
    state.withLock { state in
      for (key, outcome) in state.recent where key.source == source.name {
        if case .stored = outcome { continue }
        state.recent[key] = nil
      }
    }
  }

  /// Returns what the archive has of a URL, without a request; `nil` if it has nothing.
  func archived(_ request: AssetRequest) -> AssetOutcome? {
    do throws(StorageError) {
      return try catalog.asset(url: request.cacheKey).map { .stored($0, bytes: 0) }
    } catch {
      return .failed(AssetFailure(error))
    }
  }

  /// Records the outcome of a download, resumes the waiting tasks and sends the event.
  private func end(_ key: Key, _ outcome: AssetOutcome, source: RunSource) -> AssetOutcome {
    let waiters: [Waiter] = state.withLock { state in
      let waiters = state.running.removeValue(forKey: key) ?? []
      // The same file may be requested again with a fresh presigned URL.
      if case .failed(let failure) = outcome, failure.isExpired { return waiters }
      state.recent[key] = outcome
      state.recentOrder.append(key)
      if state.recentOrder.count > AssetFetcher.recentLimit {
        state.recent[state.recentOrder.removeFirst()] = nil
      }
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
    let (bytes, failure): (Int, String?) =
      switch outcome {
      case .stored(_, let bytes): (bytes, nil)
      case .failed(let failure), .kept(_, let failure): (0, failure.reason)
      }
    events.send(
      .assetFinished(
        source: source.name, url: key.url, bytes: bytes, failure: failure))
    return outcome
  }

  /// The result of looking a file up before it is requested.
  private enum Known {
    case settled(AssetOutcome)
    case old(CachedAsset?)
  }

  private func known(_ request: AssetRequest) -> Known {
    do throws(StorageError) {
      let cached = try catalog.asset(url: request.cacheKey)
      if !request.revalidates, let cached, let end = cached.freshUntil, end > clock.now() {
        return .settled(.stored(cached, bytes: 0))
      }
      return .old(cached)
    } catch {
      return .settled(.failed(AssetFailure(error)))
    }
  }

  /// Waits for a download slot. Hundreds of tasks wait here, so what a download needs must not be
  /// in this frame.
  private func begun(_ request: AssetRequest, source: RunSource) async -> AssetOutcome {
    let isNew: Bool
    switch known(request) {
    case .settled(let outcome): return outcome
    case .old(let cached): isNew = cached == nil
    }
    guard await limiter.acquire(request.url.host) else {
      return .failed(AssetFailure("the run was interrupted", isTransient: true))
    }
    defer { limiter.release(request.url.host) }
    return await fetchOnce(request, isNew: isNew, source: source)
  }

  /// Fetches an asset once a download slot is held. `isNew` means that the archive has nothing of
  /// this URL. Not inlined: its locals would enlarge the frame of every task that waits for a slot.
  @inline(never)
  private func fetchOnce(
    _ request: AssetRequest, isNew: Bool, source: RunSource
  ) async -> AssetOutcome {
    var cached: CachedAsset?
    if !isNew {
      switch known(request) {
      case .settled(let outcome): return outcome
      case .old(let old): cached = old
      }
    }
    let outcome = await download(request, cached: cached, source: source)
    if case .failed(let failure) = outcome, failure.storage == nil, !request.isMain, let cached {
      let mayHaveChanged =
        request.revalidates && (failure.isTransient || failure.cause == .wrongKind)
      return mayHaveChanged ? .kept(cached, failure) : .stored(cached, bytes: 0)
    }
    return outcome
  }

  /// The maximum number of attempts while the server is still preparing the file; the delay doubles
  /// each time.
  private static let patience = 5

  private func download(
    _ request: AssetRequest, cached: CachedAsset?, source: RunSource
  ) async -> AssetOutcome {
    let outcome = await download(
      request, cached: cached, source: source, referrer: request.referrer)
    guard request.referrer != nil, case .failed(let failure) = outcome,
      failure.cause == .refused, !failure.isExpired
    else { return outcome }
    // Some servers refuse requests from pages of other sites. Pages that show their images all the same
    // tell browsers to send no `Referer`.
    return await download(request, cached: cached, source: source, referrer: nil)
  }

  private func download(
    _ request: AssetRequest, cached: CachedAsset?, source: RunSource, referrer: String?
  ) async -> AssetOutcome {
    for attempt in 0..<AssetFetcher.patience {
      let outcome = await attemptDownload(
        request, cached: cached, source: source, referrer: referrer)
      if let outcome { return outcome }
      do {
        try await clock.sleep(.milliseconds(500 << attempt))
      } catch {
        break
      }
    }
    return .failed(AssetFailure("the server is still preparing the file", isTransient: true))
  }

  /// Returns `nil` if the server is still preparing the file (202).
  private func attemptDownload(
    _ request: AssetRequest, cached: CachedAsset?, source: RunSource, referrer: String?
  ) async -> AssetOutcome? {
    let host = request.url.host
    if let reason = health.givenUp(host) {
      return .failed(AssetFailure(reason, isTransient: true, cause: .unreached))
    }
    let tell = progress(of: request, for: source)
    defer { tell?(nil, nil) }
    let sink = AssetSink(
      pool.makeSink(), content: request.content, limits: request.limits, tell: tell)
    let response: HTTPResponse
    let start = ContinuousClock.now
    do {
      response = try await source.client.send(
        HTTPRequest(
          .get, request.url.withoutFragment, headers: headers(request, cached, referrer),
          destination: .sink(sink, limit: request.byteLimit), timeouts: request.timeouts))
    } catch {
      sink.discard()
      switch error.code {
      case .resolve, .connect, .timeout: health.failed(host, reason: "\(host) cannot be reached")
      default:
        // The connection was cut: by the server if it does not respond at all.
        if error.isRetryable, await probe.isDown(source, at: request.url.origin) {
          return unreached(host, "\(host) cannot be reached")
        }
      }
      return .failed(failure(error, of: request, after: ContinuousClock.now - start))
    }
    if response.status >= 500, await probe.isDown(source, at: request.url.origin) {
      sink.discard()
      return unreached(host, "\(host) is out of order (status \(response.status))")
    }
    health.answered(host)
    if response.status == 304, var cached {
      sink.discard()
      cached.freshUntil = Freshness.end(response.headers, now: clock.now())
      return .stored(cached, bytes: 0)
    }
    if response.status == 202 {
      sink.discard()
      return nil
    }
    guard response.isSuccess else {
      sink.discard()
      var failure = HTTPStatus.failure(response.status, isSigned: request.isSigned)
      if response.status == 502 { failure.cause = .cut }
      return .failed(failure)
    }
    let outcome = AssetIntake(pool: pool, clock: clock)
      .accept(sink.object, response: response, request: request)
    guard case .stored(let new, let bytes) = outcome, case .image = request.content, let cached,
      StandIn.isLikely(new, for: cached)
    else { return outcome }
    return .stored(cached, bytes: bytes)
  }

  private func unreached(_ host: String, _ reason: String) -> AssetOutcome {
    health.failed(host, reason: reason)
    return .failed(AssetFailure(reason, isTransient: true, cause: .unreached))
  }

  /// Returns what reports progress; `nil` for images, which download too quickly for it to be useful.
  private func progress(
    of request: AssetRequest, for source: RunSource
  ) -> (@Sendable (_ bytes: Int?, _ total: Int?) -> Void)? {
    guard case .file = request.content, let item = request.item else { return nil }
    let (events, name) = (events, source.name)
    return { bytes, total in
      events.send(.downloading(source: name, id: item, bytes: bytes, total: total))
    }
  }

  private func headers(
    _ request: AssetRequest, _ cached: CachedAsset?, _ referrer: String?
  ) -> HTTPHeaders {
    var headers = HTTPHeaders()
    if case .image = request.content {
      // Servers that negotiate then send a format that books may contain, which AVIF is not.
      headers["Accept"] = "image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
    } else {
      // curl does not notice the missing end of a compressed body whose declared length is right.
      headers["Accept-Encoding"] = "identity"
    }
    if let referrer { headers["Referer"] = referrer }
    // Only one validator: if both are sent, some servers require both to match.
    if let etag = cached?.etag {
      headers["If-None-Match"] = etag
    } else if let date = cached?.lastModified {
      headers["If-Modified-Since"] = date
    }
    return headers
  }

  private func failure(
    _ error: HTTPError, of request: AssetRequest, after time: Duration
  ) -> AssetFailure {
    if error.code == .sink, let storage = error.underlying as? StorageError {
      return AssetFailure(storage)
    }
    if error.code == .sink, error.underlying is ObjectSink.UnaskedPart {
      return AssetFailure("the server sent a range that was not requested", isTransient: true)
    }
    if error.code == .sink, let refusal = error.underlying as? AssetSink.Refusal {
      return AssetFailure(
        refusal.reason, isTransient: refusal.isOfKind && request.isFile, cause: .wrongKind)
    }
    let cause: AssetFailure.Cause =
      switch error.code {
      case .resolve, .connect, .timeout: .unreached
      case .connectionLost, .truncated: .cut
      default: .other
      }
    return AssetFailure(
      error.message + request.passedLimit(error.code, after: time),
      isTransient: error.isRetryable || error.code == .cancelled, cause: cause)
  }
}
