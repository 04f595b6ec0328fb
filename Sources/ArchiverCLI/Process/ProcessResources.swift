import ArchiverCore
import ArchiverStorage

/// The resources of the process.
package enum ProcessResources {
  /// The final size of the table of open files: a download per connection of a run, and the
  /// directories of the pool. Most systems allow as many.
  private static let openFiles: Int32 = 1024

  /// The minimum number of open files: libraries and the catalog need some dozens.
  static let leastOpenFiles = 96
  /// Open files other than those of downloads.
  private static let ownOpenFiles = 48
  /// Open files per download: its connection, idle connections, and the file that it is stored in.
  private static let openFilesPerJob = 4

  /// Returns the number of concurrent downloads that the open files allow, up to `wanted`; at least
  /// one.
  static func jobs(_ wanted: Int, openFiles limit: Int) -> Int {
    max(1, min(wanted, (limit - ownOpenFiles - limit / 4) / openFilesPerJob))
  }

  /// Returns a sentence if the system allows too few open files, otherwise `nil`.
  static func shortage(openFiles limit: Int) -> String? {
    guard limit < leastOpenFiles else { return nil }
    return "the system allows \(limit) open files, and at least \(leastOpenFiles) are needed; "
      + "raise the limit (ulimit -n, LimitNOFILE)"
  }

  /// A sentence if `/proc` is not mounted, as in some chroots; `nil` otherwise. Swift reads the arguments
  /// there, and libdispatch ends the process if it cannot count its threads there.
  static func missingProc(_ path: String = "/proc/self/task") -> String? {
    #if os(Linux)
      guard access(path, R_OK) != 0 else { return nil }
      return "/proc is not mounted, but Swift programs need it; mount it (mount -t proc proc /proc)"
    #else
      return nil
    #endif
  }

  /// Ends the process with a message and exit code 2 if the system lacks a necessary feature.
  package static func requireSystem() {
    guard let shortage = missingProc() ?? shortage(openFiles: OpenFileLimit.available) else {
      return
    }
    let line = Array("archiver: \(shortage)\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    exit(ExitCode.usage.rawValue)
  }

  /// Does process setup that is cheap while there is one thread and expensive later. Call it first.
  package static func prepare() {
    occupyStandardStreams()
    silenceDispatch()
    Heap.shareArenas()
    Heap.mapLarge()
    OpenFileLimit.raise()
    makeRoomForOpenFiles()
  }

  /// Keeps libdispatch from writing to the system's log, which this program does not use. In a
  /// process with a low priority, as under systemd's `Nice=`, it would log for each thread that it
  /// may not raise it.
  private static func silenceDispatch() {
    #if canImport(Glibc)
      // Enable only a level that libdispatch does not use: a mask of 0 would change nothing.
      setlogmask(1 << LOG_EMERG)
    #endif
  }

  /// Opens `/dev/null` for standard streams that were closed: otherwise the next file opened would
  /// get their number, and their output. Reads and writes fail as they would have.
  private static func occupyStandardStreams() {
    for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
      // open returns the lowest free number, which is the missing one.
      _ = open("/dev/null", mode)
    }
  }

  /// Grows the table of open files to its final size.
  ///
  /// When the table of a process with several threads grows, Linux makes every thread that opens a
  /// file wait for some milliseconds (`expand_files` in fs/file.c).
  private static func makeRoomForOpenFiles() {
    let last = fcntl(0, F_DUPFD_CLOEXEC, openFiles - 1)
    // If the limit does not allow it, the table grows later.
    if last >= 0 { close(last) }
  }
}
