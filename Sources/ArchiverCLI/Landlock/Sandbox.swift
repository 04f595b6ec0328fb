import ArchiverCore

#if os(Linux)
  import CLandlock
#endif

/// Restricts the process to changing only the files that it needs (Landlock).
///
/// A thread can bind only itself and threads it starts later. If it is the only one, that is the
/// whole process. Otherwise the process binds itself and re-executes its program, with the same id,
/// arguments and open files; the new image runs inside the sandbox and continues. Reading stays free:
/// names are resolved and certificates read as usual.
package enum Sandbox {
  /// The files that may be changed.
  package struct Places: Sendable, Hashable {
    /// Directories, with everything below them.
    package var folders: [String] = []
    /// Existing files, whose content may be changed.
    package var files: [String] = []
  }

  /// The environment variable that a process inside the sandbox sets to its pid.
  private static let mark = "ARCHIVER_SANDBOX"

  /// Whether this process already runs inside the sandbox.
  package static func isEntered(_ variables: [String: String]) -> Bool {
    variables[mark] == String(getpid())
  }

  /// The version of the kernel's Landlock; `nil` if it is missing or too old.
  package static var version: Int? {
    #if os(Linux)
      let version = archiver_landlock_version()
      // Version 1 forbids all renames between directories.
      return version >= 2 ? version : nil
    #else
      return nil
    #endif
  }

  /// Enters the sandbox. Re-executes the program if other threads exist, as they would stay
  /// outside.
  ///
  /// Missing paths are ignored.
  package static func enter(_ places: Places) {
    #if os(Linux)
      if isOnlyThread {
        _ = bind(places)
        return
      }
      guard access("/proc/self/exe", X_OK) == 0, bind(places) else { return }
      setenv(mark, String(getpid()), 1)
      // Threads of Dispatch block signals, and the mask of the calling thread survives exec.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      let words = CommandLine.arguments.map { strdup($0) }
      defer { for word in words { free(word) } }
      execv("/proc/self/exe", words + [nil])
      unsetenv(mark)
    #endif
  }

  #if os(Linux)
    /// Whether this is the only thread: each thread is a subdirectory here, and counts as a link.
    private static var isOnlyThread: Bool {
      var status = stat()
      return stat("/proc/self/task", &status) == 0 && status.st_nlink == 3
    }

    /// Binds the calling thread and its future children; returns whether that succeeded.
    static func bind(_ places: Places) -> Bool {
      guard let version, let rules = rules(for: places, version) else { return false }
      defer { close(rules) }
      return archiver_landlock_enter(rules) == 0
    }

    private static func rules(for places: Places, _ version: Int) -> Int32? {
      var uses = UInt64(
        ARCHIVER_LANDLOCK_WRITE_FILE | ARCHIVER_LANDLOCK_REMOVE_AND_MAKE | ARCHIVER_LANDLOCK_REFER)
      var contents = UInt64(ARCHIVER_LANDLOCK_WRITE_FILE)
      if version >= 3 {
        uses |= UInt64(ARCHIVER_LANDLOCK_TRUNCATE)
        contents |= UInt64(ARCHIVER_LANDLOCK_TRUNCATE)
      }
      let rules = archiver_landlock_rules(uses)
      guard rules >= 0 else { return nil }
      for folder in places.folders { allow(uses, at: folder, rules) }
      for file in places.files { allow(contents, at: file, rules) }
      return rules
    }

    private static func allow(_ uses: UInt64, at path: String, _ rules: Int32) {
      let place = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard place >= 0 else { return }
      defer { close(place) }
      _ = archiver_landlock_allow(rules, place, uses)
    }
  #endif
}
