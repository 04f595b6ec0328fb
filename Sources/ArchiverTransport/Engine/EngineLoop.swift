import ArchiverCore
import CCurl
import Synchronization

/// The thread that drives all transfers through one curl multi handle.
///
/// Ready sockets are served one at a time. When a transfer completes, the next request is sent
/// before other ready sockets are read: reading can take long, and an idle connection wastes time.
/// Other threads only fill the inbox and wake the loop. Everything else belongs to the loop's
/// thread, hence the unchecked conformance.
final class EngineLoop: @unchecked Sendable {
  private struct Inbox {
    var submitted: [Transfer] = []
    var cancelled: [Transfer] = []
    var isStopping = false
    var isRunning = false
    /// Whether the loop has been woken for the inbox since it last looked.
    var isAlerted = false
  }

  private let configuration: TransportConfiguration
  private let proxies: ProxySettings
  /// Created by the thread; `nil` until then.
  private var multi: UnsafeMutableRawPointer?
  private let watch: SocketWatch?
  private let inbox = Mutex(Inbox())

  private var waiting: [Transfer] = []
  private var active: [ObjectIdentifier: Transfer] = [:]
  private var activeDownloads = 0
  private var idle: [String: [EasyHandle]] = [:]

  init(_ configuration: TransportConfiguration, _ proxies: ProxySettings) {
    self.configuration = configuration
    self.proxies = proxies
    watch = SocketWatch()
  }

  deinit {
    idle = [:]
    if let multi { curl_multi_cleanup(multi) }
  }

  private static let isCurlReady = curl_global_init(archiver_global_all) == CURLE_OK

  /// Starts the thread. If it cannot be started, every transfer fails.
  ///
  /// The thread loads curl, which takes some milliseconds: start it early to overlap that with
  /// other work.
  func start() {
    guard watch != nil else { return }
    inbox.withLock { $0.isRunning = true }
    if !Thread.start({ [self] in run() }) { inbox.withLock { $0.isRunning = false } }
  }

  /// Submits a transfer; its continuation is resumed exactly once.
  func submit(_ transfer: Transfer) {
    let (isAccepted, alerts) = inbox.withLock { inbox -> (Bool, Bool) in
      guard inbox.isRunning, !inbox.isStopping else { return (false, false) }
      inbox.submitted.append(transfer)
      defer { inbox.isAlerted = true }
      return (true, !inbox.isAlerted)
    }
    if !isAccepted { transfer.resume(.failure(.cancelled(transfer.request.url))) }
    if alerts { watch?.wake() }
  }

  /// Cancels a transfer asynchronously; a no-op if it has ended.
  func cancel(_ transfer: Transfer) {
    let alerts = inbox.withLock { inbox in
      guard inbox.isRunning else { return false }
      inbox.cancelled.append(transfer)
      defer { inbox.isAlerted = true }
      return !inbox.isAlerted
    }
    if alerts { watch?.wake() }
  }

  /// Ends every transfer with `.cancelled`, then the thread.
  func stop() {
    let isRunning = inbox.withLock { inbox in
      inbox.isStopping = true
      return inbox.isRunning
    }
    if isRunning { watch?.wake() }
  }

  private func run() {
    #if canImport(Glibc)
      // curl converts international host names in the thread's locale, which must be UTF-8.
      let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
      if let locale { uselocale(locale) }
      defer {
        uselocale(nil)
        if let locale { freelocale(locale) }
      }
    #endif
    guard let watch else { return }
    prepare(watch)
    var pause: Int32 = 0
    while multi != nil {
      let ready = watch.wait(pause)
      guard takeInbox() else { break }
      startWaiting()
      for one in ready where watch.isWatched(one.socket) {
        act(one.socket, one.events)
        settle(watch)
      }
      settle(watch)
      pause = enforceTimeouts()
    }
    endAll()
  }

  private func prepare(_ watch: SocketWatch) {
    guard EngineLoop.isCurlReady, let multi = curl_multi_init() else { return }
    watch.attach(to: multi)
    let kept = configuration.maxConnections * 2
    _ = archiver_multi_set_long(multi, CURLMOPT_MAXCONNECTS, kept)
    _ = archiver_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    self.multi = multi
  }

  private func act(_ socket: curl_socket_t, _ events: Int32) {
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, events, &running)
  }

  /// Does what is due without a socket: starts transfers in free slots, including those that were
  /// submitted meanwhile.
  private func settle(_ watch: SocketWatch) {
    repeat {
      if watch.takeTimer() { act(archiver_socket_bad, 0) }
      guard finishCompleted() else { return }
      // The next iteration sees a stop again.
      _ = takeInbox()
      startWaiting()
    } while true
  }

  /// Takes over the inbox; returns false if the engine stops.
  private func takeInbox() -> Bool {
    let (submitted, cancelled, isStopping) = inbox.withLock { inbox in
      defer {
        inbox.submitted.removeAll(keepingCapacity: true)
        inbox.cancelled.removeAll(keepingCapacity: true)
        inbox.isAlerted = false
      }
      return (inbox.submitted, inbox.cancelled, inbox.isStopping)
    }
    waiting += submitted
    for transfer in cancelled { end(transfer, .cancelled(transfer.request.url)) }
    return !isStopping
  }

  /// Starts transfers in order of arrival, within the limits.
  private func startWaiting() {
    var index = 0
    while index < waiting.count, active.count < configuration.maxConnections {
      if waiting[index].isDownload, activeDownloads >= configuration.maxDownloads {
        index += 1
      } else {
        start(waiting.remove(at: index))
      }
    }
  }

  private func start(_ transfer: Transfer) {
    active[ObjectIdentifier(transfer)] = transfer
    if transfer.isDownload { activeDownloads += 1 }
    // In place of one that knows an old nonce, so that there are never more than connections.
    let kept = idle[transfer.poolKey]?.popLast()
    guard let easy = (transfer.isRepeated ? nil : kept) ?? EasyHandle() else {
      return end(transfer, HTTPError(.connect, "out of memory: cannot start another request"))
    }
    transfer.attach(easy, configuration, proxies)
    guard curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
      return end(
        transfer, HTTPError(.badURL, "\(transfer.request.url.withoutQuery) cannot be requested"))
    }
  }

  private func finishCompleted() -> Bool {
    var finished = false
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
        continue
      }
      let code = message.pointee.data.result
      var context: UnsafeMutableRawPointer?
      _ = archiver_get_pointer(easy, CURLINFO_PRIVATE, &context)
      guard let transfer = Transfer.from(context) else { continue }
      finished = true
      if transfer.startsAgain(after: code) {
        // The handle may have an old nonce, as others have; a new one asks for a challenge.
        retire(transfer, keepsHandle: false)
        waiting.insert(transfer, at: 0)
        continue
      }
      let outcome = transfer.outcome(code)
      retire(transfer)
      transfer.resume(outcome)
    }
    return finished
  }

  /// Ends transfers that exceeded a timeout. Returns the milliseconds until the next check.
  private func enforceTimeouts() -> Int32 {
    guard !active.isEmpty || !waiting.isEmpty else { return 60_000 }
    let now = ContinuousClock.now
    var next = now + .seconds(1)
    var late: [Transfer] = []
    for transfer in active.values {
      let stall = transfer.activity(at: now).map { $0 + transfer.request.timeouts.stall }
      for limit in [stall, transfer.request.deadline].compactMap(\.self) {
        if limit <= now { late.append(transfer) } else { next = min(next, limit) }
      }
    }
    for transfer in waiting {
      guard let limit = transfer.request.deadline else { continue }
      if limit <= now { late.append(transfer) } else { next = min(next, limit) }
    }
    for transfer in late {
      end(transfer, HTTPError(.timeout, "\(transfer.request.url.withoutQuery) took too long"))
    }
    return Int32(clamping: late.isEmpty ? (next - now).milliseconds : 1)
  }

  /// Ends an active or waiting transfer with an error; a no-op for any other.
  private func end(_ transfer: Transfer, _ error: HTTPError) {
    if active[ObjectIdentifier(transfer)] != nil {
      retire(transfer)
    } else if let index = waiting.firstIndex(where: { $0 === transfer }) {
      waiting.remove(at: index)
    } else {
      return
    }
    transfer.resume(.failure(error))
  }

  private func retire(_ transfer: Transfer, keepsHandle: Bool = true) {
    active[ObjectIdentifier(transfer)] = nil
    if transfer.isDownload { activeDownloads -= 1 }
    guard let easy = transfer.easy else { return }
    curl_multi_remove_handle(multi, easy.pointer)
    transfer.release()
    if keepsHandle { idle[transfer.poolKey, default: []].append(easy) }
  }

  private func endAll() {
    let late = inbox.withLock { inbox in
      inbox.isRunning = false
      defer { inbox.submitted = [] }
      return inbox.submitted
    }
    for transfer in Array(active.values) + waiting + late {
      if transfer.easy != nil { retire(transfer) }
      transfer.resume(.failure(.cancelled(transfer.request.url)))
    }
    waiting = []
  }
}

extension Transfer {
  /// Handles that learned Digest are reused only for the same origin and user; all others are
  /// interchangeable.
  var poolKey: String { request.digestKey ?? "" }
}
