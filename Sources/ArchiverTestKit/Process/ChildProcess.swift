import ArchiverCore
import Synchronization

/// A program started by a test, with its output in files.
package final class ChildProcess: Sendable {
  package let pid: Int32
  private let folder: String
  private let outputPath: String
  private let errorPath: String
  private let status = Mutex<Int32?>(nil)
  /// The writing end of standard input, which keeps it open; -1 if it is empty.
  private let input: Int32

  /// Starts a program. Standard input is empty, or open without data as long as this value exists.
  ///
  /// `environment` is the whole environment; nothing is inherited. Throws if the program cannot be
  /// started.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String],
    keepsInputOpen: Bool = false
  ) throws {
    folder = try TemporaryFolder.make("process")
    outputPath = folder + "/stdout"
    errorPath = folder + "/stderr"
    do throws(ChildProgram.Failure) {
      let pipe = keepsInputOpen ? try ChildProgram.pipe() : nil
      input = pipe?.writing ?? -1
      defer { if let pipe { close(pipe.reading) } }
      pid = try ChildProgram.start(
        path, arguments, environment: environment,
        input: pipe.map { .descriptor($0.reading) } ?? .empty, output: .file(outputPath),
        error: .file(errorPath))
    } catch {
      throw Failure("\(path): \(error.reason)")
    }
  }

  deinit {
    if input >= 0 { close(input) }
    end()
    TemporaryFolder.remove(folder)
  }

  /// A failure to start or to wait.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
      self.description = description
    }
  }

  /// Everything written to standard output so far.
  package var output: String { Self.read(outputPath) }

  /// Everything written to standard error so far.
  package var errorOutput: String { Self.read(errorPath) }

  /// Whether the program is running.
  package var isRunning: Bool { poll() == nil }

  /// Sends a signal.
  package func signal(_ number: Int32) {
    if status.withLock({ $0 == nil }) { kill(pid, number) }
  }

  /// Waits until standard output has a complete line and returns it.
  package func firstLine(limit: Duration = .seconds(30)) async throws -> String {
    let line = try await Condition.value(every: .milliseconds(5), limit: limit) {
      let text = output
      if let newline = text.firstIndex(of: "\n") { return String(text[..<newline]) }
      if let code = poll() { throw Failure("it ended with \(code): \(errorOutput)") }
      return nil as String?
    }
    guard let line else { throw Failure("pid \(pid) said nothing within \(limit)") }
    return line
  }

  /// Waits for the end. Returns the exit code, or 128 plus the number of the signal as in shells.
  ///
  /// A program that runs longer than `limit` is killed and a failure thrown.
  package func wait(limit: Duration = .seconds(60)) async throws -> Int32 {
    let code = try await Condition.value(every: .milliseconds(5), limit: limit) { poll() }
    if let code { return code }
    signal(SIGKILL)
    throw Failure("pid \(pid) ran longer than \(limit): \(errorOutput)")
  }

  /// Kills the program if it is running, and reaps it.
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

  /// Returns the path of a program on `PATH`; `nil` if it is not installed.
  package static func find(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
