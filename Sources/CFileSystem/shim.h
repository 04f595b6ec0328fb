#pragma once
// Linux system calls of the C library that its headers show only under _GNU_SOURCE,
// which Swift's Glibc module is built without. Signatures as in syncfs(2), renameat2(2) and
// readv(2).
#ifdef __linux__
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
int syncfs(int fd);
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
ssize_t preadv2(int fd, const struct iovec *parts, int count, off_t offset, int flags);
#define ARCHIVER_READ_NOWAIT 8
#define ARCHIVER_RENAME_NOREPLACE 1u
#define ARCHIVER_RENAME_EXCHANGE 2u
#endif
