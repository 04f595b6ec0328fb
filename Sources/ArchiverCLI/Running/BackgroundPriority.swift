import ArchiverCore

#if canImport(Glibc)
  import CPriority
#endif

/// Lowers the priority of the process.
enum BackgroundPriority {
  private static let nice: Int32 = 15

  /// Lowers the priority of all existing threads. Called before the program starts any other, this
  /// cannot miss a thread that is just being started, and later ones inherit the priority.
  ///
  /// Dispatch sets the nice value of each of its threads, which root may do. Therefore the calling
  /// thread and those that it starts lose the right to raise priorities.
  ///
  /// On Linux, disk requests are served only while the disk is otherwise idle.
  static func lower() {
    #if os(Linux)
      let process = __priority_which_t(PRIO_PROCESS.rawValue)
      if getpriority(process, 0) >= nice { return }
      // It fails only if the right is already missing.
      _ = archiver_keep_priority_low()
      var lowered: Set<id_t> = []
      var next: [id_t] = [0]
      // A thread with the old priority may start others meanwhile.
      while !next.isEmpty {
        for thread in next {
          setpriority(process, thread, nice)
          _ = archiver_disk_idle(Int32(thread))
        }
        lowered.formUnion(next)
        // Without /proc, only the calling thread is found.
        let threads =
          (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        next = threads.compactMap { id_t($0) }.filter { !lowered.contains($0) }
      }
    #else
      setpriority(PRIO_PROCESS, 0, nice)
    #endif
  }
}
