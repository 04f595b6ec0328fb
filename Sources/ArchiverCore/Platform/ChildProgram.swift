import Synchronization

/// Spawns child processes; the caller waits for them.
package enum ChildProgram {
  /// Held while a pipe is created and while a child is spawned. The close-on-exec flag of a pipe is
  /// set after its creation: a child spawned in between would inherit an end, and the pipe's reader
  /// would never reach end of file.
  private static let turn = Mutex(())

  /// A standard stream of the child.
  package enum Stream: Sendable {
    /// The parent's own stream.
    case inherited
    /// `/dev/null`.
    case empty
    /// A duplicate of this descriptor, which the caller keeps.
    case descriptor(Int32)
    /// A file that is created or truncated, readable by its owner only.
    case file(String)
  }

  /// The error number of a failed system call.
  package struct Failure: Error, Hashable {
    package let code: Int32

    package var reason: String { String(cString: strerror(code)) }
  }

  /// Spawns the program at a path.
  ///
  /// Signals that the parent ignores, catches or blocks have their default effect in the child.
  /// `environment` is its whole environment. It inherits descriptors without close-on-exec. With a
  /// process group of its own, `kill(-pid, …)` also reaches its children.
  package static func start(
    _ path: String, _ arguments: [String] = [], environment: [String: String],
    input: Stream = .empty, output: Stream = .inherited, error: Stream = .inherited,
    hasOwnGroup: Bool = false
  ) throws(Failure) -> pid_t {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in [input, output, error].enumerated() {
      let number = Int32(number)
      switch stream {
      case .inherited: break
      case .empty:
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      case .file(let path):
        posix_spawn_file_actions_addopen(
          &actions, number, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      }
    }
    var signals = signalSet(
      [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] + (HangUp.wasIgnored ? [] : [SIGHUP]))
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // Threads of Dispatch block signals, and a child inherits the mask of the spawning thread.
    var none = signalSet([])
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    if hasOwnGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETPGROUP)
    }
    posix_spawnattr_setflags(&attributes, flags)

    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    // The parent process may have set SIGCHLD to be ignored; the child's exit status would then be
    // lost.
    signal(SIGCHLD, SIG_DFL)
    var pid: pid_t = 0
    let status = turn.withLock { _ in
      posix_spawn(&pid, path, &actions, &attributes, &words, &variables)
    }
    guard status == 0 else { throw Failure(code: status) }
    return pid
  }

  private static func signalSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }

  /// Returns a pipe whose ends children of `start` do not inherit.
  ///
  /// Neither end has the number of a standard stream, even if those are closed: duplicating it to a
  /// child's stream could overwrite another.
  package static func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
    let result: Result<(Int32, Int32), Failure> = turn.withLock { _ in
      var ends: [Int32] = [-1, -1]
      #if canImport(Glibc)
        guard Glibc.pipe(&ends) == 0 else { return .failure(Failure(code: errno)) }
      #else
        guard Darwin.pipe(&ends) == 0 else { return .failure(Failure(code: errno)) }
      #endif
      var moved: [Int32] = []
      for end in ends {
        let number = end > 2 ? end : fcntl(end, F_DUPFD, 3)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        moved.append(number)
      }
      let failure = errno
      for (end, number) in zip(ends, moved) where end != number { close(end) }
      guard moved.allSatisfy({ $0 > 2 }) else {
        for number in moved where number > 2 { close(number) }
        return .failure(Failure(code: failure))
      }
      return .success((moved[0], moved[1]))
    }
    let ends = try result.get()
    return (reading: ends.0, writing: ends.1)
  }
}
