import ArchiverCore

#if canImport(Glibc)
  import Glibc

  private let openFilesResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  import Darwin

  private let openFilesResource = RLIMIT_NOFILE
#endif

/// What the system keeps for the process.
package enum ProcessResources {
  /// How many open files there is room for: a download for each connection of a run, and the
  /// folders that files are sorted into. Most systems allow as many.
  private static let openFiles: Int32 = 1024

  /// With fewer open files nothing works reliably: libraries and the catalog take some dozens.
  static let leastOpenFiles = 96
  /// Open files beside those of downloads.
  private static let ownOpenFiles = 48
  /// Open files of a download: its connection, those waiting beside it, and what it is stored in.
  private static let openFilesPerJob = 4

  /// How many files the process may have open.
  static var openFileLimit: Int {
    var limit = rlimit()
    guard getrlimit(openFilesResource, &limit) == 0 else { return Int(openFiles) }
    return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
  }

  /// How many downloads at once the open files suffice for, of those that are wanted; at least one.
  static func jobs(_ wanted: Int, openFiles limit: Int) -> Int {
    max(1, min(wanted, (limit - ownOpenFiles - limit / 4) / openFilesPerJob))
  }

  /// A sentence where the system allows too few open files to begin anything; `nil` else.
  static func shortage(openFiles limit: Int) -> String? {
    guard limit < leastOpenFiles else { return nil }
    return "the system allows \(limit) open files, and at least \(leastOpenFiles) are needed; "
      + "raise the limit (ulimit -n, LimitNOFILE)"
  }

  /// Ends the process with a line where it cannot work.
  package static func requireOpenFiles() {
    guard let shortage = shortage(openFiles: openFileLimit) else { return }
    let line = Array("archiver: \(shortage)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    exit(ExitCode.usage.rawValue)
  }

  /// Arranges what is cheap as long as there is one thread and dear later: call it first.
  package static func prepare() {
    occupyStandardStreams()
    Heap.shareArenas()
    Heap.mapLarge()
    raiseOpenFiles()
    makeRoomForOpenFiles()
  }

  /// Puts something in the place of standard streams that were closed: the next file to be opened would
  /// take their number, and get what is meant for them. What is put there fails as they would.
  private static func occupyStandardStreams() {
    for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free is the one that was missing.
      _ = open("/dev/null", mode)
    }
  }

  /// Takes as many open files as the process is allowed to.
  private static func raiseOpenFiles() {
    var limit = rlimit()
    guard getrlimit(openFilesResource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    // More than this only makes programs slow that close all they might have.
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
    // Where it is refused the old limit stands.
    _ = setrlimit(openFilesResource, &limit)
  }

  /// Makes the table of open files as large as it will be needed.
  ///
  /// Linux lets every thread that opens a file wait for some milliseconds whenever the table of a
  /// process with several threads grows (`expand_files` in fs/file.c).
  private static func makeRoomForOpenFiles() {
    let last = fcntl(0, F_DUPFD_CLOEXEC, openFiles - 1)
    // Not allowed, or nothing to copy: the table grows later.
    if last >= 0 { close(last) }
  }
}
