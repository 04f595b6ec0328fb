import CHeap

/// Settings of glibc's heap; no-ops with another C library.
package enum Heap {
  /// The number of arenas that threads share.
  private static let arenas: Int32 = 3

  /// Limits the number of arenas, against fragmentation. Call it before there are threads.
  ///
  /// By default glibc gives every thread an arena of its own, and memory freed in one cannot be
  /// used by another (mallopt(3), `M_ARENA_MAX`).
  package static func shareArenas() { archiver_heap_limit_arenas(arenas) }

  /// The minimum size of an allocation that is mapped, and unmapped when freed; and the free memory
  /// kept at an arena's end.
  private static let (mapped, kept): (Int32, Int32) = (256 << 10, 1 << 20)

  /// Fixes the size from which allocations are mapped, against holes in the heap. Call it before
  /// there are threads.
  ///
  /// By default glibc raises that size whenever a mapping is freed, up to 32 MiB (mallopt(3),
  /// `M_MMAP_THRESHOLD`), so freed lists of an archive's items stay in memory.
  package static func mapLarge() { archiver_heap_map_from(mapped, kept) }

  /// Returns free pages to the system (malloc_trim(3)), which takes a few milliseconds.
  package static func trim() { archiver_heap_trim() }
}
