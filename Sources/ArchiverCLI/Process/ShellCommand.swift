import ArchiverCore

/// Why a command failed; never contains its output.
struct CommandFailure: Error, CustomStringConvertible {
  /// Continues the sentence "the command …".
  let reason: String
  /// Its exit status; `nil` if it did not exit on its own.
  var status: Int32?

  var description: String { "the command \(reason)" }
}

/// Runs shell commands and captures their output.
enum ShellCommand {
  /// Returns the output of `/bin/sh -c line`: at most 64 KiB of valid UTF-8.
  ///
  /// Its standard error is inherited. Fails if it exceeds `timeout`, exits with a status other than
  /// 0, or the task is cancelled. It is then killed, with its children unless it has a terminal,
  /// where it may ask for a passphrase.
  ///
  /// - Parameters:
  ///   - input: Its standard input, at most 64 KiB, the capacity of a pipe; `nil` for an empty one.
  ///   - variables: Variables in addition to the inherited ones.
  ///   - isPrivate: Whether it does not inherit a variable.
  static func output(
    of line: String, input: String? = nil, variables: [String: String] = [:],
    timeout: Duration = .seconds(30), hasTerminal: Bool = hasTerminal,
    without isPrivate: (String) -> Bool = { _ in false }
  ) throws(CommandFailure) -> String {
    let pipe = try makePipe()
    defer { close(pipe.reading) }
    let inherited = ProcessInfo.processInfo.environment.filter { !isPrivate($0.key) }
    let pid = try start(
      line, input, pipe.writing, inherited.merging(variables) { $1 }, hasOwnGroup: !hasTerminal)
    var isCollected = false
    do throws(CommandFailure) {
      let deadline = ContinuousClock.now + timeout
      let bytes = try answer(from: pipe.reading, until: deadline)
      let status = try wait(for: pid, until: deadline)
      isCollected = true
      try requireSuccess(status)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure(reason: "printed text that is not UTF-8")
      }
      return text
    } catch {
      // Once it is reaped, its pid may be reused.
      if !isCollected {
        kill(hasTerminal ? pid : -pid, SIGKILL)
        // Its status is of no further interest.
        waitpid(pid, nil, 0)
      }
      throw error
    }
  }

  private static func makePipe() throws(CommandFailure) -> (reading: Int32, writing: Int32) {
    do throws(ChildProgram.Failure) {
      return try ChildProgram.pipe()
    } catch {
      throw CommandFailure(reason: "could not be started: \(error.reason)")
    }
  }

  /// Whether the process has a controlling terminal. A command in another process group could not
  /// read from it.
  static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  /// Returns the read end of a pipe that contains the text.
  private static func filledPipe(_ text: String) throws(CommandFailure) -> Int32 {
    let pipe = try makePipe()
    defer { close(pipe.writing) }
    _ = fcntl(pipe.writing, F_SETFL, fcntl(pipe.writing, F_GETFL) | O_NONBLOCK)
    let bytes = Array(text.utf8)
    if write(pipe.writing, bytes, bytes.count) == bytes.count { return pipe.reading }
    close(pipe.reading)
    throw CommandFailure(reason: "did not read all of its input, \(bytes.count) bytes")
  }

  /// Closes `output`, which belongs to the child.
  private static func start(
    _ line: String, _ input: String?, _ output: Int32, _ variables: [String: String],
    hasOwnGroup: Bool
  ) throws(CommandFailure) -> pid_t {
    defer { close(output) }
    let source = try input.map { (text) throws(CommandFailure) in try filledPipe(text) }
    defer { if let source { close(source) } }
    do throws(ChildProgram.Failure) {
      return try ChildProgram.start(
        "/bin/sh", ["-c", line], environment: variables,
        input: source.map { .descriptor($0) } ?? .empty, output: .descriptor(output),
        hasOwnGroup: hasOwnGroup)
    } catch {
      throw CommandFailure(reason: "could not be started: \(error.reason)")
    }
  }

  private static func answer(
    from descriptor: Int32, until deadline: ContinuousClock.Instant
  ) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if Task.isCancelled { throw CommandFailure(reason: "was interrupted") }
      if ContinuousClock.now > deadline { throw CommandFailure(reason: "took too long") }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, 100) <= 0 { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 { continue }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > 64 << 10 { throw CommandFailure(reason: "printed more than 64 KiB") }
    }
  }

  /// Waits for the end of a command that has closed its output, which may be long before.
  private static func wait(
    for pid: pid_t, until deadline: ContinuousClock.Instant
  ) throws(CommandFailure) -> Int32 {
    var status: Int32 = 0
    var pause: UInt32 = 500
    while true {
      let found = waitpid(pid, &status, WNOHANG)
      if found == pid || found < 0 && errno != EINTR { return status }
      if Task.isCancelled { throw CommandFailure(reason: "was interrupted") }
      if ContinuousClock.now > deadline { throw CommandFailure(reason: "took too long") }
      usleep(pause)
      pause = min(2 * pause, 50_000)
    }
  }

  private static func requireSuccess(_ status: Int32) throws(CommandFailure) {
    // The macros of wait(2): the low seven bits hold a signal, the next eight the exit status.
    if status & 0x7F != 0 { throw CommandFailure(reason: "was killed by signal \(status & 0x7F)") }
    let code = status >> 8 & 0xFF
    if code != 0 { throw CommandFailure(reason: "exited with status \(code)", status: code) }
  }
}

extension String {
  /// The text in single quotes, as a POSIX shell reads it.
  var shellQuoted: String {
    "'" + replacingScalars("'", with: "'\\''") + "'"
  }

  /// Replaces a text scalar by scalar, as programs see it: to Swift a quote and a combining mark after
  /// it are one character.
  func replacingScalars(_ text: String, with other: String) -> String {
    String(unicodeScalars.replacing(text.unicodeScalars, with: other.unicodeScalars))
  }
}
