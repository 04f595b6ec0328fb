#pragma once
// Landlock (landlock(7), Linux 5.13): system calls for which the C library has no functions.
// Numbers and bits are part of the kernel's interface and the same on every architecture; they are
// defined here so that headers older than the running kernel suffice.
#ifdef __linux__
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  ARCHIVER_LANDLOCK_WRITE_FILE = 1 << 1,
  ARCHIVER_LANDLOCK_REMOVE_AND_MAKE = 0x1FF << 4,
  ARCHIVER_LANDLOCK_REFER = 1 << 13,
  ARCHIVER_LANDLOCK_TRUNCATE = 1 << 14
};

// Returns the kernel's Landlock version; less than 1 without Landlock.
static inline long archiver_landlock_version(void) { return syscall(444, 0, 0, 1u); }

// Returns the descriptor of a ruleset that forbids these accesses unless a rule allows them.
static inline int archiver_landlock_rules(uint64_t forbidden) {
  struct { uint64_t files; } attributes = {forbidden};
  return (int)syscall(444, &attributes, sizeof attributes, 0u);
}

// Adds a rule that allows accesses to an open file, or to an open folder and everything below it.
static inline int archiver_landlock_allow(int rules, int place, uint64_t allowed) {
  struct { uint64_t allowed; int32_t place; } __attribute__((packed)) attributes = {allowed, place};
  return (int)syscall(445, rules, 1, &attributes, 0u);
}

// Restricts the calling thread and everything that it starts by the ruleset, irrevocably.
static inline int archiver_landlock_enter(int rules) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(446, rules, 0u);
}
#endif
