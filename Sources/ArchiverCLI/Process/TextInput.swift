import ArchiverCore

/// A source of answers: a person or a script.
package protocol TextInput: Sendable {
  var isTerminal: Bool { get }
  /// Returns the input up to its end, at most 64 KiB.
  func readAll() -> String
  /// Returns a line without its end; `nil` at the end of input or if the task was cancelled.
  ///
  /// - Parameter isHidden: Whether to hide the typed characters.
  func readLine(isHidden: Bool) -> String?
}

/// Reads from a file descriptor of the process.
struct DescriptorInput: TextInput {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  func readAll() -> String {
    String(decoding: input(limit: 64 << 10) { _ in false }, as: UTF8.self)
  }

  func readLine(isHidden: Bool) -> String? {
    var shown = termios()
    let isChanged = isHidden && tcgetattr(descriptor, &shown) == 0
    if isChanged {
      var hidden = shown
      hidden.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(descriptor, TCSAFLUSH, &hidden)
    }
    defer { if isChanged { tcsetattr(descriptor, TCSAFLUSH, &shown) } }
    let bytes = input(limit: 4096) { $0 == 0x0A }
    if bytes.isEmpty { return nil }
    return String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }

  private func input(limit: Int, until isEnd: (UInt8) -> Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < limit {
      // Polls in short intervals, so that an interrupted process still restores the terminal.
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, 200)
      if Task.isCancelled { return [] }
      if ready == 0 || (ready < 0 && errno == EINTR) { continue }
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { break }
      bytes.append(byte)
      if isEnd(byte) { break }
    }
    return bytes
  }
}
