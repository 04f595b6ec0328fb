#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Cuts what comes out of a descriptor into lines.
struct LineReader {
  let descriptor: Int32
  private let limit: Int
  private var bytes: [UInt8] = []
  /// Where the first line not yet taken begins, and where no line feed was looked for yet.
  private var start = 0
  private var searched = 0
  private(set) var isAtEnd = false

  init(_ descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// Whether a line is longer than the limit and not at its end.
  var isTooLong: Bool { bytes.count - start > limit }

  /// Reads what there is, at most 256 KiB; waits for it up to `waiting` milliseconds, `nil` for ever.
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
    // The reason is read at once: giving the memory back may change it.
    isAtEnd = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 << 10) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      let reason = errno
      if count > 0 { bytes += buffer[..<count] }
      return count == 0 || (count < 0 && reason != EINTR && reason != EAGAIN)
    }
  }

  /// Returns the next whole line without its line feed.
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

  /// Returns what is left without a line feed once the end is reached, or the line is too long.
  mutating func takeRest() -> [UInt8]? {
    guard isAtEnd || isTooLong, start < bytes.count else { return nil }
    defer { discardBuffer() }
    return Array(bytes[start...])
  }

  /// Reads and forgets, so that the writer does not wait for us.
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
