import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Marks a crash of the process for the next one.
///
/// Files that name items in work are registered while they are open. If the process dies of an
/// illegal instruction or an invalid access, a line is appended to each registered file, one line
/// is printed, and the process ends with `exitCode`.
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

  /// Installs handlers of the signals that crashes raise. Call it once, and not if
  /// `SWIFT_BACKTRACE` requests the runtime's own report.
  package static func install() {
    _ = places
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
    _exit(exitCode)
  }
}
