import ArchiverCore

#if canImport(Glibc)
  import CPriority
  import Glibc
#else
  import Darwin
#endif

/// Lowers the priority of the process.
enum BackgroundPriority {
  /// Lowers the priority of all existing threads; later ones inherit it.
  ///
  /// On Linux, disk requests are served only while the disk is otherwise idle.
  static func lower() {
    #if os(Linux)
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      var lowered: Set<id_t> = []
      var next: [id_t] = [0]
      // A thread with the old priority may start others meanwhile, and one that is being started
      // is not listed yet: stop once two listings, a moment apart, have no new thread.
      var quietListings = 0
      while quietListings < 2 {
        for thread in next {
          setpriority(process, thread, 15)
          _ = archiver_disk_idle(Int32(thread))
        }
        lowered.formUnion(next)
        // Without /proc only the calling thread can be found.
        let threads =
          (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        next = threads.compactMap { id_t($0) }.filter { !lowered.contains($0) }
        quietListings = next.isEmpty ? quietListings + 1 : 0
        if next.isEmpty { usleep(20_000) }
      }
    #else
      setpriority(PRIO_PROCESS, 0, 15)
    #endif
  }
}
