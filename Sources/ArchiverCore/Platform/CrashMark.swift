import Synchronization

/// Marks a crash of the process for the next one.
///
/// Files that name items in work are registered while they are open. If the process dies of an
/// illegal instruction or an invalid access, a line is appended to each registered file, one line
/// is printed, and the process ends with `exitCode`.
///
/// While a reporter is armed, the process re-executes its program instead, with the same id and
/// arguments, which reports the crash and ends with `exitCode`.
package enum CrashMark {
  /// EX_SOFTWARE of sysexits.h.
  package static let exitCode: Int32 = 70
  /// The line appended to a registered file.
  package static let line: StaticString = "\n\"crash\"\n"
  private static let message: StaticString =
    "archiver: crashed; archived items are intact, and the next run tries the current item last\n"

  /// The registered descriptors; -1 in free slots. The memory never moves, since a signal handler
  /// reads it.
  private nonisolated(unsafe) static let places: UnsafeMutableBufferPointer<Int32> = {
    let places = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 8)
    places.initialize(repeating: -1)
    return places
  }()
  private static let lock = Mutex(())
  /// The size of the handler's stack: the thread's own may be exhausted.
  private static let stackSize = 64 << 10

  /// An environment variable, set to its pid in a process that reports its own crash.
  private static let mark = "ARCHIVER_CRASHED"
  /// Arguments and environment of the reporter, as execve(2) takes them. They are allocated before a
  /// crash and never freed, since a signal handler reads them.
  private typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private nonisolated(unsafe) static var reporter: (arguments: Words, variables: Words)?
  private nonisolated(unsafe) static var isArmed = false
  /// The program, even if its file was replaced since.
  private static let program: StaticString = "/proc/self/exe\0"

  /// Whether this process reports its own crash.
  package static func isReporting(_ variables: [String: String]) -> Bool {
    variables[mark] == String(getpid())
  }

  /// Arms or disarms the reporter. The environment is that of the first call.
  package static func armReporter(_ isArmed: Bool) {
    #if os(Linux)
      lock.withLock { _ in
        if isArmed, reporter == nil {
          reporter = (words(CommandLine.arguments), words(environment() + ["\(mark)=\(getpid())"]))
        }
        self.isArmed = isArmed
      }
    #endif
  }

  private static func environment() -> [String] {
    ProcessInfo.processInfo.environment.filter { $0.key != mark }.map { "\($0.key)=\($0.value)" }
  }

  private static func words(_ texts: [String]) -> Words {
    let words = Words.allocate(capacity: texts.count + 1)
    words.initialize(repeating: nil, count: texts.count + 1)
    for (index, text) in texts.enumerated() { words[index] = strdup(text) }
    return words
  }

  /// Installs handlers of the signals that crashes raise. Call it once, and not if
  /// `SWIFT_BACKTRACE` requests the runtime's own report.
  package static func install() {
    // A signal handler must not be the first to use them.
    _ = (places, reporter == nil, isArmed)
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
    stack.ss_size = stackSize
    sigaltstack(&stack, nil)
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in CrashMark.tell() }
      // A second fault inside the handler ends the process at once.
      action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// Registers a file; a no-op if eight files are registered.
  package static func register(_ descriptor: Int32) { replace(-1, by: descriptor) }

  /// Unregisters a file; call it before closing the descriptor.
  package static func unregister(_ descriptor: Int32) { replace(descriptor, by: -1) }

  private static func replace(_ old: Int32, by new: Int32) {
    lock.withLock { _ in
      if let index = places.firstIndex(of: old) { places[index] = new }
    }
  }

  /// Calls only async-signal-safe functions (POSIX.1-2017, 2.4.3).
  private static func tell() {
    for index in 0..<places.count where places[index] >= 0 {
      lseek(places[index], 0, SEEK_END)
      _ = write(places[index], line.utf8Start, line.utf8CodeUnitCount)
    }
    _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
    report()
    _exit(exitCode)
  }

  /// Replaces the process by the reporter if it is armed; returns if it cannot.
  private static func report() {
    #if os(Linux)
      guard isArmed, let reporter else { return }
      // Both survive execve: the mask blocks the signal of this handler.
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      signal(SIGINT, SIG_DFL)
      signal(SIGTERM, SIG_DFL)
      _ = program.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) { path in
        execve(path, reporter.arguments, reporter.variables)
      }
    #endif
  }
}
