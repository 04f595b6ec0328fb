import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a program could not be started.
struct SpawnFailure: Error {
  let reason: String
}

/// Starts programs with pipes to their three streams.
enum ChildSpawn {
  struct Child {
    let pid: pid_t
    let input: Int32
    let output: Int32
    let error: Int32
  }

  /// Pipes get their close-on-exec flag after they are made: a program started in between would
  /// keep them open.
  private static let turn = Mutex(())

  /// Starts a program in a process group of its own. Our ends of the pipes are the caller's to
  /// close; the one to its standard input does not block.
  static func start(
    _ path: String, environment: [String: String]
  ) throws(SpawnFailure) -> Child {
    // Writing to a program that went away is told by EPIPE.
    signal(SIGPIPE, SIG_IGN)
    let result: Result<Child, SpawnFailure> = turn.withLock { _ in
      var pipes: [[Int32]] = []
      for _ in 0..<3 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
          let reason = systemMessage()
          for end in pipes.joined() { close(end) }
          return .failure(SpawnFailure(reason: reason))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipes.append(ends)
      }
      let theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
      let ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
      defer { for end in theirs { close(end) } }
      var pid: pid_t = 0
      var status = spawn(path, environment, theirs, &pid)
      for _ in 0..<50 where status == ETXTBSY {
        // Somebody is writing the file this very moment, as when it is being installed.
        usleep(20_000)
        status = spawn(path, environment, theirs, &pid)
      }
      guard status == 0 else {
        for end in ours { close(end) }
        return .failure(SpawnFailure(reason: String(cString: strerror(status))))
      }
      _ = fcntl(ours[0], F_SETFL, fcntl(ours[0], F_GETFL) | O_NONBLOCK)
      return .success(Child(pid: pid, input: ours[0], output: ours[1], error: ours[2]))
    }
    return try result.get()
  }

  private static func spawn(
    _ path: String, _ environment: [String: String], _ streams: [Int32], _ pid: inout pid_t
  ) -> Int32 {
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
    for (number, descriptor) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    // We ignore or catch these; a program expects to die of them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return posix_spawn(&pid, path, &actions, &attributes, &arguments, &variables)
  }
}
