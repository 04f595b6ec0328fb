import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the system keeps for the process.
package enum ProcessResources {
  /// How many open files there is room for: a download for each connection of a run, and the
  /// folders that files are sorted into. Most systems allow as many.
  private static let openFiles: Int32 = 1024

  /// Arranges what is cheap as long as there is one thread and dear later: call it first.
  package static func prepare() {
    occupyStandardStreams()
    Heap.shareArenas()
    Heap.mapLarge()
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
