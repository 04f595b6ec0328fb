import ArchiverCore

/// Runs an external program that reads a book, with a directory for everything that it writes.
struct BookChild {
  /// The polling interval in microseconds.
  private static let pause: UInt32 = 20_000

  let searchPath: String
  /// The absolute path of the directory.
  let folder: String
  /// The time limit.
  let time: Duration

  /// Runs a program and returns its status; 128 and more for a signal.
  ///
  /// Blocks until it has ended. Kills it at the time limit and if the task is cancelled.
  func run(_ path: String, _ arguments: [String]) throws(BookProgram.Failure) -> Int {
    let child: pid_t
    do throws(ChildProgram.Failure) {
      child = try ChildProgram.start(
        path, arguments, environment: environment, output: .empty, error: .empty,
        hasOwnGroup: true)
    } catch {
      throw BookProgram.Failure(reason: "it could not be started: \(error.reason)")
    }
    return try wait(for: child)
  }

  static func absolute(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Redirects all its private files to the directory.
  private var environment: [String: String] {
    var variables = [
      "PATH": searchPath, "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen",
      "CALIBRE_NO_NATIVE_FILEDIALOGS": "1",
    ]
    for name in [
      "HOME", "TMPDIR", "CALIBRE_CONFIG_DIRECTORY", "CALIBRE_TEMP_DIR", "CALIBRE_CACHE_DIRECTORY",
      "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
    ] {
      variables[name] = folder
    }
    return variables
  }

  private func wait(for child: pid_t) throws(BookProgram.Failure) -> Int {
    let clock = ContinuousClock()
    let deadline = clock.now + time
    while true {
      var status: Int32 = 0
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child {
        return Int(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F)
      }
      guard ended == 0 || errno == EINTR else {
        throw BookProgram.Failure(reason: "its exit status is unknown")
      }
      if clock.now > deadline || Task.isCancelled {
        kill(-child, SIGKILL)
        _ = waitpid(child, &status, 0)
        throw BookProgram.Failure(
          reason: Task.isCancelled ? "the run was stopped" : "it took longer than \(time)")
      }
      usleep(BookChild.pause)
    }
  }
}
