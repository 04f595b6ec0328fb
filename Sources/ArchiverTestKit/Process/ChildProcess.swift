import ArchiverCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program started by a test, with its output kept in files.
package final class ChildProcess: Sendable {
  package let pid: Int32
  private let outputPath: String
  private let errorPath: String
  private let status = Mutex<Int32?>(nil)
  /// The end of standard input that keeps it open; -1 when it is empty.
  private let input: Int32

  /// Starts a program; standard input is empty, or open and silent as long as this value lives.
  ///
  /// `environment` is the whole environment, nothing is inherited. Throws when it cannot start.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String],
    keepsInputOpen: Bool = false
  ) throws {
    let folder = try TemporaryFolder.make("process")
    outputPath = folder + "/stdout"
    errorPath = folder + "/stderr"
    var actions = Self.emptyActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    var ends: [Int32] = [-1, -1]
    if keepsInputOpen, pipe(&ends) == 0 {
      _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
      posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    input = ends[1]
    defer { if ends[0] >= 0 { close(ends[0]) } }
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, flags, 0o600)
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, path, &actions, nil, &argv, &envp)
    guard result == 0 else { throw Failure("\(path): \(String(cString: strerror(result)))") }
    self.pid = pid
  }

  deinit {
    if input >= 0 { close(input) }
    end()
  }

  /// What went wrong in starting or waiting.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
      self.description = description
    }
  }

  #if canImport(Glibc)
    private static func emptyActions() -> posix_spawn_file_actions_t { .init() }
  #else
    private static func emptyActions() -> posix_spawn_file_actions_t? { nil }
  #endif

  /// Everything written to standard output so far.
  package var output: String { Self.read(outputPath) }

  /// Everything written to standard error so far.
  package var errorOutput: String { Self.read(errorPath) }

  /// Sends a signal.
  package func signal(_ number: Int32) {
    if status.withLock({ $0 == nil }) { kill(pid, number) }
  }

  /// Waits until a whole line stands on standard output and returns the first.
  package func firstLine(limit: Duration = .seconds(30)) async throws -> String {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      let text = output
      if let newline = text.firstIndex(of: "\n") { return String(text[..<newline]) }
      if let code = poll() { throw Failure("it ended with \(code): \(errorOutput)") }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Failure("pid \(pid) said nothing within \(limit)")
  }

  /// Waits for the end. Returns the exit code, or 128 and the signal's number as shells do.
  ///
  /// A program that runs longer than `limit` is killed and a failure thrown.
  package func wait(limit: Duration = .seconds(60)) async throws -> Int32 {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if let code = poll() { return code }
      try await Task.sleep(for: .milliseconds(5))
    }
    signal(SIGKILL)
    throw Failure("pid \(pid) ran longer than \(limit): \(errorOutput)")
  }

  /// Kills the program if it still runs, and reaps it.
  package func end() {
    signal(SIGKILL)
    while poll() == nil { usleep(2_000) }
  }

  private func poll() -> Int32? {
    status.withLock { status in
      if let status { return status }
      var raw: Int32 = 0
      guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
      let signal = raw & 0x7F
      status = signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
      return status
    }
  }

  private static func read(_ path: String) -> String {
    guard let data = FileManager.default.contents(atPath: path) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the path of a program on `PATH`; `nil` when it is not installed.
  package static func find(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
