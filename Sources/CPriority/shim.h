#pragma once
// The I/O priority of a thread (ioprio_set(2)), for which the C library has no function.
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// Sets a thread's disk requests to idle priority: served only if no other process has any. 0 is the
// calling thread.
static inline int archiver_disk_idle(int thread) {
  const int process = 1, idle = 3 << 13;
  return (int)syscall(SYS_ioprio_set, process, thread, idle);
}
#endif
