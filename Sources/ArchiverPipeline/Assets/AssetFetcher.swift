import ArchiverCore
import ArchiverMarkup
import ArchiverStorage
import Synchronization

/// Fetches pictures and files for all items of a run, each address once.
///
/// One fetcher serves the whole run, so that the pictures of one item download while another is
/// written. A file that the archive has already is asked for again only when the server did not
/// say how long it is good for, and then conditionally; when that fails, the old file serves.
final class AssetFetcher: Sendable {
  private struct Key: Hashable {
    let source: String
    let url: String
  }

  private typealias Waiter = CheckedContinuation<AssetOutcome?, Never>

  private enum Download {
    case ended(AssetOutcome)
    case running
    case begun(isNew: Bool)
  }

  private struct State {
    /// Those who wait for each download that another began.
    var running: [Key: [Waiter]] = [:]
    /// What ended lately, which the catalog may not know yet; the oldest leave first.
    var recent: [Key: AssetOutcome] = [:]
    var recentOrder = FIFO<Key>()
    /// Downloads that ended.
    var endedCount = 0
  }

  /// Addresses of which the catalog had nothing, so that it need not be asked for each.
  struct NewAddresses: Sendable {
    fileprivate var keys: Set<String> = []
    /// How many downloads had ended before.
    fileprivate var endedCount = 0

    /// To ask for each.
    static let none = NewAddresses()
  }

  private static let recentLimit = 2_048

  private let catalog: any Catalog
  private let pool: ObjectPool
  private let limiter: DownloadLimiter
  private let clock: ArchiverClock
  private let events: any EventSink
  private let health = HostHealth()
  private let state = Mutex(State())

  init(
    catalog: any Catalog, pool: ObjectPool, limiter: DownloadLimiter, clock: ArchiverClock,
    events: any EventSink
  ) {
    self.catalog = catalog
    self.pool = pool
    self.limiter = limiter
    self.clock = clock
    self.events = events
  }

  /// Asks the catalog once for what an item needs.
  func newAddresses(_ requests: [AssetRequest]) -> NewAddresses {
    let count = state.withLock { $0.endedCount }
    // An error will be met again, and told, when the files are looked for one by one.
    guard let known = try? catalog.knownAssets(requests.map(\.cacheKey)) else { return .none }
    return NewAddresses(
      keys: Set(requests.lazy.map(\.cacheKey).filter { !known.contains($0) }), endedCount: count)
  }

  /// Fetches a file, or joins the download that another item started.
  ///
  /// `bytes` of the outcome is 0 for all but the caller that caused the download.
  func fetch(
    _ request: AssetRequest, for source: RunSource, new: NewAddresses = .none
  ) async -> AssetOutcome {
    let key = Key(source: source.name, url: request.cacheKey)
    while true {
      let download: Download = state.withLock { state in
        if let outcome = state.recent[key] { return .ended(outcome) }
        if state.running[key] != nil { return .running }
        state.running[key] = []
        // What ended since then and was recorded is among the recent, unless they were too many.
        let isCurrent = state.endedCount - new.endedCount < AssetFetcher.recentLimit
        return .begun(isNew: isCurrent && new.keys.contains(key.url))
      }
      switch download {
      case .ended(let outcome): return outcome.withoutBytes
      case .begun(let isNew):
        return end(key, await begun(request, isNew: isNew, source: source), source: source)
      case .running:
        if let outcome = await join(key) { return outcome.withoutBytes }
      }
    }
  }

  /// Waits for a download that another began; `nil` when it has ended meanwhile.
  ///
  /// It ends soon when the run is cancelled, which all of it is or nothing.
  private func join(_ key: Key) async -> AssetOutcome? {
    await withCheckedContinuation { waiter in
      let isRunning = state.withLock { state in
        state.running[key]?.append(waiter) != nil
      }
      if !isRunning { waiter.resume(returning: nil) }
    }
  }

  /// Returns what the archive has of an address, without asking for it; `nil` when it has nothing.
  func archived(_ request: AssetRequest) -> AssetOutcome? {
    do throws(StorageError) {
      return try catalog.asset(url: request.cacheKey).map { .stored($0, bytes: 0) }
    } catch {
      return .failed(AssetFailure(error.message, isTransient: true, storage: error))
    }
  }

  /// Lets those know who wait for the download, and the world.
  private func end(_ key: Key, _ outcome: AssetOutcome, source: RunSource) -> AssetOutcome {
    let waiters: [Waiter] = state.withLock { state in
      let waiters = state.running.removeValue(forKey: key) ?? []
      // The same file may be asked for again at an address that is good.
      if case .failed(let failure) = outcome, failure.isExpired { return waiters }
      state.recent[key] = outcome
      state.recentOrder.append(key)
      state.endedCount += 1
      if state.recentOrder.count > AssetFetcher.recentLimit,
        let oldest = state.recentOrder.popFirst()
      {
        state.recent[oldest] = nil
      }
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
    let (bytes, failure): (Int, String?) =
      switch outcome {
      case .stored(_, let bytes): (bytes, nil)
      case .failed(let failure): (0, failure.reason)
      }
    events.send(
      .assetFinished(
        source: source.name, url: key.url, bytes: bytes, failure: failure))
    return outcome
  }

  /// What is known before a file is asked for.
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
      return .settled(.failed(AssetFailure(error.message, isTransient: true, storage: error)))
    }
  }

  /// Hundreds wait here for a place, so that what a download needs is not on their stacks yet.
  private func begun(
    _ request: AssetRequest, isNew: Bool, source: RunSource
  ) async -> AssetOutcome {
    var isNew = isNew
    if !isNew {
      switch known(request) {
      case .settled(let outcome): return outcome
      case .old(let cached): isNew = cached == nil
      }
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
    // A good address is asked for before the old file serves.
    if case .failed(let failure) = outcome, failure.isExpired, cached == nil { return outcome }
    if case .failed(let failure) = outcome, failure.storage == nil, let cached {
      return .stored(cached, bytes: 0)
    }
    return outcome
  }

  /// Most answers that say a file is still being made ready, each followed by a pause of twice the
  /// last one's length.
  private static let patience = 5

  private func download(
    _ request: AssetRequest, cached: CachedAsset?, source: RunSource
  ) async -> AssetOutcome {
    for attempt in 0..<AssetFetcher.patience {
      if let outcome = await attemptDownload(request, cached: cached, source: source) {
        return outcome
      }
      do {
        try await clock.sleep(.milliseconds(500 << attempt))
      } catch {
        break
      }
    }
    return .failed(AssetFailure("the server is still preparing the file", isTransient: true))
  }

  /// Returns `nil` when the server is still making the file ready (202).
  private func attemptDownload(
    _ request: AssetRequest, cached: CachedAsset?, source: RunSource
  ) async -> AssetOutcome? {
    let host = request.url.host
    if let reason = health.givenUp(host) {
      return .failed(AssetFailure(reason, isTransient: true, cause: .unreached))
    }
    let sink = AssetSink(pool.makeSink(), content: request.content, limits: request.limits)
    let progress = progress(of: request, into: sink, for: source)
    defer { progress?.end() }
    let response: HTTPResponse
    let start = ContinuousClock.now
    do {
      response = try await source.client.send(
        HTTPRequest(
          .get, request.url.withoutFragment, headers: headers(request, cached: cached),
          destination: .sink(progress?.body ?? sink, limit: request.byteLimit),
          timeouts: request.timeouts))
    } catch {
      sink.discard()
      switch error.code {
      case .resolve, .connect, .timeout: health.failed(host, reason: "\(host) cannot be reached")
      default: break
      }
      return .failed(failure(error, of: request, after: ContinuousClock.now - start))
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
      return .failed(HTTPStatus.failure(response.status, isSigned: request.isSigned))
    }
    let outcome = accept(sink.object, response: response, request: request)
    guard case .stored(let new, let bytes) = outcome, case .image = request.content, let cached,
      StandIn.isLikely(new, for: cached)
    else { return outcome }
    return .stored(cached, bytes: bytes)
  }

  /// Of files people want to know how far they are; pictures come and go too fast.
  private func progress(
    of request: AssetRequest, into sink: AssetSink, for source: RunSource
  ) -> (body: DownloadProgress, end: () -> Void)? {
    guard case .file = request.content, let item = request.item else { return nil }
    let (events, name) = (events, source.name)
    let body = DownloadProgress(sink) { bytes, total in
      events.send(.downloading(source: name, id: item, bytes: bytes, total: total))
    }
    return (body, { events.send(.downloading(source: name, id: item, bytes: nil, total: nil)) })
  }

  private func headers(_ request: AssetRequest, cached: CachedAsset?) -> HTTPHeaders {
    var headers = HTTPHeaders()
    if case .image = request.content {
      headers["Accept"] = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
    }
    if let referrer = request.referrer { headers["Referer"] = referrer }
    // One validator only: some servers want both to match when they get both.
    if let etag = cached?.etag {
      headers["If-None-Match"] = etag
    } else if let date = cached?.lastModified {
      headers["If-Modified-Since"] = date
    }
    return headers
  }

  private func accept(
    _ sink: ObjectSink, response: HTTPResponse, request: AssetRequest
  ) -> AssetOutcome {
    let prefix = sink.prefix(AssetKind.prefixLength)
    let kind = AssetKind(
      prefix: prefix, content: request.content, mediaType: response.mediaType)
    switch kind {
    case .refused(let reason):
      sink.discard()
      // A login page in place of a file may be gone tomorrow.
      return .failed(
        AssetFailure(reason, isTransient: request.isFile, cause: .wrongKind))
    case .image(let format):
      // In a JPEG a small picture of it may come first.
      let size =
        PixelSize(format: format, prefix: prefix)
        ?? (format == .jpeg ? PixelSize(format: format, prefix: sink.prefix()) : nil)
      return store(response: response, request: request, mediaType: format.mediaType, size: size) {
        () throws(StorageError) in try sink.finish()
      }
    case .file(let mediaType):
      let isWhole = FileMagic.isFictionBook(prefix, mediaType)
      do throws(StorageError) {
        let object = try sink.finish()
        let type = isWhole ? FictionBook.keptType(try pool.read(object)) : mediaType
        return store(response: response, request: request, mediaType: type, size: nil) { object }
      } catch {
        return .failed(AssetFailure(error.message, isTransient: true, storage: error))
      }
    case .svg:
      return acceptSVG(sink, response: response, request: request)
    }
  }

  /// Keeps an SVG picture only in its sanitised form.
  private func acceptSVG(
    _ sink: ObjectSink, response: HTTPResponse, request: AssetRequest
  ) -> AssetOutcome {
    let limit = 8_000_000
    do {
      let object = try sink.finish()
      guard object.byteCount <= limit else {
        return .failed(
          AssetFailure(
            "the SVG picture is too large \(Limit.fixed(bytes: limit))", isTransient: false))
      }
      let bytes = try pool.read(object)
      guard let clean = SVGSanitizer.sanitize(bytes) else {
        return .failed(AssetFailure("the SVG picture could not be made safe", isTransient: false))
      }
      return store(response: response, request: request, mediaType: "image/svg+xml", size: nil) {
        () throws(StorageError) in try pool.store(clean)
      }
    } catch {
      return .failed(AssetFailure(error.message, isTransient: true, storage: error))
    }
  }

  private func store(
    response: HTTPResponse, request: AssetRequest, mediaType: String, size: PixelSize?,
    _ finish: () throws(StorageError) -> StoredObject
  ) -> AssetOutcome {
    do throws(StorageError) {
      let asset = CachedAsset(
        url: request.cacheKey, object: try finish(), mediaType: mediaType, width: size?.width,
        height: size?.height, etag: response.headers["ETag"],
        lastModified: response.headers["Last-Modified"],
        freshUntil: Freshness.end(response.headers, now: clock.now()))
      return .stored(asset, bytes: response.byteCount)
    } catch {
      return .failed(AssetFailure(error.message, isTransient: true, storage: error))
    }
  }

  private func failure(
    _ error: HTTPError, of request: AssetRequest, after time: Duration
  ) -> AssetFailure {
    if error.code == .sink, let storage = error.underlying as? StorageError {
      return AssetFailure(storage.message, isTransient: true, storage: storage)
    }
    if error.code == .sink, error.underlying is ObjectSink.UnaskedPart {
      return AssetFailure("the server sent a part that was not asked for", isTransient: true)
    }
    if error.code == .sink, let refusal = error.underlying as? AssetSink.Refusal {
      return AssetFailure(
        refusal.reason, isTransient: refusal.isOfKind && request.isFile, cause: .wrongKind)
    }
    let isUnreached = [.resolve, .connect, .timeout].contains(error.code)
    return AssetFailure(
      error.message + request.passedLimit(error.code, after: time),
      isTransient: error.isRetryable || error.code == .cancelled,
      cause: isUnreached ? .unreached : .other)
  }
}
