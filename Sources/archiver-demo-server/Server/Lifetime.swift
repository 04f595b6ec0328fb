import ArchiverCore

/// The server's lifetime: it ends with the process that started it.
enum Lifetime {
  /// Makes the process end silently on SIGTERM and SIGINT, and not when a client closes its
  /// connection.
  static func obeySignals() {
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
  }

  /// Returns when standard input, if a pipe, has ended, or when the parent process is gone.
  ///
  /// A shell gives background commands `/dev/null`, the end of which says nothing.
  static func wait() {
    let parent = getppid()
    let isPiped = isPipe(0)
    var buffer = [UInt8](repeating: 0, count: 512)
    while getppid() == parent {
      var input = pollfd(fd: isPiped ? 0 : -1, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 500) > 0 else { continue }
      if read(0, &buffer, buffer.count) <= 0 { return }
    }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(information.st_mode & S_IFMT)
  }

  static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Platform.write(descriptor, $0.baseAddress, $0.count)
      }
      if count <= 0 { return }
      start += count
    }
  }

  private enum Platform {
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
      #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
      #else
        Darwin.write(descriptor, bytes, count)
      #endif
    }
  }
}
