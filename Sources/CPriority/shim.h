#pragma once
// System calls on the priority of a thread for which the C library has no functions.
#ifdef __linux__
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sets a thread's disk requests to idle priority: served only if no other process has any. 0 is the
// calling thread.
static inline int archiver_disk_idle(int thread) {
  const int process = 1, idle = 3 << 13;
  return (int)syscall(SYS_ioprio_set, process, thread, idle);
}

// Takes the right to raise priorities (CAP_SYS_NICE) from the calling thread and from the threads that
// it starts. Returns 0, or -1 with errno.
static inline int archiver_keep_priority_low(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, sets) != 0) return -1;
  const unsigned nice = CAP_TO_MASK(CAP_SYS_NICE);
  struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX(CAP_SYS_NICE)];
  set->effective &= ~nice;
  set->permitted &= ~nice;
  set->inheritable &= ~nice;
  return (int)syscall(SYS_capset, &header, sets);
}
#endif
