import ArchiverCore

/// Starts programs with pipes for their three standard streams.
enum ChildSpawn {
  struct Child {
    let pid: pid_t
    let input: Int32
    let output: Int32
    let error: Int32
  }

  /// Starts a program in its own process group. The caller closes our ends of the pipes; the one
  /// for standard input is non-blocking.
  static func start(
    _ path: String, environment: [String: String]
  ) throws(ChildProgram.Failure) -> Child {
    // Writing to a program that has ended returns EPIPE.
    signal(SIGPIPE, SIG_IGN)
    var pipes: [(reading: Int32, writing: Int32)] = []
    do throws(ChildProgram.Failure) {
      for _ in 0..<3 { pipes.append(try ChildProgram.pipe()) }
      let (input, output, error) = (pipes[0], pipes[1], pipes[2])
      let pid = try spawn(path, environment, input.reading, output.writing, error.writing)
      for end in [input.reading, output.writing, error.writing] { close(end) }
      _ = fcntl(input.writing, F_SETFL, fcntl(input.writing, F_GETFL) | O_NONBLOCK)
      return Child(pid: pid, input: input.writing, output: output.reading, error: error.reading)
    } catch {
      for ends in pipes {
        close(ends.reading)
        close(ends.writing)
      }
      throw error
    }
  }

  private static func spawn(
    _ path: String, _ environment: [String: String], _ input: Int32, _ output: Int32, _ error: Int32
  ) throws(ChildProgram.Failure) -> pid_t {
    var attempts = 0
    while true {
      do throws(ChildProgram.Failure) {
        return try ChildProgram.start(
          path, environment: environment, input: .descriptor(input), output: .descriptor(output),
          error: .descriptor(error), hasOwnGroup: true)
      } catch {
        attempts += 1
        guard error.code == ETXTBSY, attempts < 50 else { throw error }
        // Another process has the file open for writing, such as an installer.
        usleep(20_000)
      }
    }
  }
}
