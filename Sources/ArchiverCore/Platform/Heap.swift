import CHeap

/// The memory that the C library hands out. Does nothing where that is not glibc.
package enum Heap {
  /// How many arenas threads share.
  private static let arenas: Int32 = 2

  /// Keeps what is freed from being scattered: call it before there are threads.
  ///
  /// By default glibc gives every thread an arena of its own, and what is freed in one serves no
  /// other (mallopt(3), `M_ARENA_MAX`).
  package static func shareArenas() { archiver_heap_limit_arenas(arenas) }

  /// Gives pages that hold nothing back to the system (malloc_trim(3)), which takes a few
  /// milliseconds.
  package static func trim() { archiver_heap_trim() }
}
