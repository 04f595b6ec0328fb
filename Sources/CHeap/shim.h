// glibc's malloc.h, which Swift's Glibc module does not include. Other C libraries do not have it.
#ifndef ARCHIVER_CHEAP_H
#define ARCHIVER_CHEAP_H

#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>

static inline void archiver_heap_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }
static inline void archiver_heap_map_from(int size, int kept) {
  mallopt(M_MMAP_THRESHOLD, size);
  mallopt(M_TRIM_THRESHOLD, kept);
}
static inline void archiver_heap_trim(void) { malloc_trim(0); }
#else
static inline void archiver_heap_limit_arenas(int count) { (void)count; }
static inline void archiver_heap_map_from(int size, int kept) { (void)size, (void)kept; }
static inline void archiver_heap_trim(void) {}
#endif

#endif
