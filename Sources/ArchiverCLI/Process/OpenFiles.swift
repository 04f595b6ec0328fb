#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The process's table of open files.
package enum OpenFiles {
  /// How many it gets room for: a download each for the connections of a run, and the folders that
  /// files are sorted into. Most systems allow as many.
  private static let count: Int32 = 1024

  /// Makes the table as large as it will be needed.
  ///
  /// Linux lets every thread that opens a file wait for some milliseconds whenever the table of a
  /// process with several threads grows (`expand_files` in fs/file.c); with one thread it costs
  /// nothing.
  package static func makeRoom() {
    let last = fcntl(0, F_DUPFD_CLOEXEC, count - 1)
    // Not allowed or nothing to copy: the table grows later.
    if last >= 0 { close(last) }
  }
}
