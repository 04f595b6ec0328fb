#pragma once
// Linux system calls of the C library that its headers show only under _GNU_SOURCE,
// which Swift's Glibc module is built without. Signatures as in syncfs(2), renameat2(2), readv(2)
// and fallocate(2).
#ifdef __linux__
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
int syncfs(int fd);
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
ssize_t preadv2(int fd, const struct iovec *parts, int count, off_t offset, int flags);
int fallocate(int fd, int mode, off_t start, off_t length);
// O_DIRECT (open(2)), whose value differs between processors.
static const int ARCHIVER_DIRECT = __O_DIRECT;
#define ARCHIVER_READ_NOWAIT 8
#define ARCHIVER_RENAME_NOREPLACE 1u
#define ARCHIVER_RENAME_EXCHANGE 2u

// Asynchronous writes (io_submit(2)), for which the C library has no functions.

// Creates a context for `count` writes in flight; returns 0, or -1 with errno.
static inline int archiver_aio_setup(unsigned count, aio_context_t *context) {
  *context = 0;
  return (int)syscall(SYS_io_setup, count, context);
}

// Submits a write of bytes that must not change until it has completed; returns 1, or -1 with
// errno.
static inline int archiver_aio_submit(
    aio_context_t context, int fd, const void *bytes, size_t length, off_t offset,
    uint64_t number) {
  struct iocb write = {0};
  struct iocb *all[] = {&write};
  write.aio_lio_opcode = IOCB_CMD_PWRITE;
  write.aio_fildes = (uint32_t)fd;
  write.aio_buf = (uintptr_t)bytes;
  write.aio_nbytes = length;
  write.aio_offset = offset;
  write.aio_data = number;
  return (int)syscall(SYS_io_submit, context, 1L, all);
}

// Reaps up to `most` completions, waiting for at least `least`; returns how many, or -1 with errno.
static inline int archiver_aio_getevents(
    aio_context_t context, long least, long most, struct io_event *ended) {
  return (int)syscall(SYS_io_getevents, context, least, most, ended, (void *)0);
}

// Waits for all writes and destroys the context.
static inline void archiver_aio_destroy(aio_context_t context) {
  syscall(SYS_io_destroy, context);
}
#endif
