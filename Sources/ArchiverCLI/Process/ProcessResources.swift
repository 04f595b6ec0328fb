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
    Heap.shareArenas()
    Heap.mapLarge()
    makeRoomForOpenFiles()
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
