import ArchiverCore

/// Splits the output of a descriptor into lines.
struct LineReader {
  let descriptor: Int32
  private let limit: Int
  private var bytes: [UInt8] = []
  /// The start of the first line that was not taken, and the offset up to which no line feed was
  /// found.
  private var start = 0
  private var searched = 0
  private(set) var isAtEnd = false

  init(_ descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// Whether an incomplete line exceeds the limit.
  var isTooLong: Bool { bytes.count - start > limit }

  /// Reads available bytes, at most 256 KiB; waits up to `waiting` milliseconds, or without limit
  /// if `nil`.
  mutating func fill(waiting: Int32? = nil) {
    if let waiting {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, waiting) <= 0 { return }
    }
    if start > 1 << 20 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    // Save errno before releasing the buffer, which may change it.
    isAtEnd = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 << 10) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      let reason = errno
      if count > 0 { bytes += buffer[..<count] }
      return count == 0 || (count < 0 && reason != EINTR && reason != EAGAIN)
    }
  }

  /// Returns the next complete line without its line feed.
  mutating func takeLine() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      return nil
    }
    defer {
      start = end + 1
      searched = start
    }
    return Array(bytes[start..<end])
  }

  /// Returns the rest without a line feed at the end of input or after a line beyond the limit.
  mutating func takeRest() -> [UInt8]? {
    guard isAtEnd || isTooLong, start < bytes.count else { return nil }
    defer { discardBuffer() }
    return Array(bytes[start...])
  }

  /// Reads and discards input, so that the writer does not block.
  mutating func discard() {
    if isAtEnd { return }
    fill(waiting: 0)
    discardBuffer()
  }

  private mutating func discardBuffer() {
    bytes = []
    start = 0
    searched = 0
  }
}
