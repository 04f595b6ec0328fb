import CHeap

/// The memory that the C library hands out. Does nothing where that is not glibc.
package enum Heap {
  /// How many arenas threads share.
  private static let arenas: Int32 = 3

  /// Keeps what is freed from being scattered: call it before there are threads.
  ///
  /// By default glibc gives every thread an arena of its own, and what is freed in one serves no
  /// other (mallopt(3), `M_ARENA_MAX`).
  package static func shareArenas() { archiver_heap_limit_arenas(arenas) }

  /// Bytes from which memory is a mapping of its own, which is given back as soon as it is freed; and
  /// how much that is free at an arena's end is kept.
  private static let (mapped, kept): (Int32, Int32) = (256 << 10, 1 << 20)

  /// Keeps what is large from leaving holes: call it before there are threads.
  ///
  /// By default glibc raises the size from which it maps with every mapping that is freed, up to 32 MiB
  /// (mallopt(3), `M_MMAP_THRESHOLD`): lists of an archive's items that are gone stay in memory.
  package static func mapLarge() { archiver_heap_map_from(mapped, kept) }

  /// Gives pages that hold nothing back to the system (malloc_trim(3)), which takes a few
  /// milliseconds.
  package static func trim() { archiver_heap_trim() }
}
