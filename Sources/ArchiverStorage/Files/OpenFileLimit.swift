import ArchiverCore

#if canImport(Glibc)
  private let openFilesResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openFilesResource = RLIMIT_NOFILE
#endif

/// The number of files that the process may open.
package enum OpenFileLimit {
  /// The limit of the process, less the files that it inherited beside the standard streams; some
  /// schedulers and daemons leave many open. Counted at the first use, which must come before
  /// other files are opened.
  package static let available = max(0, limit - inherited)

  /// Raises the soft limit to the hard limit.
  package static func raise() {
    var limit = rlimit()
    guard getrlimit(openFilesResource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    // A higher limit only slows programs that close all possible descriptors.
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
    // If it is refused, the old limit stays.
    _ = setrlimit(openFilesResource, &limit)
  }

  private static var limit: Int {
    var limit = rlimit()
    guard getrlimit(openFilesResource, &limit) == 0 else { return 1_024 }
    return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
  }

  /// The number of open files besides the standard streams; 0 if the system does not report it.
  private static var inherited: Int {
    #if os(Linux)
      let folder = "/proc/self/fd"
    #else
      let folder = "/dev/fd"
    #endif
    guard let stream = opendir(folder) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    // `.`, `..`, the folder itself and three standard streams.
    return max(0, count - 6)
  }
}
