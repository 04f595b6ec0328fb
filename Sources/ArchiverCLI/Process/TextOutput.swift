import ArchiverCore
import Synchronization

/// A text output: standard output or standard error, or memory in tests.
package protocol TextOutput: Sendable {
  /// Writes the whole text, with one call if the system allows. Never throws: if the reader has
  /// closed the stream, the text is discarded; `failure` reports other errors.
  func write(_ text: String)
  /// Whether the reader has closed the stream, so that writing is useless.
  var isClosed: Bool { get }
  /// The error if something could not be written; `nil` if the reader has only closed the stream.
  var failure: String? { get }
  /// Whether the output is a terminal.
  var isTerminal: Bool { get }
  /// The terminal's current width; `nil` if it is not a terminal or does not report one.
  var columns: Int? { get }
}

/// Writes to a file descriptor of the process.
final class DescriptorOutput: TextOutput {
  private struct State {
    var isClosed = false
    var failure: String?
  }

  private let descriptor: Int32
  private let isOwned: Bool
  private let state = Mutex(State())

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
  }

  /// Opens a file for appending, readable by others as the umask allows. Returns `nil` with `errno`
  /// set if it cannot be opened. Does not wait for the reader of a pipe.
  init?(appendingTo path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
    isOwned = true
    if descriptor < 0 { return nil }
    // Writes may block: the reader may be slow.
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  var isClosed: Bool { state.withLock { $0.isClosed || $0.failure != nil } }
  var failure: String? { state.withLock { $0.failure } }
  var isTerminal: Bool { isatty(descriptor) == 1 }

  var columns: Int? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  func write(_ text: String) {
    state.withLock { state in
      guard !state.isClosed, state.failure == nil else { return }
      var text = text
      text.withUTF8 { buffer in
        var rest = UnsafeRawBufferPointer(buffer)
        while !rest.isEmpty {
          let count = put(rest, on: descriptor)
          if count >= 0 {
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
          } else if errno == EPIPE {
            state.isClosed = true
            return
          } else if errno == EAGAIN {
            // The parent process may have made the stream non-blocking.
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&request, 1, 1000)
          } else if errno != EINTR {
            state.failure = String(cString: strerror(errno))
            return
          }
        }
      }
    }
  }
}

/// Calls write(2), which the method of the same name hides.
private func put(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
