import ArchiverCore
import CCurl

/// The sockets and the one timer that a curl multi handle wants watched
/// (curl_multi_socket_action(3)), and a way to wake the waiting thread.
///
/// All but `wake` belongs to the waiting thread, hence the unchecked conformance.
final class SocketWatch: @unchecked Sendable {
  /// A socket that is ready.
  struct Ready {
    let socket: curl_socket_t
    /// `CURL_CSELECT_IN`, `_OUT` and `_ERR`.
    let events: Int32
  }

  /// The first entry is the read end of the pipe that wakes the waiting thread.
  private var entries: [pollfd]
  private let waking: Int32
  private var timer: ContinuousClock.Instant?

  /// Returns `nil` if the process can open no more files.
  init?() {
    guard let pipe = try? ChildProgram.pipe() else { return nil }  // told as no engine at all
    for end in [pipe.reading, pipe.writing] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
    waking = pipe.writing
    entries = [pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)]
  }

  deinit {
    close(waking)
    close(entries[0].fd)
  }

  /// Ends the current wait, or else the next one. May be called from any thread.
  func wake() {
    // A full pipe also wakes the reader.
    _ = write(waking, [1], 1)
  }

  /// Registers curl's callbacks. Call it once, and keep this value as long as the handle.
  func attach(to multi: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = archiver_multi_set_socket_function(
      multi,
      { _, socket, what, context, _ in
        SocketWatch.from(context)?.watch(socket, what)
        return 0
      }, context)
    _ = archiver_multi_set_timer_function(
      multi,
      { _, milliseconds, context in
        SocketWatch.from(context)?.timer =
          milliseconds < 0 ? nil : ContinuousClock.now + .milliseconds(milliseconds)
        return 0
      }, context)
  }

  /// Waits at most this many milliseconds. Returns the sockets that are ready.
  func wait(_ milliseconds: Int32) -> [Ready] {
    var milliseconds = milliseconds
    if let timer {
      // Rounded up: waking before the timer is due would only wait again.
      let left = timer - ContinuousClock.now + .microseconds(999)
      milliseconds = min(milliseconds, Int32(clamping: max(0, left.milliseconds)))
    }
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
    if entries[0].revents != 0 { drain() }
    return entries.dropFirst().compactMap { entry in
      guard entry.revents != 0 else { return nil }
      let happened = Int32(entry.revents)
      var events: Int32 = 0
      if happened & (POLLIN | POLLHUP) != 0 { events |= CURL_CSELECT_IN }
      if happened & POLLOUT != 0 { events |= CURL_CSELECT_OUT }
      if happened & (POLLERR | POLLNVAL) != 0 { events |= CURL_CSELECT_ERR }
      return Ready(socket: entry.fd, events: events)
    }
  }

  /// Whether curl still watches a socket.
  func isWatched(_ socket: curl_socket_t) -> Bool {
    entries.dropFirst().contains { $0.fd == socket }
  }

  /// Returns whether the timer expired, and clears it if so.
  func takeTimer() -> Bool {
    guard let timer, timer <= .now else { return false }
    self.timer = nil
    return true
  }

  /// Watches a socket for what curl asks, one of `CURL_POLL_IN` and the like.
  func watch(_ socket: curl_socket_t, _ what: Int32) {
    let index = entries.dropFirst().firstIndex { $0.fd == socket }
    if what == CURL_POLL_REMOVE {
      if let index { entries.remove(at: index) }
      return
    }
    var events: Int32 = 0
    if what & CURL_POLL_IN != 0 { events |= POLLIN }
    if what & CURL_POLL_OUT != 0 { events |= POLLOUT }
    let entry = pollfd(fd: socket, events: Int16(events), revents: 0)
    if let index { entries[index] = entry } else { entries.append(entry) }
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(entries[0].fd, &bytes, bytes.count) > 0 {}
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> SocketWatch? {
    context.map { Unmanaged<SocketWatch>.fromOpaque($0).takeUnretainedValue() }
  }
}
