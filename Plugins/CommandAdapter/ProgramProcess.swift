import ArchiverCore
import Synchronization

/// A running program: requests on its standard input, replies on its standard output.
///
/// Calls block, check for cancellation every 50 ms, and must not be concurrent. The program is in
/// its own process group, so that its child processes end with it. On deinitialisation its standard
/// input is closed, and it is killed if it does not end soon.
final class ProgramProcess: Sendable {
  private struct State {
    var input: Int32
    var output: LineReader
    var error: LineReader
    var errorLines = 0
    var lastErrorLine: String?
    /// The status from `waitpid`; `nil` while the program runs.
    var status: Int32?
  }

  let program: SourceProgram
  /// The handover folder; removed at the end.
  let folder: String
  private let pid: pid_t
  private let limits: ProgramLimits
  private let report: @Sendable (LogLevel, String) -> Void
  private let state: Mutex<State>

  /// Starts the program with `environment` as its whole environment.
  init(
    _ program: SourceProgram, environment: [String: String], limits: ProgramLimits,
    report: @escaping @Sendable (LogLevel, String) -> Void
  ) throws(AdapterError) {
    self.program = program
    self.limits = limits
    self.report = report
    let base = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(base)/archiver-source.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw AdapterError(
        .unavailable, "no temporary folder can be made in \(base): \(systemMessage())")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var environment = environment
    environment["ARCHIVER_FOLDER"] = folder
    do throws(ChildProgram.Failure) {
      let child = try ChildSpawn.start(program.path, environment: environment)
      pid = child.pid
      state = Mutex(
        State(
          input: child.input, output: LineReader(child.output, limit: limits.lineBytes),
          error: LineReader(child.error, limit: 4096)))
    } catch {
      rmdir(folder)
      throw AdapterError(
        .unavailable, "\(program.path) cannot be started: \(error.reason)")
    }
  }

  deinit { close(patience: limits.patience) }

  /// Writes a request and a line feed.
  func send(_ line: [UInt8], isCancelled: () -> Bool) throws(AdapterError) {
    let deadline = ContinuousClock.now + limits.silence
    var rest = (line + [0x0A])[...]
    while !rest.isEmpty {
      try check(deadline, isCancelled)
      let descriptor = state.withLock { $0.input }
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&request, 1, 50) <= 0 { continue }
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EPIPE {
        // The program no longer reads. Its last reply or exit status is found on reading.
        return
      } else if count < 0, errno != EINTR, errno != EAGAIN {
        throw ended()
      }
    }
  }

  /// Returns a line that was printed already, or `nil`. Does not wait.
  func printedLine() -> [UInt8]? {
    state.withLock { state in
      if let line = state.output.takeLine() { return line }
      state.output.fill(waiting: 0)
      return state.output.takeLine()
    }
  }

  /// Returns the next line of output; passes on standard error while waiting.
  func nextLine(
    silence: Duration, isCancelled: () -> Bool
  ) throws(AdapterError) -> [UInt8] {
    let deadline = ContinuousClock.now + silence
    while true {
      if let line = state.withLock({ $0.output.takeLine() }) { return line }
      try check(deadline, isCancelled)
      switch receive() {
      case .more: continue
      case .ended: throw ended()
      case .tooLong:
        throw AdapterError(
          .tooLarge,
          "\(program.name) printed a line that is too long "
            + Limit.fixed(bytes: limits.lineBytes))
      }
    }
  }

  /// Closes standard input and waits for the program's end; kills it after a timeout.
  func finish() { close(patience: limits.patience) }

  /// Kills the program and its child processes at once.
  func terminate() { close(patience: .zero) }

  private enum Reception {
    case more, ended, tooLong
  }

  /// Waits up to 50 ms for output and reads it.
  private func receive() -> Reception {
    state.withLock { state in
      // poll would report a closed stream repeatedly; it ignores -1.
      let error = state.error.isAtEnd ? -1 : state.error.descriptor
      var requests = [
        pollfd(fd: state.output.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: error, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&requests, 2, 50) <= 0 { return .more }
      if requests[1].revents != 0 {
        state.error.fill()
        passOn(&state)
      }
      guard requests[0].revents != 0 else { return .more }
      state.output.fill()
      if state.output.isTooLong { return .tooLong }
      return state.output.isAtEnd ? .ended : .more
    }
  }

  /// Reports lines of standard error, up to the limit. They are not warnings: a program may print
  /// anything while its requests succeed, and the last line is part of a failure's message.
  private func passOn(_ state: inout State) {
    while let line = state.error.takeLine() ?? state.error.takeRest() {
      let text = String(decoding: line, as: UTF8.self)
      if text.allSatisfy(\.isWhitespace) { continue }
      state.lastErrorLine = String(text.prefix(300))
      state.errorLines += 1
      if state.errorLines == limits.errorLines {
        report(.info, "more output on standard error is left out")
      } else if state.errorLines < limits.errorLines {
        report(.info, text)
      }
    }
  }

  private func check(
    _ deadline: ContinuousClock.Instant, _ isCancelled: () -> Bool
  ) throws(AdapterError) {
    if isCancelled() { throw AdapterError(.cancelled, "\(program.name) was interrupted") }
    if ContinuousClock.now > deadline {
      let line = state.withLock { $0.lastErrorLine }
      throw AdapterError(
        .unavailable,
        "\(program.name) printed nothing for too long" + (line.map { ": \($0)" } ?? ""))
    }
  }

  /// Returns the error for a program that ended before it replied.
  private func ended() -> AdapterError {
    close(patience: limits.patience)
    let (status, line) = state.withLock { ($0.status ?? 0, $0.lastErrorLine) }
    let reason = line.map { ": \($0)" } ?? ""
    let how = exitWords(status) ?? "ended"
    return AdapterError(.unavailable, "\(program.name) \(how) before it responded\(reason)")
  }

  /// Closes standard input, waits, then kills the program. Reports an exit status that indicates a
  /// failure.
  private func close(patience: Duration) {
    state.withLock { state in
      if state.status != nil { return }
      closeDescriptor(state.input)
      let deadline = ContinuousClock.now + patience
      var status: Int32 = 0
      var isKilled = patience == .zero
      if isKilled { kill(-pid, SIGKILL) }
      while isRunning {
        state.error.fill(waiting: 5)
        state.output.discard()
        passOn(&state)
        if !isKilled, ContinuousClock.now > deadline {
          isKilled = true
          kill(-pid, SIGKILL)
          report(.warning, "it did not exit at the end of its input and was killed")
        }
      }
      state.error.fill(waiting: 0)
      passOn(&state)
      // Kill the processes left in the group before the child is reaped: afterwards the id of the
      // group may be reused.
      kill(-pid, SIGKILL)
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      state.status = status
      closeDescriptor(state.output.descriptor)
      closeDescriptor(state.error.descriptor)
      if !isKilled, let words = exitWords(status) {
        report(.warning, "it \(words)" + (state.lastErrorLine.map { ": \($0)" } ?? ""))
      }
    }
    // A folder that cannot be removed stays in the system's temporary directory.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Whether the program has not ended yet; its status is collected later.
  private var isRunning: Bool {
    var ending = siginfo_t()
    // waitid returns 0 without a result if the program is running.
    let status = waitid(P_PID, id_t(pid), &ending, WEXITED | WNOHANG | WNOWAIT)
    return status == 0 && ending.si_signo == 0 || status < 0 && errno == EINTR
  }

  /// Describes a status other than 0 (the macros of wait(2)); `nil` for 0.
  private func exitWords(_ status: Int32) -> String? {
    if status & 0x7F != 0 { return "was killed by signal \(status & 0x7F)" }
    let code = status >> 8 & 0xFF
    return code == 0 ? nil : "exited with status \(code)"
  }
}

private func closeDescriptor(_ descriptor: Int32) {
  // A failure to close a pipe has no remedy.
  _ = close(descriptor)
}

/// The message for `errno`.
func systemMessage() -> String { String(cString: strerror(errno)) }
